// Walls, stacks and arches keep the names and places of their contacts when bodies move by less
// than can matter; corners that meet neither flicker nor block motions that are free.
#include <stdlib.h>

#include "narrow_bodies.h"

typedef struct masonry {
    int count;
    double brick; // width of a brick [m]
    body *stone;
    double *x, *y, *angle; // as drawn
} masonry;

static masonry make_masonry(int count_max, double brick)
{
    masonry m = {.brick = brick};
    m.stone = calloc((size_t)count_max, sizeof *m.stone);
    m.x = calloc((size_t)count_max, sizeof *m.x);
    m.y = calloc((size_t)count_max, sizeof *m.y);
    m.angle = calloc((size_t)count_max, sizeof *m.angle);
    CN_TRUE(m.stone != NULL && m.x != NULL && m.y != NULL && m.angle != NULL);
    return m;
}

static void free_masonry(masonry *m)
{
    free(m->stone);
    free(m->x);
    free(m->y);
    free(m->angle);
}

static void add_stone(masonry *m, double x, double y, double angle)
{
    m->stone[m->count].shape.body = m->count;
    move_body(&m->stone[m->count], x, y, angle);
    m->x[m->count] = x;
    m->y[m->count] = y;
    m->angle[m->count++] = angle;
}

// Moves every stone from its drawn place by at most `shift` bricks and turns it by at most `turn`.
static void disturb(masonry *m, double shift, double turn, uint64_t *random)
{
    for (int k = 0; k < m->count; k++) {
        double reach = shift * m->brick;
        move_body(&m->stone[k], m->x[k] + random_between(random, -reach, reach),
                  m->y[k] + random_between(random, -reach, reach),
                  m->angle[k] + random_between(random, -turn, turn));
    }
}

typedef struct contact {
    int a, b;
    cn_touch touch;
} contact;

typedef struct contacts {
    int count;
    contact contact[4000];
} contacts;

static void find_contacts(const masonry *m, double reach, contacts *found)
{
    found->count = 0;
    for (int a = 0; a < m->count; a++) {
        for (int b = a + 1; b < m->count; b++) {
            double apart = cn_norm2(cn_sub2(m->stone[a].posed.x, m->stone[b].posed.x));
            if (apart > m->stone[a].shape.reach + m->stone[b].shape.reach + reach) {
                continue;
            }
            cn_touch touch[CN_TOUCH_MAX];
            int count = cn_narrow(&m->stone[a].posed, &m->stone[b].posed, reach, touch);
            for (int k = 0; k < count; k++) {
                found->contact[found->count++] = (contact){a, b, touch[k]};
            }
        }
    }
}

// Number of differences in names, and the largest motion of a point and change of a normal.
static int compare_contacts(const contacts *was, const contacts *is, double *moved, double *turned)
{
    if (was->count != is->count) {
        return abs(was->count - is->count);
    }
    int changed = 0;
    for (int k = 0; k < was->count; k++) {
        const contact *c = &was->contact[k], *d = &is->contact[k];
        changed += c->a != d->a || c->b != d->b || c->touch.feature != d->touch.feature;
        *moved = fmax(*moved, cn_norm2(cn_sub2(c->touch.point, d->touch.point)));
        *turned = fmax(*turned, cn_norm2(cn_sub2(c->touch.normal, d->touch.normal)));
    }
    return changed;
}

// Same names under noise of 1e-12, and under turns of 1e-9 also nearly the same points.
static void check_steady(masonry *m, int contacts_expected)
{
    static contacts drawn, now;
    const double reach = 1e-4 * m->brick;
    uint64_t random = 1;
    find_contacts(m, reach, &drawn);
    CN_TRUE(drawn.count == contacts_expected);
    double moved = 0.0, turned = 0.0;
    for (int n = 0; n < 40; n++) {
        disturb(m, 1e-12, 1e-12, &random);
        find_contacts(m, reach, &now);
        CN_TRUE(compare_contacts(&drawn, &now, &moved, &turned) == 0);
    }
    CN_NEAR(moved / m->brick, 0.0, 1e-11, "points follow the noise");
    CN_NEAR(turned, 0.0, 1e-10, "normals follow the noise; rounding over the corner tolerance");
    for (int n = 0; n < 20; n++) {
        disturb(m, 0.0, 1e-9, &random);
        find_contacts(m, reach, &now);
        CN_TRUE(compare_contacts(&drawn, &now, &moved, &turned) == 0);
    }
    CN_NEAR(moved / m->brick, 0.0, 1e-8, "corners turn by 1e-9 of a brick");
    CN_NEAR(turned, 0.0, 1e-8, "edges turn by 1e-9");
}

// Bricks 0.4 x 0.2 with closed head joints; halves close every other course.
CN_TEST(running_bond_keeps_its_contacts)
{
    const int courses = 10, length = 8;
    masonry m = make_masonry(courses * (length + 1), 0.4);
    int faces = 0;
    for (int c = 0; c < courses; c++) {
        bool has_halves = c % 2 == 1;
        int count = has_halves ? length + 1 : length;
        for (int k = 0; k < count; k++) {
            bool is_half = has_halves && (k == 0 || k == count - 1);
            make_box(&m.stone[m.count], is_half ? 0.2 : 0.4, 0.2);
            double x = has_halves ? 0.4 * k : 0.4 * k + 0.2;
            x += is_half ? (k == 0 ? 0.1 : -0.1) : 0.0;
            add_stone(&m, x, 0.2 * c + 0.1, 0.0);
        }
        faces += count - 1 + (c > 0 ? 2 * length : 0);
    }
    check_steady(&m, 2 * faces);
    free_masonry(&m);
}

// All four corners meet at every joint: diagonal neighbours are no contacts.
CN_TEST(stack_bond_has_no_contacts_across_corners)
{
    const int n = 6;
    masonry m = make_masonry(n * n, 0.4);
    for (int k = 0; k < n * n; k++) {
        make_box(&m.stone[k], 0.4, 0.2);
        add_stone(&m, 0.4 * (k % n), 0.2 * (k / n), 0.0);
    }
    check_steady(&m, 2 * 2 * n * (n - 1));
    free_masonry(&m);
}

// The same wall leaning by 0.3: nothing depends on the axes.
CN_TEST(leaning_stack_bond_is_the_same)
{
    const int n = 6;
    masonry m = make_masonry(n * n, 0.4);
    for (int k = 0; k < n * n; k++) {
        cn_vec2 at = cn_turn2(cn_v2(0.4 * (k % n), 0.2 * (k / n)), cos(0.3), sin(0.3));
        make_box(&m.stone[k], 0.4, 0.2);
        add_stone(&m, 100.0 + at.x, at.y, 0.3);
    }
    check_steady(&m, 2 * 2 * n * (n - 1));
    free_masonry(&m);
}

// Triangles of a tiling: six meet at every corner, only those that share an edge touch.
CN_TEST(tiling_of_triangles_touches_along_edges)
{
    const int rows = 5, columns = 6;
    masonry m = make_masonry(2 * rows * columns, 1.0);
    const double h = sqrt(0.75);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 2 * columns; c++) {
            bool is_up = (c + r) % 2 == 0;
            body *b = &m.stone[m.count];
            const double up[6] = {-0.5, -h / 3, 0.5, -h / 3, 0.0, 2 * h / 3};
            memcpy(b->local, up, sizeof up);
            make_polygon(b, 3);
            add_stone(&m, 0.5 * c, h * r + (is_up ? h / 3 : 2 * h / 3), is_up ? 0.0 : CN_PI);
        }
    }
    int inside = rows * (2 * columns - 1); // slanted joints in rows
    int between = (rows - 1) * columns;    // level joints between rows
    check_steady(&m, 2 * (inside + between));
    free_masonry(&m);
}

// Stones of a semicircular arch between radii 1 and 1.2, on two blocks.
CN_TEST(arch_keeps_its_contacts)
{
    const int stones = 21;
    masonry m = make_masonry(stones + 2, 0.2);
    for (int k = 0; k < stones; k++) {
        double from = CN_PI * k / stones, to = CN_PI * (k + 1) / stones;
        const double v[8] = {cos(from),     sin(from),     1.2 * cos(from), 1.2 * sin(from),
                             1.2 * cos(to), 1.2 * sin(to), cos(to),         sin(to)};
        body *b = &m.stone[m.count];
        cn_shape_mass mass;
        cn_shape_def def = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = v};
        CN_DO(cn_shape_measure(&def, &mass, &test_error));
        make_body(b, def);
        add_stone(&m, mass.centre[0], mass.centre[1], 0.0);
    }
    for (int side = -1; side <= 1; side += 2) {
        make_box(&m.stone[m.count], 0.4, 0.2);
        add_stone(&m, 1.1 * side, -0.1, 0.0);
    }
    check_steady(&m, 2 * (stones - 1) + 4);
    free_masonry(&m);
}

// Two stones of an arch that opened by `turn` about a common corner: the hinge stays where it is,
// its normal halves the angle, and rounding moves neither.
CN_TEST(open_hinge_is_steady)
{
    const double turns[4] = {1e-6, 1e-3, 0.2, 0.7};
    uint64_t random = 9;
    for (int n = 0; n < 4; n++) {
        double turn = turns[n];
        body a, b;
        make_box(&a, 0.4, 0.2);
        make_box(&b, 0.4, 0.2);
        cn_vec2 at = cn_add2(cn_v2(0.2, 0.1), cn_turn2(cn_v2(-0.2, 0.1), cos(turn), -sin(turn)));
        cn_touch touch[CN_TOUCH_MAX];
        uint32_t name = 0;
        for (int k = 0; k < 100; k++) {
            move_body(&b, at.x + random_between(&random, -1e-13, 1e-13),
                      at.y + random_between(&random, -1e-13, 1e-13), -turn);
            CN_TRUE(cn_narrow(&b.posed, &a.posed, 1e-8, touch) == 1);
            CN_NEAR(touch[0].point.x, 0.2, 2e-13, "the common corner");
            CN_NEAR(touch[0].point.y, 0.1, 2e-13, "the common corner");
            CN_NEAR(touch[0].gap, 0.0, 2e-13, "the common corner");
            CN_NEAR(touch[0].normal.x, sin(-turn / 2) * -1.0, 1e-7, "middle of the wedge");
            CN_TRUE(k == 0 || touch[0].feature == name);
            name = touch[0].feature;
        }
    }
}

// A block slides along a floor of tiles, a hair too deep: no tile stops it at a seam.
CN_TEST(seams_do_not_stop_a_sliding_block)
{
    body tile, block;
    make_box(&tile, 1.0, 0.2);
    make_box(&block, 0.4, 0.2);
    const double depth[3] = {0.0, 1e-12, 1e-4}; // the last is half a thousandth of the size
    for (int n = 0; n < 300; n++) {
        double x = -1.0 + 0.01 * (n % 100) + (n % 7 == 0 ? 1e-13 : 0.0);
        move_body(&block, x, 0.2 - depth[n / 100], 0.0);
        cn_touch touch[CN_TOUCH_MAX];
        int count = cn_narrow(&block.posed, &tile.posed, 0.5, touch);
        for (int k = 0; k < count; k++) {
            CN_NEAR(touch[k].normal.y, 1.0, 1e-12, "the floor only pushes up");
        }
        CN_TRUE(count == (x + 0.2 > -0.5 + 2e-4 ? 2 : 0));
    }
    move_body(&block, -0.75, 0.19, 0.0); // a real step does stop it
    cn_touch touch[CN_TOUCH_MAX];
    CN_TRUE(cn_narrow(&tile.posed, &block.posed, 0.5, touch) == 2);
    CN_NEAR(touch[0].normal.x, 1.0, 1e-15, "the step of 0.01 pushes back");
}

// Corner on corner exactly: results are finite and of unit length at every angle.
CN_TEST(corners_that_meet_exactly_are_sane)
{
    body a, b;
    make_box(&a, 0.2, 0.2);
    make_box(&b, 0.2, 0.2);
    for (int k = 0; k < 360; k++) {
        for (int m = 0; m < 4; m++) {
            double turn = CN_PI * k / 180, lower = CN_PI * (45 * m) / 180;
            move_body(&a, 0.0, 0.0, lower);
            cn_vec2 corner = cn_posed_vertex(&a.posed, 2);
            cn_vec2 arm = cn_turn2(cn_v2(-0.1, -0.1), cos(turn), sin(turn));
            move_body(&b, corner.x - arm.x, corner.y - arm.y, turn);
            cn_touch touch[CN_TOUCH_MAX];
            int count = cn_narrow(&a.posed, &b.posed, 1e-4, touch);
            for (int n = 0; n < count; n++) {
                CN_NEAR(cn_norm2(touch[n].normal), 1.0, 1e-15, "unit");
                CN_TRUE(isfinite(touch[n].point.x + touch[n].point.y + touch[n].gap));
            }
            CN_TRUE(is_mirrored(&a, &b, 1e-4));
        }
    }
}

// Two boxes approach in small steps along random lines: as long as they are apart by d, the normal
// turns by no more than the motion over d.
CN_TEST(normal_turns_smoothly_while_a_gap_closes)
{
    uint64_t random = 4;
    for (int n = 0; n < 200; n++) {
        body a, b;
        make_box(&a, 0.4, 0.2);
        make_box(&b, 0.3, 0.2);
        double direction = random_between(&random, 0.0, 2 * CN_PI);
        double turn = n % 2 == 0 ? 0.0 : random_between(&random, -2.0, 2.0), step = 1e-4;
        cn_vec2 offset =
            cn_v2(random_between(&random, -0.2, 0.2), random_between(&random, -0.2, 0.2));
        cn_touch touch[CN_TOUCH_MAX], last = {0};
        for (int k = 0; k < 5000; k++) {
            double far = 0.6 - step * k;
            move_body(&b, offset.x + far * cos(direction), offset.y + far * sin(direction), turn);
            int count = cn_narrow(&b.posed, &a.posed, 10.0, touch);
            cn_touch nearest = count == 2 && touch[1].gap < touch[0].gap ? touch[1] : touch[0];
            if (count == 0 || nearest.gap < 1e-3) {
                break;
            }
            if (k > 0) {
                double turned = cn_norm2(cn_sub2(nearest.normal, last.normal));
                CN_TRUE(turned <= 1.01 * step / last.gap + 1e-12);
                CN_TRUE(fabs(nearest.gap - last.gap) <= 1.01 * step);
            }
            last = nearest;
        }
    }
}

CN_MAIN(CN_RUN(running_bond_keeps_its_contacts); CN_RUN(stack_bond_has_no_contacts_across_corners);
        CN_RUN(leaning_stack_bond_is_the_same); CN_RUN(tiling_of_triangles_touches_along_edges);
        CN_RUN(arch_keeps_its_contacts); CN_RUN(open_hinge_is_steady);
        CN_RUN(seams_do_not_stop_a_sliding_block); CN_RUN(corners_that_meet_exactly_are_sane);
        CN_RUN(normal_turns_smoothly_while_a_gap_closes);)
