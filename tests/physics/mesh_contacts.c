// Where meshes touch: thin sheets, rings that fit, round bodies of every size (theory 11.13
// to 11.15, 11.17).
#include "cairn/cairn.h"
#include "test.h"

#include <stdarg.h>

typedef struct ended {
    bool is_complete;
    int contact_count, most; // at the end, and in any step
    double push;             // sum of normal impulses of the last step [N s]
    double penetration;      // largest of the last step [m]
    double deepest;          // of any step [m]
    double height;           // of the first body [m]
    double energy;           // kinetic and elastic [J]
    double error;            // of the ledger [-]
    double unseen;           // overlap that contacts do not know [m]
    double given;            // by contacts, in all steps [J]
} ended;

static void look(void *context, const cn_world *w, int series_count, const char *const *name,
                 const double *series)
{
    (void)series_count, (void)name, (void)series;
    ended *end = context;
    cn_view view = cn_world_view(w);
    end->contact_count = view.contact_count;
    end->penetration = view.certificate->penetration;
    end->height = view.q[view.dim - 1];
    end->energy = view.ledger->kinetic + view.ledger->elastic;
    end->error = view.ledger->error_max;
    end->given = -view.ledger->total[CN_ENERGY_GIVEN];
    for (int a = 0; a < view.contact_count; a++) {
        end->push += view.contact[a].r[0];
    }
}

static bool count(void *context, const cn_progress *progress)
{
    ended *end = context;
    int now = progress->certificate->contact_count;
    end->most = now > end->most ? now : end->most;
    end->deepest = fmax(end->deepest, progress->certificate->penetration);
    return true;
}

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

__attribute__((format(printf, 1, 2))) static ended run(const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cn_scene *scene = NULL;
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    ended end = {0};
    def.at_end = look;
    def.progress = count;
    def.audit = CN_AUDIT_DEEP;
    def.context = &end;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    if (scene != NULL) {
        cn_status status = cn_scene_run(scene, &def, &report, &test_error);
        CN_DO(status);
        end.is_complete = status == CN_OK;
        end.unseen = report.overlap.worst.unseen.depth;
    }
    cn_scene_destroy(scene);
    return end;
}

#define COMMON                                                                                     \
    "cairn: 1\ngravity: none\noverlap_max: 100\n"                                                  \
    "laws: {c: {type: coulomb, friction: 0}}\ncontacts: [{between: [any, any], law: c}]\n"

// Pressure between two rings with an interference of 0.05 mm [Pa].
static double fit(const char *elements, int inner, int outer)
{
    ended end = run(
        COMMON
        "materials: {alu: {density: 2700, young: 70e9, poisson: 0.33, plane: stress}}\n"
        "solver: {accuracy: 1e-8}\n"
        "bodies:\n"
        "  inner: {mesh: {annulus: {inner: 0.05, radius: 0.080025, elements: %s, cells: [%d, 6]}}, "
        "material: alu}\n"
        "  outer: {mesh: {annulus: {inner: 0.079975, radius: 0.13, elements: %s, cells: [%d, 6]}}, "
        "material: alu}\n"
        "scheme: {theta: 1, quasi_static: true}\n"
        "stages: [{step: 1, duration: 3}]\n",
        elements, inner, elements, outer);
    return end.push / (2.0 * CN_PI * 0.08);
}

CN_TEST(rings_press_each_other_whatever_their_divisions)
{
    static const int division[][2] = {{72, 72}, {48, 48}, {71, 72}, {60, 72}, {36, 72}, {100, 36}};
    for (int k = 0; k < (int)(sizeof division / sizeof *division); k++) {
        for (int q = 0; q < 2; q++) {
            double p = fit(q == 0 ? "quad4" : "quad8", division[k][0], division[k][1]);
            CN_NEAR(p / 9.72e6, 1.0, 0.02, "Lame, plane stress: what was asked for");
        }
    }
}

// A sheet of 3 mm, held at both ends, and a disk 1 mm before it or `gap` [m], turned by an angle.
static ended sheet_2d(int cells, double angle, double gap)
{
    double away = 0.05 + gap + 0.0015;
    return run(COMMON
               "materials: {m: 2000, gum: {density: 1000, young: 2e8, poisson: 0.3, kinematics: "
               "corotational}}\n"
               "bodies:\n"
               "  d: {shape: {disk: 0.05}, at: [%.17g, %.17g], material: m}\n"
               "  sheet: {mesh: {box: [1, 0.003], cells: [%d, 1]}, rotation: %.17g, material: gum, "
               "fixed_sets: {left: true, right: true}}\n"
               "stages: [{step: 1e-4, duration: 3e-4}]\n",
               -away * sin(angle), away * cos(angle), cells, angle);
}

static ended sheet_3d(int cells, double angle, double gap)
{
    double away = 0.05 + gap + 0.0015;
    return run(COMMON
               "dimension: 3\nmaterials: {m: 2000, gum: {density: 1000, young: 2e8, poisson: 0.3, "
               "kinematics: corotational}}\n"
               "bodies:\n"
               "  d: {shape: {sphere: 0.05}, at: [%.17g, 0, %.17g], material: m}\n"
               "  sheet: {mesh: {box: [0.2, 0.2, 0.003], cells: [%d, %d, 1]}, "
               "rotation: {axis: [0, 1, 0], angle: %.17g}, material: gum, "
               "fixed_sets: {left: true, right: true}}\n"
               "stages: [{step: 1e-4, duration: 2e-4}]\n",
               away * sin(angle), away * cos(angle), cells, cells, angle);
}

// Nothing touches, nothing happens: the far side of a sheet is none of what is before the near one.
// The energy of nothing is rounding, which is no error of the ledger.
CN_TEST(sheets_do_not_feel_what_is_before_them)
{
    static const int cells[] = {30, 40, 50, 60, 70, 80, 100};
    for (int k = 0; k < 7; k++) {
        for (int turned = 0; turned < 2; turned++) {
            ended end = sheet_2d(cells[k], turned * CN_PI / 4, 1e-3);
            CN_TRUE(end.is_complete && end.most == 0 && end.energy < 1e-12);
            CN_TRUE(end.error < 1e-10);
        }
    }
    for (int n = 6; n <= 14; n += 4) {
        for (int turned = 0; turned < 2; turned++) {
            ended end = sheet_3d(n, turned * CN_PI / 4, 1e-3);
            CN_TRUE(end.is_complete && end.most == 0 && end.energy < 1e-12);
            CN_TRUE(end.error < 1e-10);
        }
    }
}

// What is before a sheet by -0.1 mm does touch its near side.
CN_TEST(sheets_feel_what_touches_them)
{
    for (int turned = 0; turned < 2; turned++) {
        ended end = sheet_2d(50, turned * CN_PI / 4, -1e-4);
        CN_TRUE(end.most >= 1);
        CN_NEAR(end.penetration, 0.0, 1e-6, "a step takes the overlap of 1e-4 m back");
        end = sheet_3d(10, turned * CN_PI / 4, -1e-4);
        CN_TRUE(end.most >= 1);
        CN_NEAR(end.penetration, 0.0, 1e-6, "a step takes the overlap of 1e-4 m back");
    }
}

// Disks just inside a thin ring, all around it.
CN_TEST(membranes_do_not_feel_what_is_inside)
{
    for (int k = 0; k < 25; k++) {
        double a = 2.0 * CN_PI * k / 25;
        ended end =
            run(COMMON "materials: {m: 2000, gum: {density: 1000, model: neo_hookean, young: 2e6, "
                       "poisson: 0.3}}\n"
                       "bodies:\n"
                       "  d: {shape: {disk: 0.0079}, at: [%.17g, %.17g], material: m}\n"
                       "  membrane: {mesh: {annulus: {inner: 0.2005, radius: 0.2035, cells: [180, "
                       "1]}}, material: gum}\n"
                       "stages: [{step: 1e-4, duration: 1e-4}]\n",
                0.1921 * cos(a), 0.1921 * sin(a));
        CN_TRUE(end.is_complete && end.most == 0 && end.energy < 1e-12);
    }
}

// A round body of radius `ratio` facet edges rests on a flat mesh that is held, over the middle of
// a facet or beside it; returns how deep it sinks, over its size.
static double sink(const char *format, int dim, double ratio, double beside)
{
    double R = 0.1 * ratio;
    char shape[200];
    snprintf(shape, sizeof shape, format, R, R);
    bool is_space = dim == 3;
    ended end = run("cairn: 1\ndimension: %d\ngravity: [0, %s -10]\n"
                    "laws: {c: {type: coulomb, friction: 0.3}}\n"
                    "contacts: [{between: [any, any], law: c}]\n"
                    "materials: {m: 2000, gum: {density: 1000, young: 1e6, poisson: 0}}\n"
                    "bodies:\n"
                    "  d: {shape: %s, at: [%.17g, %s %.17g], material: m}\n"
                    "  block: {mesh: {box: [1, %s 0.2], cells: [10, %s 2]}, at: [0, %s -0.1], "
                    "material: gum, fixed: true}\n"
                    "stages: [{step: 1e-2, duration: 0.2}]\n",
                    dim, is_space ? "0," : "", shape, beside, is_space ? "0.01," : "", R,
                    is_space ? "1," : "", is_space ? "10," : "", is_space ? "0," : "");
    CN_TRUE(end.is_complete && end.penetration < 1e-6 * 2.0 * R);
    return (R - end.height) / (2.0 * R);
}

// Chords between nodes hold a ball as nodes do, whatever is larger.
CN_TEST(round_bodies_rest_on_facets_of_any_size)
{
    static const double ratio[] = {0.01, 0.1, 0.5, 1.0, 3.0, 5.0, 20.0, 100.0};
    for (int k = 0; k < 8; k++) {
        for (int place = 0; place < 3; place++) {
            double beside = 0.05 + 0.017 * place; // the middle of a facet is at 0.05
            CN_NEAR(sink("{disk: %g}", 2, ratio[k], beside), 0.0, 1e-6, "what was asked for");
            CN_NEAR(sink("{capsule: {length: %g, radius: %g}}", 2, ratio[k], beside), 0.0, 1e-6,
                    "what was asked for");
            CN_NEAR(sink("{sphere: %g}", 3, ratio[k], beside), 0.0, 1e-6, "what was asked for");
            CN_NEAR(sink("{hollow_disk: {radius: \"=0.8*%g\", thickness: \"=0.2*%g\"}}", 2,
                         ratio[k], beside),
                    0.0, 1e-6, "what was asked for");
        }
    }
}

// A disk of four facet edges is pressed into a soft slab by 0.7 of its radius, and dragged along
// it.
CN_TEST(slab_wraps_around_a_disk)
{
    ended end =
        run(COMMON "materials: {soft: {density: 1000, model: neo_hookean, young: 1e6, poisson: "
                   "0.3}}\n"
                   "solver: {accuracy: 1e-4}\n"
                   "bodies:\n"
                   "  die: {shape: {disk: 1.0}, at: [-2.5, 1.0], fixed: true}\n"
                   "  slab: {mesh: {box: {size: [9, 3], cells: [36, 12]}}, material: soft, at: "
                   "[0, -1.5], fixed_sets: {bottom: true}}\n"
                   "scheme: {theta: 1, quasi_static: true}\n"
                   "stages:\n"
                   "  - {step: 0.05, duration: 1, drive: {die: {velocity: {y: -0.7, x: 0, "
                   "rotation: 0}}}}\n"
                   "  - {step: 0.02, duration: 0.5, drive: {die: {velocity: {x: 4, y: 0, rotation: "
                   "0}}}}\n");
    CN_TRUE(end.is_complete && end.contact_count >= 8);
    CN_NEAR(end.deepest, 0.0, 3e-3 * 2.0,
            "second order in a step: facets turn by 0.1 rad while contacts keep their frames");
}

// A block of n x n elements between platens is pressed to half its height without inertia. Its
// matrix has directions that contacts alone stop. Returns the force on a platen [N].
static double press(const char *elements, int n, double poisson, double friction)
{
    const double h = 0.05;
    ended end = run("cairn: 1\ngravity: none\n"
                    "laws: {c: {type: coulomb, friction: %g}}\n"
                    "contacts: [{between: [any, any], law: c}]\n"
                    "materials: {rubber: {density: 1000, model: neo_hookean, young: 1e6, "
                    "poisson: %g}}\n"
                    "solver: {accuracy: 1e-4}\n"
                    "bodies:\n"
                    "  roof: {shape: {box: [6, 0.2]}, at: [0, 1.1], fixed: true}\n"
                    "  floor: {shape: {box: [6, 0.2]}, at: [0, -0.1], fixed: true}\n"
                    "  block: {mesh: {box: {size: [1, 1], elements: %s, cells: [%d, %d]}}, "
                    "material: rubber, at: [0, 0.5]}\n"
                    "scheme: {theta: 1, quasi_static: true}\n"
                    "stages: [{step: %g, duration: 1, drive: {roof: {velocity: {y: -0.5}}}}]\n",
                    friction, poisson, elements, n, n, h);
    CN_TRUE(end.is_complete);
    CN_NEAR(end.height, 0.6, 1e-12, "the roof has come down by half of the block");
    return 0.5 * end.push / h;
}

// Force on a block of unit size that is pressed to the stretch l and free aside (10.15).
static double pressed_free(double poisson, double l)
{
    double mu = 0.5e6 / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    double low = 1.0, high = 1.0 / l; // of the stretch aside, where mu (a^2 - 1) + lambda ln J = 0
    for (int k = 0; k < 60; k++) {
        double a = 0.5 * (low + high);
        *(mu * (a * a - 1.0) + lambda * log(a * l) > 0.0 ? &high : &low) = a;
    }
    return -(mu * (l - 1.0 / l) + lambda * log(low * l) / l);
}

CN_TEST(block_is_pressed_to_half_its_height)
{
    double exact = pressed_free(0.45, 0.5), rough = press("quad8", 4, 0.3, 0.5);
    CN_NEAR(press("quad4", 3, 0.45, 0.0) / exact, 1.0, 1e-5,
            "homogeneous strain is exact; contacts and balance are accurate to 1e-5");
    CN_NEAR(press("tri6", 4, 0.3, 0.5) / rough, 1.0, 0.02, "two meshes of one body");
    CN_NEAR(press("quad4", 6, 0.3, 0.5) / rough, 1.0, 0.06, "linear ones are stiffer");
    // Beside the corners the sides fold onto the platens, from one equilibrium to another.
    CN_TRUE(press("quad4", 6, 0.4999, 0.5) > pressed_free(0.4999, 0.5));
}

// A ram pushes a block that is at rest 0.1 m on within a step: it meets the wall, 50 mm away, that
// nothing of its motion before and without contacts tells of.
CN_TEST(pushed_block_meets_what_is_behind_it)
{
    for (int k = 0; k < 2; k++) {
        ended end = run(
            COMMON "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, model: neo_hookean}}\n"
                   "bodies:\n"
                   "  block: {mesh: {box: {size: [1, 1], cells: [2, 2]}}, material: m, at: [0.5, "
                   "0.5]}\n"
                   "  ram: {shape: {box: [0.2, 2]}, at: [-0.1, 0.5], fixed: true}\n"
                   "  wall: {shape: {box: [0.2, 2]}, at: [1.15, 0.5], fixed: true}\n"
                   "scheme: {theta: 1, quasi_static: %s}\n"
                   "stages: [{step: 0.1, duration: 0.1, drive: {ram: {velocity: {x: 1}}}}]\n",
            k == 0 ? "true" : "false");
        CN_TRUE(end.is_complete && end.contact_count == 6);
        CN_TRUE(end.energy > 1e3); // pressed by 5 % it stores 1.4 kJ; it stored less than 1 J
    }
}

// A block of the coarser mesh whose corner falls between the nodes of a slab, tilted by 30 degrees.
static ended corner_falls(int dim)
{
    const char *slab = dim == 2 ? "{box: [0.4, 0.1], cells: [16, 4]}"
                                : "{box: [0.4, 0.4, 0.1], cells: [10, 10, 2]}";
    const char *block =
        dim == 2 ? "{box: [0.1, 0.1], cells: [2, 2]}" : "{box: [0.1, 0.1, 0.1], cells: [2, 2, 2]}";
    return run(COMMON "dimension: %d\n"
                      "materials: {soft: {density: 1000, young: 1e7, poisson: 0.3, kinematics: "
                      "corotational}}\n"
                      "bodies:\n"
                      "  block: {mesh: %s, material: soft, at: %s, rotation: %s, velocity: %s}\n"
                      "  slab: {mesh: %s, material: soft, fixed_sets: {bottom: true}}\n"
                      "stages: [{step: 2e-4, duration: 0.02}]\n",
               dim, block, dim == 2 ? "[0.0125, 0.12]" : "[0.021, 0.013, 0.145]",
               dim == 2 ? "0.5236" : "{axis: [3, 2, 1], angle: 0.7}",
               dim == 2 ? "[0, -1]" : "[0, 0, -1]", slab);
}

CN_TEST(corners_of_coarse_meshes_are_met_between_nodes)
{
    for (int dim = 2; dim <= 3; dim++) {
        ended end = corner_falls(dim);
        CN_TRUE(end.is_complete && end.most > 0);
        CN_NEAR(end.unseen, 0.0, 1e-3 * 0.1, "of the size: deeper ones are an error of the run");
    }
}

// Solids without corners, and smaller than the facets on which they fall.
CN_TEST(round_solids_rest_between_nodes)
{
    static const char *const solid[] = {"ellipsoid: [0.05, 0.04, 0.02]",
                                        "cylinder: {radius: 0.02, length: 0.05}",
                                        "hollow_sphere: {radius: 0.02, thickness: 0.004}",
                                        "hollow_cylinder: {radius: 0.02, length: 0.04}"};
    for (int k = 0; k < (int)(sizeof solid / sizeof *solid); k++) {
        ended end =
            run("cairn: 1\ndimension: 3\noverlap_max: 100\n"
                "laws: {c: {type: coulomb, friction: 0.3}}\n"
                "contacts: [{between: [any, any], law: c}]\n"
                "materials: {soft: {density: 1000, young: 1e7, poisson: 0.3}, stone: 2000}\n"
                "bodies:\n"
                "  pebble: {shape: {%s}, material: stone, at: [0.021, 0.013, 0.09], velocity: "
                "[0, 0, -0.3], rotation: {axis: [1, 2, 0.5], angle: 0.4}}\n"
                "  slab: {mesh: {box: [0.4, 0.4, 0.1], cells: [4, 4, 1]}, material: soft, "
                "fixed_sets: {bottom: true}}\n"
                "stages: [{step: 1e-3, duration: 0.1}]\n",
                solid[k]);
        CN_TRUE(end.is_complete && end.most > 0);
        CN_NEAR(end.unseen, 0.0, 1e-2 * 0.004, "of the thinnest wall: deeper ones are an error");
    }
}

// A cylinder that leans beside a plate: its lowest point as seen from a narrow side of the plate is
// a hair beside the next one, and not deep behind the first.
CN_TEST(rims_beside_a_plate_are_not_behind_its_far_side)
{
    for (int k = -10; k <= 10; k++) {
        ended end =
            run("cairn: 1\ndimension: 3\noverlap_max: 100\n"
                "laws: {c: {type: coulomb, friction: 0.3}}\n"
                "contacts: [{between: [any, any], law: c}]\n"
                "materials: {soft: {density: 1000, young: 1e9, poisson: 0.3}, stone: 1000}\n"
                "bodies:\n"
                "  drum: {shape: {cylinder: {radius: 0.0492, length: 0.0985}}, material: stone, "
                "at: [0.2428, %.17g, 0.0394], velocity: [0, -0.4, -0.12], "
                "rotation: {axis: [0.959183, 0.209089, 0], angle: 1.762357}}\n"
                "  plate: {mesh: {box: [0.57735, 0.57735, 0.057735], cells: [2, 1, 1]}, "
                "material: soft}\n"
                "stages: [{step: 1.4e-3, duration: 1.4e-3}]\n",
                0.3457 + 1e-4 * k);
        CN_TRUE(end.is_complete);
        CN_NEAR(end.deepest, 0.0, 3e-3, "it enters by a millimetre here; 84 behind the far side");
    }
}

// A wedge of one element along its ridge, which is up, and solids that fall across the middle of
// it.
CN_TEST(ridges_are_met_between_nodes)
{
    static const char *const solid[] = {
        "shape: {sphere: 0.03}", "shape: {capsule: {length: 0.1, radius: 0.02}}",
        "shape: {box: [0.1, 0.1, 0.1]}", "mesh: {box: [0.1, 0.4, 0.1], cells: [1, 1, 1]}",
        // the sides of the first two, the rim of the third, a shell and a tube
        "shape: {cylinder: {radius: 0.03, length: 0.1}}", "shape: {ellipsoid: [0.05, 0.03, 0.03]}",
        "shape: {cylinder: {radius: 0.05, length: 0.05}}",
        "shape: {hollow_sphere: {radius: 0.04, thickness: 0.01}}",
        "shape: {hollow_cylinder: {radius: 0.03, length: 0.1, thickness: 0.01, ends: true}}"};
    static const char *const turn[] = {"{axis: [0, 0, 1], angle: 0}",
                                       "{axis: [1, 0, 0], angle: 1}",
                                       "{axis: [1, 0, 0], angle: 0.7853981633974483}",
                                       "{axis: [0, 1, 0], angle: 0.7853981633974483}",
                                       "{axis: [1, 0, 0], angle: 1.2}",
                                       "{axis: [0, 0, 1], angle: 1}",
                                       "{axis: [0, 1, 0], angle: 0.6}",
                                       "{axis: [0, 0, 1], angle: 0}",
                                       "{axis: [1, 0, 0], angle: 1.2}"};
    for (int k = 0; k < 9; k++) {
        ended end =
            run("cairn: 1\ndimension: 3\ngravity: none\n"
                "laws: {c: {type: coulomb, friction: 0}}\n"
                "contacts: [{between: [any, any], law: c}]\n"
                "materials: {soft: {density: 1000, young: 1e7, poisson: 0.3}, stone: {density: "
                "2000, young: 1e7, poisson: 0.3}}\n"
                "bodies:\n"
                "  falls: {%s, material: stone, at: [0.01, 0, 0.15], rotation: %s, "
                "velocity: [0, 0, -1]}\n"
                "  ridge: {mesh: {box: [0.4, 0.1, 0.1], cells: [1, 1, 1]}, material: soft, "
                "rotation: {axis: [1, 0, 0], angle: 0.7853981633974483}, fixed_sets: {left: true, "
                "right: true}}\n"
                "stages: [{step: 1e-3, duration: 0.1}]\n",
                solid[k], turn[k]);
        CN_TRUE(end.is_complete && end.most > 0);
        CN_NEAR(end.unseen, 0.0, 1e-3 * 0.03, "of the smallest: deeper ones are an error");
        CN_TRUE(end.height > 0.0707); // held up by the ridge, whose nodes are fixed
    }
}

// A pebble of 0.1 m that falls past the side or the corner of a block of 1 m, 4 mm away: less than
// 1 % of the facet of the block beside its top, but outside.
CN_TEST(what_falls_beside_a_block_is_not_over_its_top)
{
    static const char *const flat[] = {"shape: {box: [0.1, 0.1]}",
                                       "mesh: {box: [0.1, 0.1], cells: [1, 1]}"};
    static const char *const solid[] = {"shape: {box: [0.1, 0.1, 0.1]}",
                                        "mesh: {box: [0.1, 0.1, 0.1], cells: [1, 1, 1]}"};
    static const char *const at[] = {"0.555", "0.3, 0.555", "0.554, 0.555"};
    for (int k = 0; k < 6; k++) {
        int dim = k < 2 ? 2 : 3;
        ended end = run(COMMON "dimension: %d\n"
                               "materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
                               "bodies:\n"
                               "  pebble: {%s, material: m, at: [0.554, %s], velocity: [%s, -1]}\n"
                               "  block: {mesh: {box: [%s], cells: [%s]}, material: m}\n"
                               "stages: [{step: 1e-3, duration: 0.1}]\n",
                        dim, dim == 2 ? flat[k] : solid[k % 2], at[k / 2], dim == 2 ? "0" : "0, 0",
                        dim == 2 ? "1, 1" : "1, 1, 1", dim == 2 ? "1, 1" : "1, 1, 1");
        CN_TRUE(end.is_complete && end.push == 0.0);
        CN_NEAR(end.energy, dim == 2 ? 5.0 : 0.5, 1e-9, "nothing touches: rounding of elements");
    }
}

// Two blocks of one element, the upper one slipped or turned, pressed together by their weight.
static void hold_up(int dim, const char *sides, const char *cells, const char *at, double turn)
{
    ended end = run("cairn: 1\ndimension: %d\nlaws: {c: {type: coulomb, friction: 0.5}}\n"
                    "contacts: [{between: [any, any], law: c}]\n"
                    "materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
                    "bodies:\n"
                    "  low: {mesh: {box: [%s1], cells: [%s1]}, material: m, "
                    "fixed_sets: {bottom: true}}\n"
                    "  up: {mesh: {box: [%s0.5], cells: [%s1]}, material: m, at: [%s, 0.75], "
                    "rotation: %s%g%s}\n"
                    "stages: [{step: 1e-3, duration: 0.1}]\n",
                    dim, sides, cells, sides, cells, at,
                    dim == 2 ? "" : "{axis: [0, 0, 1], angle: ", turn, dim == 2 ? "" : "}");
    CN_TRUE(end.is_complete);
    CN_NEAR(end.unseen, 0.0, 1e-5, "their weight strains them by 1e-3 at most");
    CN_NEAR(end.given, 0.0, 1e-2, "depth by strains; contacts that come and go give 10 J");
}

// By less than a tenth of a side: on that side the nodes of the upper block are beside the lower
// one, whose corner holds it, though it is near such a node.
CN_TEST(slipped_blocks_hold_each_other_up)
{
    static const char *const slip[] = {"2e-4", "2e-3", "5e-3", "5e-2", "9.9e-2"};
    for (int k = 0; k < (int)(sizeof slip / sizeof *slip); k++) {
        hold_up(2, "1, ", "1, ", slip[k], 0.0);
    }
}

// Slipped askew one corner of each is over the other, turned by 45 degrees none is: the block is
// held where edges cross.
CN_TEST(crossed_blocks_hold_each_other_up)
{
    hold_up(3, "1, 1, ", "1, 1, ", "0.05, 0.05", 0.0);
    hold_up(3, "1, 1, ", "1, 1, ", "0.3, 0.3", 0.0);
    hold_up(3, "1, 1, ", "1, 1, ", "0, 0", 0.25 * CN_PI);
}

// A disk slides outwards along a bar that turns, its surface faster than the bar is thick: Coriolis
// forces press it on. The free motion of both has the energy that they start with.
static double energy_on_bar(int dim, double step, double away)
{
    ended end =
        run(COMMON
            "dimension: %d\n"
            "solver: {accuracy: 1e-9}\n"
            "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, kinematics: corotational}}\n"
            "bodies:\n"
            "  bar: {mesh: {box: [1, %s0.02], cells: [4, %s1]}, material: m, angular_velocity: "
            "%s}\n"
            "  rider: {shape: {%s: 0.05}, material: m, at: [0.1, %s%g], velocity: [0.2, %s0.5], "
            "angular_velocity: %s}\n"
            "stages: [{step: %g, duration: 0.1}]\n",
            dim, dim == 2 ? "" : "0.1, ", dim == 2 ? "" : "1, ", dim == 2 ? "5" : "[0, -5, 0]",
            dim == 2 ? "disk" : "sphere", dim == 2 ? "" : "0, ", 0.06 + away, dim == 2 ? "" : "0, ",
            dim == 2 ? "5" : "[0, -5, 0]", step);
    CN_TRUE(end.is_complete && (away > 0.0) == (end.most == 0));
    return end.energy;
}

CN_TEST(what_slides_along_a_turning_bar_gains_nothing)
{
    static const double step[] = {1e-2, 5e-3};
    for (int k = 0; k < 4; k++) {
        int dim = 2 + k / 2;
        double before = energy_on_bar(dim, step[k % 2], 10.0);
        double gain = energy_on_bar(dim, step[k % 2], 0.0) / before - 1.0;
        CN_TRUE(gain < 0.0);
        CN_NEAR(gain, 0.0, 2.0 * step[k % 2], "the shock of order h with which it is met");
    }
}

CN_MAIN(CN_RUN(what_slides_along_a_turning_bar_gains_nothing);
        CN_RUN(what_falls_beside_a_block_is_not_over_its_top);
        CN_RUN(slipped_blocks_hold_each_other_up); CN_RUN(crossed_blocks_hold_each_other_up);
        CN_RUN(ridges_are_met_between_nodes); CN_RUN(round_solids_rest_between_nodes);
        CN_RUN(rims_beside_a_plate_are_not_behind_its_far_side);
        CN_RUN(corners_of_coarse_meshes_are_met_between_nodes);
        CN_RUN(block_is_pressed_to_half_its_height); CN_RUN(pushed_block_meets_what_is_behind_it);
        CN_RUN(round_bodies_rest_on_facets_of_any_size); CN_RUN(slab_wraps_around_a_disk);
        CN_RUN(rings_press_each_other_whatever_their_divisions);
        CN_RUN(sheets_do_not_feel_what_is_before_them); CN_RUN(sheets_feel_what_touches_them);
        CN_RUN(membranes_do_not_feel_what_is_inside);)
