// unit/picture_seams.c -- joints that open: how far, where they are painted, which are left out.
#include "base/memory.h"
#include "picture/render.h"
#include "test.h"

enum { SIZE = 240 };

// Block 2 of 1 m lies on block 1, which is fixed; they touch at the corners of a face.
typedef struct pair {
    int dim;
    cn_shape_def shape;
    cn_solid_def solid;
    double vertex[8], point[24], q[14], v[12];
    cn_body_id id[2];
    int group[2], seam_count;
    cn_contact contact[4];
    cn_seam_point *seam;
    cn_picture_frame frame;
} pair;

static const cn_shape_def *shapes_of(const void *context, cn_body_id id, int *count)
{
    (void)id;
    *count = 1;
    return &((const pair *)context)->shape;
}

static const cn_solid_def *solids_of(const void *context, cn_body_id id, int *count)
{
    (void)id;
    *count = 1;
    return &((const pair *)context)->solid;
}

static bool is_fixed(const void *context, cn_body_id id)
{
    return id == ((const pair *)context)->id[0];
}

// `gap` is there from the start.
static void make_pair(pair *p, int dim, double gap)
{
    *p = (pair){.dim = dim, .id = {1, 2}};
    cn_box_vertices(1.0, 1.0, p->vertex);
    cn_box_corners(1.0, 1.0, 1.0, p->point);
    p->shape = (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = p->vertex};
    p->solid = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = p->point};
    int size = dim == 3 ? 7 : 3, up = dim - 1;
    p->q[3] = p->q[10] = dim == 3 ? 1.0 : 0.0;
    p->q[size + up] = 1.0 + gap;
    for (int k = 0; k < 4; k++) {
        cn_contact *c = &p->contact[k];
        *c = (cn_contact){.i = 1, .j = 0, .pair = 7, .feature = (uint64_t)k, .gap = gap};
        c->point[0] = k % 2 ? 0.5 : -0.5;
        c->point[1] = dim == 3 ? (k / 2 ? 0.5 : -0.5) : 0.5 + 0.5 * gap;
        c->point[2] = dim == 3 ? 0.5 + 0.5 * gap : 0.0;
        c->normal[up] = 1.0;
    }
    p->frame = (cn_picture_frame){.context = p, .shapes = shapes_of, .is_fixed = is_fixed};
    p->frame.solids = dim == 3 ? solids_of : NULL;
    p->frame.state = (cn_frame){.dim = dim,
                                .q_size = size,
                                .v_size = dim == 3 ? 6 : 3,
                                .body_count = 2,
                                .id = p->id,
                                .group = p->group,
                                .q = p->q,
                                .v = p->v,
                                .contact_count = dim == 3 ? 4 : 2,
                                .contact = p->contact};
    CN_DO(cn_seams_take(&p->frame.state, &p->seam, &p->seam_count, &test_error));
    p->frame.seam_point = p->seam;
    p->frame.seam_point_count = p->seam_count;
    p->frame.state.contact_count = 0; // contacts of later frames do not matter
}

// Tilts the upper block about its lower left edge x = -1/2.
static void tilt(pair *p, double angle)
{
    double c = cos(angle), s = sin(angle), x = -0.5 + 0.5 * c - 0.5 * s,
           up = 0.5 + 0.5 * s + 0.5 * c;
    if (p->dim == 2) {
        p->q[3] = x;
        p->q[4] = up;
        p->q[5] = angle;
    } else {
        p->q[7] = x;
        p->q[9] = up;
        p->q[10] = cos(0.5 * angle); // about -y
        p->q[12] = -sin(0.5 * angle);
    }
}

static double largest_opening(pair *p)
{
    cn_render_def def = cn_render_def_default();
    cn_render_range range = {0};
    def.paint = CN_PAINT_OPENING;
    CN_DO(cn_frame_measure(&p->frame, &def, &range, &test_error));
    return range.value_max;
}

// Pixels that are dark blue (the widest) and pale yellow (the hinge) in a picture without legend.
static void count_colours(pair *p, int *blue, int *yellow)
{
    cn_render_def def = cn_render_def_default();
    def.width = def.height = SIZE;
    def.with_legend = false;
    def.paint = CN_PAINT_OPENING;
    def.azimuth = -0.5 * CN_PI;
    cn_canvas c;
    CN_DO(cn_frame_draw(&p->frame, &def, &c, &test_error));
    *blue = *yellow = 0;
    for (int k = 0; k < c.width * c.height; k++) {
        const float *pixel = c.pixel + 3 * k;
        *blue += pixel[2] > pixel[0] + 0.25f;
        *yellow += pixel[0] > pixel[2] + 0.1f;
    }
    cn_canvas_destroy(&c);
}

// The two faces meet the bisecting plane at half the angle: the far ends are 2 sin(angle/2) apart.
CN_TEST(hinge_opens_by_its_chord)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 1; k < 4; k++) {
            pair p;
            make_pair(&p, dim, 0.0);
            CN_NEAR(largest_opening(&p), 0.0, 0.0, "nothing has moved");
            tilt(&p, 0.1 * k);
            CN_NEAR(largest_opening(&p), 2.0 * sin(0.05 * k), 1e-12, "rounding");
            cn_release(NULL, p.seam);
        }
    }
}

static int second_state(const void *context, int law)
{
    (void)context;
    return law == 0 ? 1 : -1;
}

static double largest_damage(const cn_picture_frame *frame)
{
    cn_render_def def = cn_render_def_default();
    cn_render_range range = {0};
    def.paint = CN_PAINT_DAMAGE;
    CN_DO(cn_frame_measure(frame, &def, &range, &test_error));
    return range.value_max;
}

// Points of a bond tell its damage; where there is none any more it is 1, but for frame 0, which
// has no bonds yet, and laws without damage.
CN_TEST(damage_is_that_of_the_points_of_a_bond)
{
    for (int dim = 2; dim <= 3; dim++) {
        pair p;
        make_pair(&p, dim, 0.0);
        const int start[] = {0, 2, 4, 6, 8};
        double state[] = {1.0, 0.25, 1.0, 0.5, 1.0, 0.25, 1.0, 0.5};
        p.frame.damage_of = second_state;
        p.frame.state.state_start = start;
        p.frame.state.state = state;
        CN_NEAR(largest_damage(&p.frame), 0.0, 0.0, "frame 0");
        p.frame.state.index = 1;
        CN_NEAR(largest_damage(&p.frame), 1.0, 0.0, "no point holds");
        p.frame.state.contact_count = dim == 3 ? 4 : 2;
        CN_NEAR(largest_damage(&p.frame), 0.5, 0.0, "the larger one");
        state[0] = state[2] = state[4] = state[6] = 0.0;
        CN_NEAR(largest_damage(&p.frame), 1.0, 0.0, "these are ordinary contacts");
        for (int k = 0; k < p.seam_count; k++) {
            p.seam[k].law = 1;
        }
        CN_NEAR(largest_damage(&p.frame), 0.0, 0.0, "a law that does not bond");
        cn_release(NULL, p.seam);
    }
}

CN_TEST(gap_at_the_start_counts)
{
    pair p;
    make_pair(&p, 3, 0.03);
    CN_NEAR(largest_opening(&p), 0.03, 1e-12, "rounding");
    p.q[9] += 0.02;
    CN_NEAR(largest_opening(&p), 0.05, 1e-12, "rounding");
    cn_release(NULL, p.seam);
}

CN_TEST(open_joints_are_painted_from_pale_to_dark)
{
    for (int dim = 2; dim <= 3; dim++) {
        pair p;
        int blue, yellow;
        make_pair(&p, dim, 0.0);
        count_colours(&p, &blue, &yellow);
        CN_NEAR(blue + yellow, 0.0, 0.0, "closed joints are not painted");
        tilt(&p, 0.2);
        count_colours(&p, &blue, &yellow);
        CN_TRUE(blue > 10);
        CN_TRUE(yellow > 10);
        cn_release(NULL, p.seam);
    }
}

// A joint that has parted by more than half a block, or whose body is gone, is none any more.
CN_TEST(parted_bodies_have_no_joint)
{
    pair p;
    make_pair(&p, 3, 0.0);
    p.q[9] += 0.6;
    CN_NEAR(largest_opening(&p), 0.0, 0.0, "too far apart");
    p.q[9] = NAN;
    CN_NEAR(largest_opening(&p), 0.0, 0.0, "lost");
    p.q[9] = 1.1;
    CN_TRUE(largest_opening(&p) > 0.0);
    p.id[1] = 99;
    CN_NEAR(largest_opening(&p), 0.0, 0.0, "another body stands there");
    cn_release(NULL, p.seam);
}

CN_TEST(range_of_colours_is_checked)
{
    pair p;
    make_pair(&p, 2, 0.0);
    cn_render_def def = cn_render_def_default();
    cn_canvas c;
    def.value_max = NAN;
    CN_FAILS(cn_frame_draw(&p.frame, &def, &c, &test_error), CN_BAD_INPUT, "darkest");
    cn_release(NULL, p.seam);
}

CN_MAIN(CN_RUN(hinge_opens_by_its_chord); CN_RUN(damage_is_that_of_the_points_of_a_bond);
        CN_RUN(gap_at_the_start_counts); CN_RUN(open_joints_are_painted_from_pale_to_dark);
        CN_RUN(parted_bodies_have_no_joint); CN_RUN(range_of_colours_is_checked);)
