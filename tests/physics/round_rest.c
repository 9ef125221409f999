// Round bodies at rest on each other and on triangles: a nudge by 1e-10 changes neither which
// points carry them nor, visibly, how much each carries.
#include <math.h>

#include "block_mesh.h"
#include "scenes.h"
#include "test.h"

enum { SETTLE = 50, STEPS = 60, CONTACT_MAX = 128 };

static const double h = 1e-3, NUDGE = 1e-10; // s; rad
static const double UPRIGHT[4] = {1.0, 0.0, 0.0, 0.0};
static const double LYING[4] = {0.70710678118654752, 0.70710678118654752, 0.0, 0.0};   // z to -y
static const double CROSSED[4] = {0.70710678118654752, 0.0, 0.70710678118654752, 0.0}; // z to x

static cn_body_id add_solid(cn_world *w, const cn_solid_def *solid, double x, double z,
                            const double turn[4], unsigned fixed)
{
    cn_body_id id = 0;
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, solid},
                       .density = 1000.0,
                       .at = {x, 0.0, z},
                       .rotation = {turn[0], turn[1], turn[2], turn[3]},
                       .fixed = fixed};
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// Across y the slab is that wide.
static void add_triangles(cn_world *w, double width)
{
    static double point[3 * BLOCK_MESH_POINTS(10)];
    cn_solid_def solid = {.kind = CN_SOLID_SURFACE,
                          .point_count = block_mesh(4.0, width, 1.0, 10, point),
                          .point = point};
    add_solid(w, &solid, 0.0, -0.5, UPRIGHT, CN_FIXED_ALL);
}

// Between -1 and 1, the same on every machine.
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static void nudge(cn_world *w, cn_body_id id, uint64_t *state)
{
    cn_body_state s = scene_state(w, id);
    cn_quat q = {s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]};
    cn_quat by = {1.0, NUDGE * draw(state), NUDGE * draw(state), NUDGE * draw(state)};
    q = cn_quat_unit(cn_quat_mul(by, q));
    s.rotation[0] = q.w, s.rotation[1] = q.x, s.rotation[2] = q.y, s.rotation[3] = q.z;
    CN_DO(cn_body_set(w, id, &s, &test_error));
}

// Contacts that carry more than 1e-6 of the weight.
static int list_carrying(const cn_world *w, double weight, cn_contact list[CONTACT_MAX])
{
    cn_view view = cn_world_view(w);
    int count = 0;
    for (int k = 0; k < view.contact_count && count < CONTACT_MAX; k++) {
        if (view.contact[k].r[0] > 1e-6 * weight * h) {
            list[count++] = view.contact[k];
        }
    }
    return count;
}

static double change_between(const cn_contact *a, int a_count, const cn_contact *b, int b_count)
{
    double most = 0.0;
    for (int k = 0; k < a_count; k++) {
        double least = INFINITY;
        for (int m = 0; m < b_count; m++) {
            bool is_same = a[k].pair == b[m].pair && a[k].feature == b[m].feature;
            least = is_same ? fabs(a[k].r[0] - b[m].r[0]) : least;
        }
        most = fmax(most, least);
    }
    return a_count == b_count ? most : INFINITY;
}

// Whatever has more points than equations is not nudged: how they share the load is a matter of
// history.
static void check_rest(cn_world *w, cn_body_id id, bool is_nudged)
{
    uint64_t state = 9;
    CN_TRUE(scene_run(w, h, SETTLE) == 0);
    double weight = 9.81 * scene_state(w, id).mass, z = scene_state(w, id).position[2];
    cn_contact before[CONTACT_MAX], after[CONTACT_MAX];
    int before_count = list_carrying(w, weight, before);
    CN_TRUE(before_count > 1);
    for (int k = 0; k < STEPS; k++) {
        if (is_nudged) {
            nudge(w, id, &state);
        }
        CN_TRUE(scene_run(w, h, 1) == 0);
        int after_count = list_carrying(w, weight, after);
        double change = change_between(before, before_count, after, after_count);
        CN_NEAR(change / (weight * h), 0.0, 1e-3,
                "a gap of 1e-10 m takes 1e-5 of what gravity closes in a step");
        before_count = after_count;
        for (int m = 0; m < after_count; m++) {
            before[m] = after[m];
        }
    }
    CN_NEAR(scene_state(w, id).position[2], z, 1e-8, "it stays; nudges add up to 1e-9");
    cn_world_destroy(w);
}

static const cn_solid_def LOG = {.kind = CN_SOLID_CYLINDER, .radius = 0.2, .length = 0.6};
CN_TEST(a_cylinder_lies_and_stands)
{
    for (int k = 0; k < 4; k++) {
        cn_world *w = scene_space(0.5, 0.0, 1e-10);
        if (k < 2) {
            scene_floor(w, 0.0);
        } else {
            add_triangles(w, 2.0);
        }
        bool is_lying = k % 2 == 0;
        cn_body_id id =
            add_solid(w, &LOG, 0.0, is_lying ? 0.2 : 0.3, is_lying ? LYING : UPRIGHT, 0u);
        check_rest(w, id, is_lying);
    }
}

// It touches the borders of the triangles, between its ends.
CN_TEST(a_cylinder_lies_on_a_narrow_surface)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    add_triangles(w, 0.5);
    check_rest(w, add_solid(w, &LOG, 0.0, 0.2, LYING, 0u), true);
}

// Across the end of another one that stands: on the ends of a chord.
CN_TEST(a_cylinder_lies_on_a_standing_one)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    const cn_solid_def post = {.kind = CN_SOLID_CYLINDER, .radius = 0.25, .length = 1.0};
    add_solid(w, &post, 0.1, -0.5, UPRIGHT, CN_FIXED_ALL);
    check_rest(w, add_solid(w, &LOG, 0.0, 0.2, LYING, 0u), true);
}

// Across two others, or in the groove between them.
CN_TEST(rods_lie_on_rods)
{
    const double r = 0.2, apart = 0.25, up = sqrt(4.0 * r * r - apart * apart);
    for (int k = 0; k < 4; k++) {
        cn_solid_kind kind = k < 2 ? CN_SOLID_CYLINDER : CN_SOLID_CAPSULE;
        const cn_solid_def rail = {.kind = kind, .radius = r, .length = 1.0};
        const cn_solid_def rod = {.kind = kind, .radius = r, .length = 0.8};
        cn_world *w = scene_space(0.5, 0.0, 1e-10);
        add_solid(w, &rail, -apart, 0.0, LYING, CN_FIXED_ALL);
        add_solid(w, &rail, apart, 0.0, LYING, CN_FIXED_ALL);
        bool is_crossed = k % 2 == 1;
        double z = is_crossed ? 2.0 * r : up;
        check_rest(w, add_solid(w, &rod, 0.0, z, is_crossed ? CROSSED : LYING, 0u), is_crossed);
    }
}

// A bar longer than the tube that it lies in rests on the lips.
CN_TEST(a_bar_lies_on_the_lips_of_a_tube)
{
    const double R = 0.5, width = 0.3;
    double corner[24];
    cn_box_corners(width, 0.2, 2.0, corner);
    const cn_solid_def bar = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    const cn_solid_def tube = {
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = R, .length = 1.0, .thickness = 0.05};
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    add_solid(w, &tube, 0.0, 0.0, LYING, CN_FIXED_ALL);
    double z = 0.1 - sqrt(R * R - 0.25 * width * width);
    check_rest(w, add_solid(w, &bar, 0.0, z, LYING, 0u), false);
}

CN_TEST(a_box_lies_on_triangles)
{
    double corner[24];
    cn_box_corners(0.8, 0.4, 0.2, corner); // its corners are over corners of triangles
    const cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    add_triangles(w, 2.0);
    check_rest(w, add_solid(w, &solid, 0.0, 0.1, UPRIGHT, 0u), true);
}

CN_MAIN(CN_RUN(a_cylinder_lies_and_stands); CN_RUN(a_cylinder_lies_on_a_narrow_surface);
        CN_RUN(a_cylinder_lies_on_a_standing_one); CN_RUN(rods_lie_on_rods);
        CN_RUN(a_bar_lies_on_the_lips_of_a_tube); CN_RUN(a_box_lies_on_triangles);)
