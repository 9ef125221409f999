// Exploded meshes: pieces that laws hold together move as the whole does, break at the energy of
// their facets, and do not collide where they hold.
#include <stdio.h>

#include "cairn/cairn.h"
#include "test.h"

// What a run ends with.
typedef struct ended {
    int bodies, bonds, pressed, missed; // points that hold; other contacts that push
    double fracture, error, area, reaction;
    char problem[400];
} ended;

static ended last;

static void keep(void *context, const cn_world *w, int series_count, const char *const *name,
                 const double *series)
{
    (void)context;
    cn_view view = cn_world_view(w);
    last.bodies = view.body_count;
    last.fracture = view.ledger->total[CN_ENERGY_FRACTURE];
    last.error = view.ledger->error_max;
    for (int a = 0; a < view.contact_count; a++) {
        int count = view.state_start[a + 1] - view.state_start[a];
        const double *state = view.state + view.state_start[a];
        bool holds = count > 5 && state[0] != 0.0 && state[1] < 1.0;
        last.bonds += holds ? 1 : 0;
        last.area += holds ? state[2] : 0.0;
        last.pressed += count > 5 && state[0] == 0.0 && view.contact[a].r[0] > 1e-12 ? 1 : 0;
    }
    for (int k = 0; k < series_count; k++) {
        last.reaction = strcmp(name[k], "top.ry") == 0 || strcmp(name[k], "top.rz") == 0
                            ? series[k]
                            : last.reaction;
    }
}

static void note(void *context, const char *line)
{
    (void)context;
    strncat(last.problem, line, sizeof last.problem - strlen(last.problem) - 1);
}

static bool run(const char *text)
{
    cn_scene *scene = NULL;
    cn_run_def def = cn_run_def_default();
    cn_run_report report = {0};
    last = (ended){0};
    def.at_end = keep;
    cn_status status = cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, note,
                                     NULL, &scene, &test_error);
    if (status == CN_OK) {
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
        last.missed = (int)report.nonconverged_steps;
    }
    cn_scene_destroy(scene);
    return status == CN_OK;
}

#define PLATE(mesh, stiffness, strength, energy, scheme, stage)                                    \
    "cairn: 1\ndimension: 2\ngravity: none\n"                                                      \
    "materials: {glass: {density: 2500, young: 1e9, poisson: 0, kinematics: small}}\n"             \
    "laws: {bond: {type: cohesive, shape: linear, stiffness: " stiffness ", strength: " strength   \
    ", energy: " energy "}}\n"                                                                     \
    "contacts: [{between: [any, any], law: bond}]\n"                                               \
    "bodies: {plate: {mesh: {box: [1, 1], elements: tri3, cells: [2, 2], crossed: true, " mesh     \
    "}, material: glass, fixed_sets: {bottom: [y], left: [x]}}}\n"                                 \
    "solver: {accuracy: 1e-6}\n"                                                                   \
    "observe: [{name: top, nodes: plate.top}]\n"                                                   \
    "stages: [{" scheme stage ", drive: {plate.top: {velocity: {y: 1e-3}}}}]\n"

// Sixteen triangles, pulled slowly: each is strained as the whole is, and the stiff facets between
// them add little. The stress is E times the strain of 1e-3.
CN_TEST(pieces_are_strained_like_the_whole)
{
    CN_TRUE(run(PLATE("explode: elements", "1e15", "1e9", "1e6",
                      "scheme: {theta: 1, quasi_static: true}, ", "step: 1, duration: 1")));
    CN_TRUE(last.bodies == 16 && last.missed == 0 && last.pressed == 0);
    CN_NEAR(last.reaction, 1e6, 1e6 * 1e-5, "facets of E/L times 1e6 give by less than 1e-5");
    CN_NEAR(last.area, 2.0 + 16.0 * 0.25 * sqrt(2.0), 1e-9, "two middles, sixteen half diagonals");
}

// Pulled apart in 2D and 3D: the energy is that of the cross section, all contacts that are left
// are bonds, and the ledger closes.
CN_TEST(a_block_breaks_at_the_energy_of_its_section)
{
    static const char *const text[2] = {
        "cairn: 1\ndimension: 2\ngravity: none\nmaterials: {m: {density: 1000, young: 1e7, "
        "poisson: 0}}\nlaws: {bond: {type: cohesive, shape: linear, stiffness: 1e9, strength: 1e4, "
        "energy: 1}}\ncontacts: [{between: [any, any], law: bond}]\nbodies: {plate: {mesh: {box: "
        "[1, 1], elements: quad4, cells: [2, 2], explode: elements}, material: m, fixed_sets: "
        "{bottom: true}}}\nsolver: {accuracy: 1e-4}\nobserve: [{name: top, nodes: plate.top}]\n"
        "stages: [{step: 5e-5, duration: 0.04, drive: {plate.top: {velocity: {x: 0, y: 0.04}}}}]\n",
        "cairn: 1\ndimension: 3\ngravity: none\nmaterials: {m: {density: 1000, young: 1e7, "
        "poisson: 0}}\nlaws: {bond: {type: cohesive, shape: linear, stiffness: 1e9, strength: 1e4, "
        "energy: 1}}\ncontacts: [{between: [any, any], law: bond}]\nbodies: {plate: {mesh: {box: "
        "[1, 1, 1], elements: hex8, cells: [2, 1, 2], explode: elements}, material: m, "
        "fixed_sets: {bottom: true}}}\nsolver: {accuracy: 1e-4}\nobserve: [{name: top, nodes: "
        "plate.top}]\nstages: [{step: 5e-5, duration: 0.04, drive: {plate.top: {velocity: {x: 0, "
        "y: 0, z: 0.04}}}}]\n"};
    for (int k = 0; k < 2; k++) {
        CN_TRUE(run(text[k]));
        CN_TRUE(last.bodies == 4 && last.missed == 0 && last.pressed == 0);
        CN_NEAR(last.fracture, 1.0, 1e-6,
                "one section of 1 m2 of 1 J/m2; what the other facets "
                "lost before is within 1e-6");
        CN_NEAR(last.area, 1.0, 1e-9, "the upright section holds");
        CN_NEAR(last.error, 0.0, 1e-10, "it closes");
    }
}

// A stress on the top acts on the pieces that have sides there; those that have a corner there are
// left out. What holds the bottom bears all of it.
CN_TEST(a_force_per_area_acts_on_the_sides_of_pieces)
{
    static const char *const load[2] = {"y: 1e6, per: area", "pressure: -1e6"};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "cairn: 1\ndimension: 2\ngravity: none\n"
                 "materials: {glass: {density: 2500, young: 1e9, poisson: 0, kinematics: small}}\n"
                 "laws: {bond: {type: cohesive, shape: linear, stiffness: 1e15, strength: 1e9, "
                 "energy: 1e6}}\ncontacts: [{between: [any, any], law: bond}]\n"
                 "bodies: {plate: {mesh: {box: [1, 1], elements: tri3, cells: [2, 2], crossed: "
                 "true, explode: elements}, material: glass, fixed_sets: {bottom: [y], left: "
                 "[x]}}}\nsolver: {accuracy: 1e-6}\n"
                 "observe: [{name: top, nodes: plate.bottom}]\n"
                 "stages: [{scheme: {theta: 1, quasi_static: true}, step: 1, duration: 1, force: "
                 "{plate.top: {%s}}}]\n",
                 load[k]);
        CN_TRUE(run(text));
        CN_TRUE(last.bodies == 16 && last.missed == 0);
        CN_NEAR(fabs(last.reaction), 1e6, 1.0, "1 MPa on 1 m2");
    }
}

// Pieces by sets and by materials; laws between materials.
CN_TEST(sets_and_materials_make_pieces)
{
    CN_TRUE(run(PLATE("sets: {upper: {from: [-1, 0], to: [1, 1]}}, explode: sets", "1e13", "1e9",
                      "1e6", "", "step: 1e-6, duration: 1e-6")));
    CN_TRUE(last.bodies == 2 && last.bonds == 5);
    CN_NEAR(last.area, 1.0, 1e-12, "one section");
}

CN_TEST(what_cannot_be_exploded_is_refused)
{
    CN_TRUE(!run(PLATE("explode: sets", "1e13", "1e9", "1e6", "", "step: 1e-6, duration: 1e-6")));
    CN_TRUE(strstr(last.problem, "there are none") != NULL);
    CN_TRUE(
        !run(PLATE("explode: materials", "1e13", "1e9", "1e6", "", "step: 1e-6, duration: 1e-6")));
    CN_TRUE(strstr(last.problem, "one material") != NULL);
    CN_TRUE(!run(PLATE("explode: elements, mid_face: true", "1e13", "1e9", "1e6", "",
                       "step: 1e-6, duration: 1e-6")));
    CN_TRUE(strstr(last.problem, "'plate' cannot be exploded") != NULL);
}

CN_MAIN(CN_RUN(pieces_are_strained_like_the_whole);
        CN_RUN(a_block_breaks_at_the_energy_of_its_section); CN_RUN(sets_and_materials_make_pieces);
        CN_RUN(what_cannot_be_exploded_is_refused);
        CN_RUN(a_force_per_area_acts_on_the_sides_of_pieces);)
