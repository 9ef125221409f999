// Deformable bodies of scene files: from text to displacements known on paper.
#include "cairn/cairn.h"
#include "test.h"

enum { NODE_MAX = 400 };

// What is left of the first body after a run.
typedef struct ended {
    int dim, node_count;
    double x[3 * NODE_MAX], X[3 * NODE_MAX], v[3 * NODE_MAX], mass;
    int deformable_count, body_count;
} ended;

static ended last;

static void keep(void *context, const cn_world *w, int series_count, const char *const *name,
                 const double *series)
{
    (void)context, (void)series_count, (void)name, (void)series;
    cn_view view = cn_world_view(w);
    last = (ended){.body_count = view.body_count, .mass = view.mass[0]};
    for (int i = 0; i < view.body_count; i++) {
        last.deformable_count += cn_body_is_deformable(w, view.id[i]);
    }
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, view.id[0], &nodes, &test_error));
    last.dim = nodes.dim;
    last.node_count = nodes.node_count < NODE_MAX ? nodes.node_count : 0;
    for (int k = 0; k < nodes.dim * last.node_count; k++) {
        last.x[k] = nodes.x[k];
        last.v[k] = nodes.v[k];
        last.X[k] = nodes.X[k] + nodes.at[k % nodes.dim];
    }
}

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static void run(const char *text)
{
    cn_scene *scene = NULL;
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    last = (ended){0};
    def.at_end = keep;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    if (scene != NULL) {
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    }
    cn_scene_destroy(scene);
}

// Largest difference of all nodes to x = X (1 + strain[d]) about a fixed point.
static double off_stretch(const double *strain, const double *about)
{
    double most = 0.0;
    for (int k = 0; k < last.dim * last.node_count; k++) {
        int d = k % last.dim;
        double exact = last.X[k] + strain[d] * (last.X[k] - about[d]);
        most = fmax(most, fabs(last.x[k] - exact));
    }
    return last.node_count > 0 ? most : NAN;
}

#define STILL "stages: [{step: 1, duration: 1, scheme: {theta: 1, quasi_static: true}, "

// Tension s in x of plane stress: strains s/E and -nu s/E, whatever the mesh.
CN_TEST(a_pulled_bar_has_the_strains_of_hooke)
{
#define BAR(elements)                                                                              \
    "cairn: 1\ngravity: none\n"                                                                    \
    "materials: {steel: {density: 7800, young: 2e5, poisson: 0.25, plane: stress, thickness: "     \
    "0.1}}\n"                                                                                      \
    "bodies: {bar: {mesh: {box: {size: [2, 1], elements: " elements                                \
    ", cells: [3, 2]}}, material: steel, at: [4, 0], fixed_sets: {left: [x], bottom: [y]}}}\n"
    const double strain[] = {100.0 / 2e5, -25.0 / 2e5}, about[] = {3.0, -0.5};
    static const char *const scene[] = {
        BAR("tri3") STILL "force: {bar.right: {x: 100, per: area}}}]\n",
        BAR("quad8") STILL "force: {bar.right: {x: 100, per: area}}}]\n",
        BAR("quad4") STILL "force: {bar.right: {pressure: -100}}}]\n",
    };
    for (int k = 0; k < 3; k++) {
        run(scene[k]);
        CN_NEAR(off_stretch(strain, about), 0.0, k < 2 ? 1e-11 : 2e-6,
                "a constant strain is exact; pressure follows sides that are 1 + 5e-4 as long");
        CN_NEAR(last.mass, 7800 * 2 * 0.1, 1e-9, "density, area and thickness");
    }
}

// A block pressed flat by its top, sides held: strain along y alone.
CN_TEST(a_driven_top_presses_a_block_in_space)
{
    run("cairn: 1\ndimension: 3\ngravity: none\n"
        "materials: {gum: {density: 1000, young: 1e6, poisson: 0.3}}\n"
        "bodies: {block: {mesh: {box: [1, 1, 2], cells: [1, 1, 2]}, material: gum, "
        "fixed_sets: {bottom: [z], left: [x], right: [x], front: [y], back: [y]}}}\n" STILL
        "drive: {block.top: {displacement: {z: {table: [[0, 0], [1, -0.02]]}}}}}]\n");
    const double strain[] = {0.0, 0.0, -0.01}, about[] = {0.0, 0.0, -1.0};
    CN_NEAR(off_stretch(strain, about), 0.0, 1e-12, "a constant strain is exact");
}

// A held set stays, a stage sets it free; the others fly.
CN_TEST(stages_hold_sets_and_let_them_go)
{
#define SHEET                                                                                      \
    "cairn: 1\ngravity: [0, -10]\nmaterials: {gum: {density: 1000, young: 1e6, poisson: 0.3}}\n"   \
    "bodies: {sheet: {mesh: {box: [1, 1], size: 0.5}, material: gum, velocity: [3, 0], "           \
    "fixed_sets: {left: [y], right: [y], top: [y], bottom: [y]}}}\n"
    run(SHEET "stages: [{step: 1e-3, duration: 0.1}]\n");
    double fall = 0.0, speed = 0.0;
    for (int n = 0; n < last.node_count; n++) {
        fall = fmax(fall, fabs(last.x[2 * n + 1] - last.X[2 * n + 1]));
        speed = fmax(speed, fabs(last.v[2 * n] - 3.0));
    }
    CN_TRUE(last.node_count == 9);
    CN_TRUE(fall > 0.0 && fall < 1e-3); // the middle sags under its weight
    CN_NEAR(speed, 0.0, 0.2, "carried along, but for waves of the middle");
    run(SHEET "stages: [{step: 1e-3, duration: 0.1, fix: {sheet.left: false, sheet.right: false, "
              "sheet.top: false, sheet.bottom: false}}]\n");
    for (int n = 0; n < last.node_count; n++) {
        CN_NEAR(last.x[2 * n + 1] - last.X[2 * n + 1], -0.05, 1e-12, "free fall of 0.1 s");
    }
}

// The bricks of a wall cut into elements; its supports stay rigid.
CN_TEST(a_generated_wall_is_cut_into_bricks_of_eight_triangles)
{
    run("cairn: 1\ngravity: none\nmaterials: {stone: {density: 2000, young: 1e9, poisson: 0.2}}\n"
        "contacts: [{between: [any, any], law: none}]\n"
        "bodies: {wall: {generate: {wall: {length: 1.6, courses: 2, block: [0.4, 0.2], bond: "
        "running}}, material: stone, mesh: {elements: tri3, cells: [2, 1], crossed: true}}}\n"
        "stages: [{step: 1e-3, duration: 1e-3}]\n");
    CN_TRUE(last.body_count == 9 && last.deformable_count == 9);
    CN_TRUE(last.node_count == 8);
    CN_NEAR(last.mass, 2000 * 0.4 * 0.2, 1e-9, "a whole brick");
    double low = INFINITY, high = -INFINITY;
    for (int n = 0; n < last.node_count; n++) {
        low = fmin(low, last.x[2 * n + 1]);
        high = fmax(high, last.x[2 * n + 1]);
    }
    CN_NEAR(low, 0.0, 1e-15, "it stands on the ground");
    CN_NEAR(high, 0.2, 1e-15, "height of a brick");
}

// Neo-Hookean disk that spins freely: any rotation, no deformation from it at rest.
CN_TEST(a_spinning_disk_keeps_its_momentum)
{
    run("cairn: 1\ngravity: none\n"
        "materials: {gum: {density: 1000, model: neo_hookean, young: 1e7, poisson: 0.3}}\n"
        "bodies: {disk: {mesh: {disk: {radius: 0.5, elements: quad4, size: 0.3}}, material: gum, "
        "spin: 2, velocity: [1, 0]}}\n"
        "stages: [{step: 2e-3, duration: 0.2, scheme: {newton_tol: 1e-9}}]\n");
    double speed[2] = {0.0}, turn = 0.0;
    for (int n = 0; n < last.node_count; n++) {
        speed[0] += last.v[2 * n] / last.node_count;
        speed[1] += last.v[2 * n + 1] / last.node_count;
        turn = fmax(turn, hypot(last.v[2 * n] - 1.0, last.v[2 * n + 1]));
    }
    CN_NEAR(speed[0], 1.0, 1e-2, "mean of nodes is not the mass centre");
    CN_NEAR(turn, 1.0, 2e-2, "rim speed of 2 rad/s at 0.5 m, but for its stretch");
}

// Shapes as pseudo-rigid bodies: area and place of a pentagon, pulled by a force shared by its
// nodes.
CN_TEST(a_polygon_is_pseudo_rigid)
{
    run("cairn: 1\ngravity: none\n"
        "materials: {gum: {density: 1000, model: linear, young: 1e5, poisson: 0.3}}\n"
        "bodies: {house: {shape: {polygon: {vertices: [[0, 0], [1, 0], [1, 1], [0.5, 1.5], [0, "
        "1]]}}, "
        "at: [3, 4], angle: 0.5, material: gum, pseudo_rigid: true, velocity: [1, 0]}}\n"
        "stages: [{step: 1e-2, duration: 0.5}]\n");
    CN_TRUE(last.deformable_count == 1 && last.node_count == 6);
    CN_NEAR(last.mass, 1250.0, 1e-9, "a square and a roof");
    for (int k = 0; k < 2 * last.node_count; k++) {
        CN_NEAR(last.x[k], last.X[k] + (k % 2 == 0 ? 0.5 : 0.0), 1e-12, "moved, not deformed");
    }
    CN_NEAR(last.x[2], 3.5 + cos(0.5), 1e-12, "corner (1, 0), turned and moved");
}

CN_TEST(a_wall_of_blocks_is_pseudo_rigid_in_space)
{
    run("cairn: 1\ndimension: 3\ngravity: [0, 0, -10]\n"
        "materials: {gum: {density: 1000, young: 1e6, poisson: 0}}\n"
        "solver: {accuracy: 1e-8}\n"
        "laws: {dry: {type: coulomb, friction: 0.5}}\n"
        "contacts: [{between: [any, any], law: dry}]\n"
        "bodies:\n"
        "  tower: {generate: {stack: {blocks: 3, block: [0.2, 0.2, 0.1]}}, material: gum, "
        "pseudo_rigid: true}\n"
        "  ground: {shape: {half_space: {}}, fixed: true}\n"
        "stages: [{step: 2e-2, duration: 1.0, scheme: {theta: 1}}]\n");
    CN_TRUE(last.deformable_count == 3);
    double low = 1.0, high = 0.0;
    for (int n = 0; n < last.node_count; n++) {
        low = fmin(low, last.x[3 * n + 2]);
        high = fmax(high, last.x[3 * n + 2]);
    }
    // The lowest block bears two blocks and the mean of itself: 2.5 x 1000 Pa on 1 MPa.
    CN_NEAR(high - low, 0.1 * (1.0 - 2.5e-3), 1e-7, "strain of its mean stress");
}

// Glue welds a pad to a rigid lug above and a weight below; the lug hangs from a pin. At rest the
// pin carries all, and the top of the pad all but the lug.
static double pin_force, top_force, weight_height;

static void keep_forces(void *context, const cn_world *w, int series_count, const char *const *name,
                        const double *series)
{
    (void)context, (void)w;
    for (int k = 0; k < series_count; k++) {
        pin_force = strcmp(name[k], "pin.fy") == 0 ? series[k] : pin_force;
        top_force = strcmp(name[k], "top.cy") == 0 ? series[k] : top_force;
        weight_height = strcmp(name[k], "low.y") == 0 ? series[k] : weight_height;
    }
}

CN_TEST(glue_and_a_joint_hold_a_mesh)
{
    const char *text =
        "cairn: 1\ngravity: [0, -10]\nsolver: {accuracy: 1e-8}\n"
        "materials: {gum: {density: 1000, young: 1e6, poisson: 0, rayleigh_mass: 60}}\n"
        "laws: {weld: {type: glue}}\ncontacts: [{between: [any, any], law: weld}]\nbodies:\n"
        "  pad: {mesh: {box: [0.4, 0.2], cells: [4, 2]}, at: [0, 0.1], material: gum}\n"
        "  lug: {shape: {box: [0.4, 0.05]}, at: [0, 0.225], mass: 5}\n"
        "  weight: {shape: {box: [0.4, 0.1]}, mass: 8, at: [0, -0.05]}\n"
        "joints:\n  pin: {between: [lug, world], ball: [0, 0.25]}\nobserve:\n"
        "  - {name: pin, joint: pin}\n  - {name: top, nodes: pad.top}\n  - {name: low, track: "
        "weight}\n"
        "stages: [{step: 5e-3, duration: 1.5}]\n";
    cn_scene *scene = NULL;
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    def.at_end = keep_forces;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    cn_scene_destroy(scene);
    CN_NEAR(pin_force, 930.0, 1e-4, "80 kg, 5 kg and 8 kg");
    CN_NEAR(top_force, 880.0, 1e-4, "all below the lug");
    double stretch = (1000.0 * 10.0 * 0.2 / 2.0 + 80.0 / 0.4) / 1e6; // weight, half of its own
    CN_NEAR(weight_height, -0.05 - 0.2 * stretch, 1e-7, "uniaxial: nu = 0");
}

CN_MAIN(CN_RUN(a_pulled_bar_has_the_strains_of_hooke);
        CN_RUN(a_driven_top_presses_a_block_in_space); CN_RUN(stages_hold_sets_and_let_them_go);
        CN_RUN(a_generated_wall_is_cut_into_bricks_of_eight_triangles);
        CN_RUN(a_spinning_disk_keeps_its_momentum); CN_RUN(a_polygon_is_pseudo_rigid);
        CN_RUN(glue_and_a_joint_hold_a_mesh); CN_RUN(a_wall_of_blocks_is_pseudo_rigid_in_space);)
