// Random flights: what holds for every pair of bodies, whatever they are and however they meet. A
// failure prints how to fly it again alone: FLIGHT_SEED and FLIGHT_NUMBER in the environment.
#include "flights_run.h"
#include "test.h"

CN_TEST(two_thousand_flights)
{
    fly_tally tally = fly_many(17, 2000);
    CN_TRUE(tally.failures == 0);
    fly_print(&tally);
    bool are_all = getenv("FLIGHT_NUMBER") == NULL && getenv("FLIGHT_COUNT") == NULL;
    CN_TRUE(fly_print_census(&tally.seen, FLY_FIRST_LAWS) > 0 || !are_all);
    // Mirror images may part where equal choices are made by rounding, rarely.
    CN_TRUE(100 * tally.unlike <= tally.mirrored);
}

CN_TEST(flights_of_ellipsoids)
{
    fly_tally tally = fly_many_from(17, FLY_ELLIPSOIDS, 400);
    CN_TRUE(tally.failures == 0);
    CN_TRUE(tally.hits > 100 || getenv("FLIGHT_NUMBER") != NULL);
    fly_print(&tally);
}

CN_TEST(flights_of_all_laws)
{
    fly_tally tally = fly_many(FLY_ALL_LAWS, 600);
    CN_TRUE(tally.failures == 0);
    fly_print(&tally);
    bool are_all = getenv("FLIGHT_NUMBER") == NULL && getenv("FLIGHT_COUNT") == NULL;
    CN_TRUE(fly_print_list("laws", tally.seen.law, cn_law_type_count()) > 0 || !are_all);
}

// Flights of other seeds that went wrong before.
CN_TEST(flights_that_failed)
{
    static const int kept[][2] = {
        {1, 13785}, // glue: points of a second look against a bond
        {1, 19244},
        {1, 34382},
        {1, 48630},
        {1, 66298},
        {1, 82098},
        {1, 34532}, // a rim on the inner rim of a tube
        {1, 44576},
        {1, 78449},
        {1, 61707}, // a closed can before the mouth of a tube
        {1, 3096},  // bonds that pull against each other are told
        {1, 195980},
        {1, 176842},
        {1, 130485}, // level with a lip, thrown out by the wall
        {1, 19681},
        {21, 3262},  // edges through a thin part of a surface
        {1, 16091},  // a point brought into the plane of its patch is no phantom
        {6, 154149}, // a rim that is rounder than the tube it dips into
        {2, 9055},
        {1, 89452}, // depth of a long part given back in a short one
        {4, 2499},
        {41, 1214}, // bonds that a long step moves are told
        {1, 67334},
        {1, 67588},
        {1, 93626},
        {1, 110195},
        {1, 134108},
        {1, 205055}, // ends that are thrown down by others
        {1, 77103},
        {1, 49201},
        {1, 36927}, // leaning cylinders a hair beside a face
        {3, 3360},  // a joint that throws a body through another
        {2, 308},   // a needle on an inner rim
        {2, 4545},  // rods of very different radii that cross
        {2, 4736},
        {1, 4352},
        {1, 65682},
        {1, 76655}, // what joints, weight and cut steps add
                    // to the bound of energy
        {1, 25582},
        {1, 49069},
        {1, 102981},
        {11, 55384},
        {31, 867},
        {31, 18886},
        {31, 35440},
        {41, 4936}, // what passed a blade, or came out of its other side
        {41, 6828}, // a shell in the mouth of a ring is not around it
        {1, 43295},
        {21, 7769},
        {21, 18486},
        {51, 630}, // a ball on the bottom of a cup that is shallower than it
        {5, FLY_ELLIPSOIDS + 2183},
        {5, FLY_ELLIPSOIDS + 4359}, // corners deep in a thin ellipsoid
        {6, FLY_ELLIPSOIDS + 2599}, // and of a surface that is small against it
        {17, FLY_ELLIPSOIDS + 579}, // a lens that falls flat
        {31, 47517},                // a rod that turns into a surface under a law with restitution
        {71, 19989},
        {1, 97234}, // an edge of a surface that leans on an inner rim
        {11, 8885}, // two points on a wall that is thick against what lies on it
        {1, 83078},
        {71, 27092},
        {1, 65009}, // points of a patch off the bodies along its normal, where nothing is moved
        {71, 3262}, // an overlap that no search along axes finds
        {71, 21512},
        {21, 20904}, // where a contact acts that a turn brings about
        {1, 16470},  // rounding of the forces in stiff meshes
        {71, 10551},
        {71, 25355},
        {71, 28282},
        {1, 97801}, // what has come through the thin part of a surface belongs to the side it came
                    // from
        {1, 95332},
        {2, 17026},
        {71, 76960},
        {71, 82498},
        {71, 97936},
        {71, 44968},
        {71, 149323},
        {71, 50734}, // a ring that is shorter than its wall is thick
        {71, 80376},
        {71, 162148},
        {71, 173103}, // a face that is no way out, beside an edge that is
        {71, 156326}, // an end far beside a cup, the other in its mouth
        {71, 66152},  // a bar that comes down on the bottom of a shallow cup
        {71, 165812}, // a needle that is deep for a moment, and was kicked
        {6, FLY_ELLIPSOIDS + 433},
        {61, 15055}, // beside a facet of a mesh, past a sharp edge of it
        {61, 18031},
        {61, 26836},
        {71, 177247},
        {71, 178620},
        {1, 50670}, // what turns slides along a mesh, faster than that is thick
        {71, 3111},
        {71, 26511},  // points found ahead of a spring store nothing
        {71, 36762},  // rims of leaning coins cross where their ellipses do
        {71, 162521}, // bonded bodies that rotate about each other are not fast
        {1, 31374},   // deep behind one facet, beside the skin
        {301, 1919},  // a corner whose nearest node has slipped past it
        {71, 203981}, // a kick between a rod and a pseudo-rigid block is told
        {41, 4281},   // a cable that pulls back in the step of a fast contact
        {1, 156344},  // an edge on one side of a plate, its rim on the other
        {1, 173261},  // rims of blades that cross before the blades overlap
        {1, 120065},
        {1, 174218}, // rims of cylinders of very different sizes
        {1, 198048}, // corners of a pseudo-rigid block that clap down
        {1, 199720}, // the end of an edge that dips below a lip
    };
    fly_tally tally = {0};
    for (int k = 0; k < (int)(sizeof kept / sizeof *kept); k++) {
        flight f;
        CN_TRUE(fly_draw(&f, (uint64_t)kept[k][0], kept[k][1]) && fly(&f, &tally));
    }
}

CN_MAIN(CN_RUN(two_thousand_flights); CN_RUN(flights_of_ellipsoids); CN_RUN(flights_of_all_laws);
        CN_RUN(flights_that_failed);)
