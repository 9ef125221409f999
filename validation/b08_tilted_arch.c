// validation/b08_tilted_arch.c -- B08: an arch under a growing horizontal acceleration.
//
// Question: at which a/g do four hinges form? Reference: limit analysis of arches of straight-edged
// stones. Source: Oppenheim 1992; De Lorenzis, DeJong and Ochsendorf 2007.
#include "builders.h"
#include "table.h"
#include <string.h>

#define R_CENTRE 10.0 // [m]
#define STEP 1e-3     // [s]

// Hinges of the arch as a string such as "ieie": joints that touch at one end only, i or e.
static void read_hinges(const cn_trial *t, int stone_count, int pieces, const cn_joint *joint,
                        char *hinge)
{
    int count = 0;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int k = 0; k <= stone_count; k++) {
        double in = 0.0, ex = 0.0;
        for (int a = 0; a < view.contact_count; a++) {
            const cn_contact *c = &view.contact[a];
            cn_vec2 p = {c->point[0], c->point[1]};
            double to_in = cn_norm2(cn_sub2(p, joint[k * pieces].in));
            double to_ex = cn_norm2(cn_sub2(p, joint[k * pieces].ex));
            in += to_in < 0.05 ? c->r[0] : 0.0;
            ex += to_ex < 0.05 ? c->r[0] : 0.0;
        }
        if ((in > 0.0) != (ex > 0.0) && count < 15) {
            hinge[count++] = in > 0.0 ? 'i' : 'e';
        }
    }
    hinge[count] = '\0';
}

static bool is_alternating(const char *hinge)
{
    bool alternates = hinge[0] != '\0';
    for (int k = 1; alternates && hinge[k] != '\0'; k++) {
        alternates = hinge[k] != hinge[k - 1];
    }
    return alternates;
}

// Raises a from 0.9 of the expected value by 0.01 g per second until a stone moves at 0.1 mm/s:
// that is reached some 0.05 s, or 0.0005 g, after the onset.
static double onset(cn_book *book, int stone_count, int pieces, const cn_joint *joint, double mu,
                    double expected, char *hinge)
{
    cn_world_def def = cn_trial_def();
    double a = 0.9 * expected;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_build_arch(&t, stone_count, pieces, joint, 2000.0);
    while (a < 1.1 * expected && !t.is_broken) {
        cn_world_set_gravity(t.world, (double[]){a * CN_G, -CN_G, 0.0}, NULL);
        if (!cn_trial_step(&t, STEP) || cn_trial_speed(&t) > 1e-4) {
            break;
        }
        a += 0.01 * STEP;
    }
    read_hinges(&t, stone_count, pieces, joint, hinge);
    cn_trial_end(&t);
    return a;
}

typedef struct tilt {
    int stone_count, pieces;
    double thickness, degrees, mu, limit; // t/R, embrace, friction, a/g
} tilt;

static void check_onset(cn_book *book, tilt arch)
{
    char hinge[16];
    cn_joint joint[CN_ARCH_MAX + 1];
    cn_joints_circular(arch.stone_count * arch.pieces, R_CENTRE, arch.thickness * R_CENTRE,
                       cn_degrees(arch.degrees), joint);
    double a = onset(book, arch.stone_count, arch.pieces, joint, arch.mu, arch.limit, hinge);
    cn_check_rel(book,
                 cn_name(book, "a/g, N %d, t/R %g, mu %g%s", arch.stone_count, arch.thickness,
                         arch.mu, arch.pieces > 1 ? ", curved" : ""),
                 a, arch.limit, 0.015);
    if (arch.mu > 0.6) {
        cn_check_true(book, cn_name(book, "hinges alternate: %s", hinge), is_alternating(hinge));
        cn_check(book, cn_name(book, "hinges: %s", hinge), (double)strlen(hinge), 4.0, 0.0);
    }
}

void cn_case_B08(cn_book *book)
{
    check_onset(book, (tilt){7, 1, 0.15, 157.5, 0.7, 0.373612});
    check_onset(book, (tilt){7, 1, 0.15, 157.5, 0.5, 0.367966});
    check_onset(book, (tilt){7, 1, 0.15, 157.5, 0.4, 0.257000});
    check_onset(book, (tilt){7, 8, 0.15, 157.5, 0.7, 0.370010});
    check_onset(book, (tilt){15, 4, 0.15, 157.5, 0.7, 0.356066});
    check_onset(book, (tilt){27, 1, 0.15, 180.0, 0.7, 0.145338});
    check_onset(book, (tilt){27, 1, 0.20, 180.0, 0.7, 0.284337});
}
