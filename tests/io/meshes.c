// Deformable bodies in result files: what was computed is what is read, also after a restart.
#include "cairn/cairn.h"
#include "files.h"
#include "test.h"

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static void run(const char *text, const cn_run_def *def)
{
    cn_scene *scene = NULL;
    cn_run_report report;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    if (scene != NULL) {
        CN_DO(cn_scene_run(scene, def, &report, &test_error));
    }
    cn_scene_destroy(scene);
}

#define BAR(output)                                                                                \
    "cairn: 1\ngravity: none\n"                                                                    \
    "materials: {steel: {density: 7800, young: 2e5, poisson: 0.25, plane: stress}}\n"              \
    "bodies:\n"                                                                                    \
    "  post: {shape: {disk: 0.1}, at: [9, 9], fixed: true}\n"                                      \
    "  bar: {mesh: {box: [2, 1], cells: [2, 1], elements: quad8}, material: steel, at: [4, 0], "   \
    "fixed_sets: {left: [x], bottom: [y]}}\n"                                                      \
    "stages: [{step: 0.5, duration: 1, scheme: {theta: 1, quasi_static: true}, "                   \
    "force: {bar.right: {x: 100, per: area}}}]\n" output

// Pulled by 100 Pa: stress 100 everywhere, the right side at 5 + 2 * 100/2e5.
CN_TEST(nodes_elements_and_stresses_are_read_back)
{
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    cn_frame frame;
    cn_mesh_def mesh;
    def.result_path = files_path("bar.h5");
    run(BAR("output: {every: 0.5}\n"), &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_TRUE(!cn_reader_mesh(reader, 1, &mesh));
    CN_TRUE(cn_reader_mesh(reader, 2, &mesh));
    CN_TRUE(mesh.dim == 2 && mesh.element_count == 2 && mesh.node_count == 13);
    CN_TRUE(mesh.type[1] == CN_QUAD8 && mesh.element_start[2] == 16);
    CN_DO(cn_reader_frame(reader, -1, &frame, &test_error));
    CN_TRUE(frame.mesh_count == 1 && frame.mesh[0].body == 1 && frame.mesh[0].node_count == 13);
    for (int n = 0; n < 13 && frame.mesh_count == 1; n++) {
        double x = frame.mesh[0].x[2 * n], X = mesh.node[2 * n];
        CN_NEAR(x - X, (X - 3.0) * 100.0 / 2e5, 1e-12, "a constant strain is exact");
        CN_NEAR(frame.mesh[0].stress[6 * n], 100.0, 1e-8, "and so is its stress");
        CN_NEAR(cn_stress_mises(frame.mesh[0].stress + 6 * n), 100.0, 1e-8,
                "tension along x alone");
    }
    cn_reader_close(reader);
}

// A gum block on the ground, at rest: forces on its nodes carry its weight; the moment tensor of
// these is its mean stress, of which that of a rigid block beside it is the same.
#define BLOCKS(solver)                                                                             \
    "cairn: 1\ngravity: [0, -10]\n"                                                                \
    "materials: {gum: {density: 1000, young: 1e6, poisson: 0.3, rayleigh_mass: 60}, "              \
    "stone: {density: 1000}}\n"                                                                    \
    "laws: {dry: {type: coulomb, friction: 0}}\ncontacts: [{between: [any, any], law: dry}]\n"     \
    "bodies:\n"                                                                                    \
    "  ground: {shape: half_plane, fixed: true}\n"                                                 \
    "  gum: {mesh: {box: [0.4, 0.2], cells: [4, 2], elements: quad4}, material: gum, "             \
    "at: [0, 0.1]}\n"                                                                              \
    "  stone: {shape: {box: [0.4, 0.2]}, material: stone, at: [2, 0.1]}\n"                         \
    "stages: [{step: 5e-3, duration: 2}]\nobserve:\n"                                              \
    "  - {name: foot, nodes: gum.bottom}\n  - {name: all, nodes: gum}\n"                           \
    "output: {every: 1}\nsolver: {accuracy: " solver "}\n"

CN_TEST(moments_of_forces_are_mean_stresses)
{
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    cn_frame f;
    def.result_path = files_path("blocks.h5");
    run(BLOCKS("1e-9"), &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_DO(cn_reader_frame(reader, -1, &f, &test_error));
    double M[27], weight = 0.0;
    const cn_frame_mesh *gum = &f.mesh[0];
    CN_TRUE(f.mesh_count == 1 && f.body_count == 3 && gum->r != NULL && gum->strain != NULL);
    cn_frame_moments(&f, M);
    for (int n = 0; n < gum->node_count; n++) {
        weight += gum->r[2 * n + 1];
    }
    const double pressure = 1000.0 * 10.0 * 0.1; // at half height
    CN_NEAR(weight, 800.0, 1e-5, "its weight, at rest");
    CN_NEAR(gum->volume, 0.08, 1e-15, "small strain: that at rest");
    CN_NEAR(gum->mean[1], -pressure, 1e-4 * pressure, "half its weight per area");
    const double sunk = 0.1 - f.q[3 * 1 + 1]; // small strains do not see that arms shorten
    CN_NEAR(M[9 * 1 + 4] / gum->volume, gum->mean[1] * (1.0 - sunk / 0.1), 1e-4 * pressure,
            "both mean stresses");
    CN_NEAR(gum->mean[0], 0.0, 1e-4 * pressure, "smooth ground, free sides");
    CN_NEAR(M[9 * 2 + 4] / 0.08, -pressure, 1e-6 * pressure, "the rigid block");
    cn_column foot, lift;
    CN_DO(cn_reader_column(reader, "series/foot.cy", &foot, &test_error));
    CN_NEAR(foot.value[foot.count - 1], 800.0, 1e-5, "contacts at the foot carry all");
    CN_DO(cn_reader_column(reader, "series/all.uy", &lift, &test_error));
    double sum = 0.0;
    cn_mesh_def mesh;
    CN_TRUE(cn_reader_mesh(reader, 2, &mesh));
    for (int n = 0; n < gum->node_count; n++) {
        sum += (gum->x[2 * n + 1] - mesh.node[2 * n + 1]) / gum->node_count;
    }
    CN_NEAR(lift.value[lift.count - 1], sum, 1e-15, "mean of all nodes");
    cn_reader_close(reader);
}

static int count_of(cn_reader *a, cn_reader *b, double rtol)
{
    int differences = -1;
    CN_DO(cn_result_compare(a, b, rtol, NULL, NULL, &differences, &test_error));
    return differences;
}

// Nodes are compared, and printed.
CN_TEST(nodes_are_compared_and_printed)
{
    cn_run_def def = cn_run_def_default();
    cn_reader *a = NULL, *b = NULL;
    def.result_path = files_path("bar.h5");
    run(BAR("output: {every: 0.5}\n"), &def);
    CN_DO(cn_reader_open(files_path("bar.h5"), &a, &test_error));
    CN_TRUE(count_of(a, a, 0.0) == 0);
    def.result_path = files_path("softer.h5");
    char softer[1000] = BAR("output: {every: 0.5}\n"), *young = strstr(softer, "2e5");
    young[0] = '1';
    run(softer, &def);
    CN_DO(cn_reader_open(def.result_path, &b, &test_error));
    CN_TRUE(count_of(a, b, 1e-6) >= 2); // positions and strains of nodes at least
    cn_reader_close(b);
    CN_DO(cn_export_csv(a, files_path("csv"), NULL, NULL, &test_error));
    size_t size = 0;
    char *text = files_read(files_path("csv/nodes.csv"), &size);
    const char *head = "frame,step,time,id,node,X,Y,x,y,ux,uy,vx,vy,fx,fy,sxx,";
    CN_TRUE(text != NULL && strncmp(text, head, strlen(head)) == 0);
    const char *last = text != NULL ? strstr(text, "\n2,2,1,2,0,") : NULL;
    double v[26] = {0};
    for (int k = 0; last != NULL && k < 26; k++) { // of node 0: X at 0, stresses from 10 on
        last = k == 0 ? last + 11 : strchr(last, ',') + 1;
        v[k] = atof(last);
    }
    CN_NEAR(v[0], 3.0, 1e-15, "left end");
    CN_NEAR(v[10], 100.0, 1e-8, "sxx");
    CN_NEAR(v[16], 100.0, 1e-8, "largest principal stress");
    CN_NEAR(v[19], 100.0, 1e-8, "von Mises");
    CN_NEAR(v[20], 100.0 / 2e5, 1e-12, "exx");
    free(text);
    cn_reader_close(a);
}

static void hear(void *context, const char *line)
{
    snprintf(context, 200, "%s", line);
}

// Cells with their fields, as ParaView takes them.
CN_TEST(meshes_are_exported_as_cells)
{
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    char told[200] = "", path[200], head[4000] = "";
    def.result_path = files_path("cells.h5");
    run(BAR("output: {every: 0.5}\n"), &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_DO(cn_export_paraview(reader, files_path("cells"), hear, told, &test_error));
    CN_TRUE(strstr(told, "meshes.pvd") != NULL);
    snprintf(path, sizeof path, "%s/meshes_0002.vtu", files_path("cells"));
    FILE *file = fopen(path, "r");
    CN_TRUE(file != NULL && fread(head, 1, sizeof head - 1, file) > 1000);
    CN_TRUE(strstr(head, "<UnstructuredGrid>") != NULL);
    CN_TRUE(strstr(head, "<Piece NumberOfPoints=\"13\" NumberOfCells=\"2\">") != NULL);
    CN_TRUE(strstr(head, "Name=\"mises\"") != NULL);
    if (file != NULL) {
        fclose(file);
    }
    cn_reader_close(reader);
}

CN_TEST(stresses_are_left_out_if_not_asked_for)
{
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    cn_frame frame;
    def.result_path = files_path("bare.h5");
    run(BAR("output: {every: 0.5, fields: [displacement]}\n"), &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_DO(cn_reader_frame(reader, -1, &frame, &test_error));
    CN_TRUE(frame.mesh_count == 1 && frame.mesh[0].stress == NULL && frame.mesh[0].x != NULL);
    cn_reader_close(reader);
}

// A bouncing disk, interrupted in the middle, gives the same frames as one that was not.
CN_TEST(a_restarted_run_has_the_same_nodes)
{
    const char *text =
        "cairn: 1\nmaterials: {gum: {density: 1000, model: neo_hookean, young: 1e5, poisson: "
        "0.3}}\nlaws: {dry: {type: coulomb, friction: 0.5}}\n"
        "contacts: [{between: [any, any], law: dry}]\nbodies:\n"
        "  ground: {shape: half_plane, fixed: true}\n"
        "  disk: {mesh: {disk: 0.5, size: 0.4}, material: gum, at: [0, 0.52], spin: 2}\n"
        "stages: [{step: 2e-3, duration: 0.2, scheme: {newton_tol: 1e-9}}]\noutput: {every: "
        "0.02}\n";
    cn_run_def whole = cn_run_def_default(), first = whole, second = whole;
    whole.result_path = files_path("whole.h5");
    run(text, &whole);
    first.result_path = second.result_path = files_path("parts.h5");
    first.checkpoint_path = second.checkpoint_path = second.restart_path =
        files_path("parts.ckpt.h5");
    first.until = 0.1;
    run(text, &first);
    run(text, &second);
    cn_reader *a = NULL, *b = NULL;
    CN_DO(cn_reader_open(whole.result_path, &a, &test_error));
    CN_DO(cn_reader_open(second.result_path, &b, &test_error));
    CN_TRUE(cn_reader_summary(a)->frames == cn_reader_summary(b)->frames);
    CN_TRUE(cn_reader_summary(a)->state_hash == cn_reader_summary(b)->state_hash);
    for (int k = 0; k < cn_reader_summary(a)->frames; k++) {
        cn_frame at_a, at_b;
        CN_DO(cn_reader_frame(a, k, &at_a, &test_error));
        CN_DO(cn_reader_frame(b, k, &at_b, &test_error));
        size_t bytes = 2 * sizeof(double) * (size_t)at_a.mesh[0].node_count;
        CN_TRUE(memcmp(at_a.mesh[0].x, at_b.mesh[0].x, bytes) == 0);
        CN_TRUE(memcmp(at_a.mesh[0].v, at_b.mesh[0].v, bytes) == 0);
        CN_TRUE(memcmp(at_a.mesh[0].stress, at_b.mesh[0].stress, 3 * bytes) == 0);
    }
    cn_reader_close(a);
    cn_reader_close(b);
}

// Two bars of a file in a row, called like materials, the second twice as stiff: pulled by 100 Pa
// they strain by 1e-3 and 5e-4.
CN_TEST(groups_of_a_file_are_materials_and_sets)
{
    const char *msh =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"foot\"\n1 2 \"hand\"\n"
        "2 1 \"soft\"\n2 2 \"stiff\"\n$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n"
        "4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n$Elements\n4\n1 1 2 1 1 4 1\n2 1 2 2 1 3 6\n"
        "3 3 2 1 1 1 2 5 4\n4 3 2 2 1 2 3 6 5\n$EndElements\n";
    char text[1000];
    FILE *file = fopen(files_path("part.msh"), "w");
    fputs(msh, file);
    fclose(file);
    snprintf(text, sizeof text,
             "cairn: 1\ngravity: none\nmaterials:\n"
             "  soft: {density: 1, young: 1e5, poisson: 0, plane: stress}\n"
             "  stiff: {density: 1, young: 2e5, poisson: 0, plane: stress}\n"
             "bodies: {bar: {mesh: {file: %s, scale: 0.5}, fixed_sets: {foot: true}}}\n"
             "stages: [{step: 1, duration: 1, scheme: {theta: 1, quasi_static: true}, "
             "force: {bar.hand: {x: 100, per: area}}}]\n",
             files_path("part.msh"));
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    cn_frame frame;
    def.result_path = files_path("part.h5");
    run(text, &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_DO(cn_reader_frame(reader, -1, &frame, &test_error));
    CN_NEAR(frame.mesh[0].x[2], 0.5 + 0.5e-3, 1e-13, "the soft half, 0.5 m long");
    CN_NEAR(frame.mesh[0].x[4], 1.0 + 0.75e-3, 1e-13, "and the stiff one behind it");
    cn_reader_close(reader);
}

static void keep_problem(void *context, const char *line)
{
    char *kept = context;
    snprintf(kept + strlen(kept), 2000 - strlen(kept), "%s\n", line);
}

// What is wrong with a scene, when it is read or run; empty if nothing is.
static const char *problem_of(const char *text)
{
    static char kept[2000];
    cn_scene *scene = NULL;
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    cn_error err = {0};
    kept[0] = '\0';
    if (cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, keep_problem, kept,
                      &scene, &err) == CN_OK &&
        cn_scene_run(scene, &def, &report, &err) != CN_OK) {
        keep_problem(kept, err.text);
    }
    cn_scene_destroy(scene);
    return kept;
}

// Two points of a file hold a square under gravity; a group that nothing belongs to holds nothing,
// and whoever names it is told.
CN_TEST(groups_of_points_hold_their_nodes)
{
    const char *msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 1 \"pins\"\n"
                      "1 2 \"nobody\"\n2 1 \"gum\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n"
                      "2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n3\n1 15 2 1 1 1\n"
                      "2 15 2 1 2 2\n3 3 2 1 1 1 2 3 4\n$EndElements\n";
    FILE *file = fopen(files_path("points.msh"), "w");
    fputs(msh, file);
    fclose(file);
#define SQUARE                                                                                     \
    "cairn: 1\ngravity: [0, -10]\nmaterials: {gum: {density: 1, young: 1e5, poisson: 0}}\n"        \
    "bodies: {b: {mesh: {file: %s}, fixed_sets: {%s: true}}}\n"                                    \
    "stages: [{step: 0.01, duration: 0.1%s}]\nobserve: [{name: n, nodes: b.%s}]\n"
    static const struct {
        const char *held, *load, *seen, *said;
    } scene[] = {{"pins", "", "pins", NULL},
                 {"nobody", "", "pins", "'nobody'"},
                 {"pins", ", drive: {b.nobody: {velocity: {x: 1}}}", "pins", "'nobody'"},
                 {"pins", ", force: {b.nobody: {x: 1}}", "pins", "'nobody'"},
                 {"pins", ", fix: {b.nobody: true}", "pins", "'nobody'"},
                 {"pins", "", "nobody", "'nobody'"},
                 {"pins", ", force: {b.pins: {pressure: 1}}", "pins", "no sides"}};
    for (size_t k = 0; k < sizeof scene / sizeof *scene; k++) {
        char text[10000];
        snprintf(text, sizeof text, SQUARE, files_path("points.msh"), scene[k].held, scene[k].load,
                 scene[k].seen);
        const char *problem = problem_of(text);
        CN_TRUE(scene[k].said == NULL ? problem[0] == '\0'
                                      : strstr(problem, scene[k].said) != NULL);
    }
    char text[10000];
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    cn_frame frame;
    def.result_path = files_path("points.h5");
    snprintf(text, sizeof text, SQUARE, files_path("points.msh"), "pins", "", "pins");
    run(text, &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    CN_DO(cn_reader_frame(reader, -1, &frame, &test_error));
    CN_TRUE(frame.mesh[0].x[0] == 0.0 && frame.mesh[0].x[1] == 0.0);
    CN_TRUE(frame.mesh[0].x[2] == 1.0 && frame.mesh[0].x[3] == 0.0);
    cn_reader_close(reader);
}

// A block of four cells on the ground, under 50 Pa: the pressure is 50 Pa at all its nodes, ends as
// well, whose share is half as wide. A curve beside it goes to the same file.
CN_TEST(pressures_are_forces_over_their_share)
{
    const char *text =
        "cairn: 1\ngravity: none\nsolver: {accuracy: 1e-10}\n"
        "materials: {gum: {density: 1, young: 1e4, poisson: 0}}\n"
        "laws: {dry: {type: coulomb, friction: 0}}\n"
        "contacts: [{between: [any, any], law: dry}]\nbodies:\n"
        "  ground: {shape: half_plane, fixed: true}\n"
        "  block: {mesh: {box: [2, 1], cells: [4, 2]}, material: gum, at: [0, 0.5]}\n"
        "stages: [{step: 0.5, duration: 10, scheme: {theta: 1}, "
        "force: {block.top: {y: -50, per: area}}}]\n";
    cn_run_def def = cn_run_def_default();
    cn_reader *reader = NULL;
    def.result_path = files_path("pressed.h5");
    run(text, &def);
    CN_DO(cn_reader_open(def.result_path, &reader, &test_error));
    FILE *paper = fopen(files_path("paper.csv"), "w");
    CN_TRUE(paper != NULL && fputs("x,paper\n-1,50\n1,50\n", paper) > 0 && fclose(paper) == 0);
    cn_plot_def plot = cn_plot_def_default("pressure");
    plot.body = "ground";
    plot.beside = files_path("paper.csv");
    CN_DO(cn_plot(reader, &plot, files_path("pressed.csv"), &test_error));
    FILE *file = fopen(files_path("pressed.csv"), "r");
    double at, pressure;
    int count = 0, beside = 0;
    char line[200];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "block,%lf,%lf", &at, &pressure) == 2) {
            CN_NEAR(at, -1.0 + 0.5 * count++, 1e-9, "nodes in order, which do not move aside");
            CN_NEAR(pressure, 50.0, 1e-4,
                    "residual of the contacts, a velocity, times stiffness and step");
        }
        beside += strncmp(line, "paper,", 6) == 0;
    }
    CN_TRUE(count == 5 && beside == 2);
    if (file != NULL) {
        fclose(file);
    }
    plot.body = "sky";
    CN_FAILS(cn_plot(reader, &plot, files_path("sky.csv"), &test_error), CN_BAD_INPUT, "sky");
    cn_reader_close(reader);
}

CN_MAIN(CN_RUN(pressures_are_forces_over_their_share);
        CN_RUN(groups_of_a_file_are_materials_and_sets); CN_RUN(groups_of_points_hold_their_nodes);
        CN_RUN(nodes_elements_and_stresses_are_read_back);
        CN_RUN(moments_of_forces_are_mean_stresses); CN_RUN(nodes_are_compared_and_printed);
        CN_RUN(meshes_are_exported_as_cells); CN_RUN(stresses_are_left_out_if_not_asked_for);
        CN_RUN(a_restarted_run_has_the_same_nodes); files_remove();)
