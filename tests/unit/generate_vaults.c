// Groin, cloister, sail and fan vaults: volumes and joints known on paper, no overlaps.
#include "generate/masonry.h"
#include "unit/solid_check.h"

static void count_stones(const cn_pieces *pieces, int course, int *stones, int *parts)
{
    *stones = *parts = 0;
    for (int k = 0; k < pieces->count; k++) {
        if (pieces->piece[k].index[0] == course) {
            *parts += 1;
            *stones += pieces->piece[k].is_part ? 0 : 1;
        }
    }
}

// ---- groin and cloister

// Clear 4 m and 4 r m, semicircle of 2 m and 0.5 m thick, 9 courses, or a part of a circle.
static cn_mitred_vault_def mitred_of(double r, double rise, int courses, double stone)
{
    return (cn_mitred_vault_def){.size = {4.0, 4.0 * r},
                                 .rise = rise,
                                 .thickness = 0.5,
                                 .courses = courses,
                                 .stone = stone,
                                 .abutments = true};
}

// Half a profile between the regular chords of two circles: voussoir k from the springing.
typedef struct ring {
    double inner, outer, springing, step;
    int courses;
} ring;

static ring ring_of(const cn_mitred_vault_def *d)
{
    double half = 0.5 * d->size[0], rise = isnan(d->rise) ? half : d->rise;
    double radius = 0.5 * (half * half / rise + rise), springing = 2.0 * atan(rise / half);
    return (ring){radius, radius + d->thickness, springing, 2.0 * springing / d->courses,
                  d->courses};
}

// Area, and the area times the distance of its centre from the crown: triangles from the centre of
// the circle. The course at the crown counts with its half on one side.
static void half_voussoir(const ring *p, int k, double *area, double *moment)
{
    const double radius[2] = {p->outer, p->inner};
    double angle = p->springing - (k + 0.5) * p->step;
    bool is_crown = 2 * k + 1 == p->courses;
    *area = *moment = 0.0;
    for (int n = 0; n < 2; n++) {
        double sign = n == 0 ? 1.0 : -1.0, r = radius[n];
        double height = r * cos(0.5 * p->step), base = r * sin(0.5 * p->step);
        double own = is_crown ? 0.5 * height * base : height * base;
        *area += sign * own;
        *moment += sign * own * (is_crown ? base / 3.0 : 2.0 / 3.0 * height * sin(angle));
    }
}

// Joint k from the springing: its length in the profile stretched r times across, and its middle.
static double joint_length(const ring *p, int k, double r)
{
    double angle = p->springing - k * p->step, depth = p->outer - p->inner;
    return depth * hypot(r * sin(angle), cos(angle));
}

static double joint_middle(const ring *p, int k)
{
    return 0.5 * (p->outer + p->inner) * sin(p->springing - k * p->step);
}

// Two barrels of length `reach` outside of each other: over u their webs begin at the diagonal.
static void check_groin(const cn_mitred_vault_def *def)
{
    double r = def->size[1] / def->size[0], depth = def->thickness;
    ring p = ring_of(def);
    double reach = p.outer * sin(p.springing), volume = 0.0, joints = 0.0;
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_groin(def, &vault, &test_error));
    for (int k = 0; 2 * k < p.courses; k++) {
        double area, moment;
        int stones, parts;
        bool is_crown = 2 * k + 1 == p.courses;
        half_voussoir(&p, k, &area, &moment);
        count_stones(&vault, k + 1, &stones, &parts);
        volume += 8.0 * r * (reach * area - moment);
        joints += 4.0 * area * hypot(1.0, r);                   // over the diagonals
        double cuts = is_crown ? 2.0 * (parts - 4) : parts - 8; // of half sections, r = 1
        joints += r == 1.0 ? cuts * area : 0.0;
        CN_TRUE(r == 1.0 || cuts == 0.0);
        for (int n = 0; n < 2; n++) {
            double along = reach - joint_middle(&p, k);
            joints += 4.0 * (n == 0 ? r : 1.0) * joint_length(&p, k, n == 0 ? 1.0 : r) * along;
        }
    }
    if (p.courses % 2 == 0) { // the joint at the crown
        joints += 2.0 * depth * reach * (r + 1.0);
    }
    if (p.springing == 0.5 * CN_PI) { // blocks of depth^2 below the springing
        volume += 4.0 * r * depth * depth * depth;
        joints += 4.0 * depth * depth * hypot(1.0, r);
    }
    check_solids(&vault, volume, joints);
    cn_pieces_free(&vault);
}

CN_TEST(groin_vaults_fill_what_two_barrels_leave_of_each_other)
{
    const cn_mitred_vault_def vault[] = {mitred_of(1.0, NAN, 9, 100.0),
                                         mitred_of(0.7, NAN, 8, 100.0),
                                         mitred_of(1.0, NAN, 9, 0.45), mitred_of(1.0, NAN, 6, 0.7)};
    for (int k = 0; k < CN_COUNT_OF(vault); k++) {
        check_groin(&vault[k]);
    }
    cn_mitred_vault_def flat = mitred_of(1.3, 0.9, 7, 100.0);
    flat.abutments = false;
    cn_pieces pieces = {.dim = 3};
    CN_DO(cn_generate_groin(&flat, &pieces, &test_error));
    CN_TRUE(pieces.count == 3 * 8 + 4);
    cn_pieces_free(&pieces);
}

// Bent stones are the same pieces, two or at the crown four to a body.
CN_TEST(stones_at_the_groin_may_be_bent)
{
    cn_mitred_vault_def def = mitred_of(1.0, NAN, 9, 0.6);
    cn_pieces mitred = {.dim = 3}, bent = {.dim = 3};
    CN_DO(cn_generate_groin(&def, &mitred, &test_error));
    def.corner = CN_CORNER_BENT;
    CN_DO(cn_generate_groin(&def, &bent, &test_error));
    CN_TRUE(bent.count == mitred.count);
    for (int course = 1; course <= 5; course++) {
        int stones, parts, before, before_parts;
        count_stones(&bent, course, &stones, &parts);
        count_stones(&mitred, course, &before, &before_parts);
        CN_TRUE(parts == before_parts && before == before_parts);
        CN_TRUE(stones == before - (course == 5 ? 3 : 4));
    }
    solids s = solids_of(&mitred);
    check_solids(&bent, total_volume(&mitred), joint_area(&s));
    solids_free(&s);
    cn_pieces_free(&mitred);
    cn_pieces_free(&bent);
}

// A web of a cloister vault is 2 r u long at u from the crown.
static void check_cloister(const cn_mitred_vault_def *def)
{
    double r = def->size[1] / def->size[0], depth = def->thickness;
    ring p = ring_of(def);
    int last = p.courses / 2;
    double volume = 0.0, joints = 0.0;
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_cloister(def, &vault, &test_error));
    for (int k = 0; k <= last; k++) {
        double area, moment;
        int stones, parts;
        half_voussoir(&p, k, &area, &moment);
        count_stones(&vault, k + 1, &stones, &parts);
        for (int n = 0; n < 2; n++) {
            joints += 4.0 * (n == 0 ? r : 1.0) * joint_length(&p, k, n == 0 ? 1.0 : r) *
                      joint_middle(&p, k);
        }
        if (k < last) {
            volume += 8.0 * r * moment;
            joints += 4.0 * area * hypot(1.0, r);
            joints += 0.25 * (parts - 4) * 2.0 * (1.0 + r) * area; // cuts, as many in all webs
        }
    }
    double low = p.inner * sin(0.5 * p.step), high = p.outer * sin(0.5 * p.step);
    volume += 4.0 * r / 3.0 * depth * cos(0.5 * p.step) * (low * low + low * high + high * high);
    if (p.springing == 0.5 * CN_PI) {
        volume += 4.0 * r * depth * (p.outer * p.outer - p.inner * p.inner);
        joints += 4.0 * depth * depth * hypot(1.0, r);
    }
    check_solids(&vault, volume, joints);
    cn_pieces_free(&vault);
}

CN_TEST(cloister_vaults_fill_what_two_barrels_have_in_common)
{
    const cn_mitred_vault_def vault[] = {mitred_of(1.0, NAN, 9, 100.0),
                                         mitred_of(0.7, NAN, 7, 100.0), mitred_of(1.0, NAN, 9, 0.6),
                                         mitred_of(1.0, NAN, 3, 0.1)};
    for (int k = 0; k < CN_COUNT_OF(vault); k++) {
        check_cloister(&vault[k]);
    }
    cn_mitred_vault_def bent = mitred_of(1.2, NAN, 9, 0.6);
    bent.corner = CN_CORNER_BENT;
    cn_pieces pieces = {.dim = 3};
    CN_DO(cn_generate_cloister(&bent, &pieces, &test_error));
    for (int course = 1; course <= 4; course++) {
        int stones, parts;
        count_stones(&pieces, course, &stones, &parts);
        CN_TRUE(parts == stones + 4);
    }
    // Each bent stone is two parts that share a face over the diagonal.
    for (int k = 1; k < pieces.count; k++) {
        if (pieces.piece[k].is_part) {
            solids s = solids_of(&(cn_pieces){
                .dim = 3, .count = 2, .piece = &pieces.piece[k - 1], .vertex = pieces.vertex});
            CN_TRUE(joint_area(&s) > 0.1);
            solids_free(&s);
        }
    }
    cn_pieces_free(&pieces);
}

CN_TEST(bad_mitred_vaults_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_mitred_vault_def def = mitred_of(1.0, 2.5, 9, 0.6);
    CN_FAILS(cn_generate_groin(&def, &pieces, &test_error), CN_BAD_INPUT,
             "rise must be between 0 and half the size along x, 2 m, got 2.5");
    def = mitred_of(1.0, NAN, 8, 0.6);
    CN_FAILS(cn_generate_cloister(&def, &pieces, &test_error), CN_BAD_INPUT,
             "an odd number of courses, the middle one is its keystone, got 8");
    def = mitred_of(1.0, NAN, 2, 0.6);
    CN_FAILS(cn_generate_groin(&def, &pieces, &test_error), CN_BAD_INPUT, "at least 3 courses");
    def = mitred_of(1.0, NAN, 9, 1e-9);
    CN_FAILS(cn_generate_groin(&def, &pieces, &test_error), CN_BAD_INPUT, "stones of a vault");
    def.size[1] = NAN;
    CN_FAILS(cn_generate_cloister(&def, &pieces, &test_error), CN_BAD_INPUT, "size of a vault");
    CN_TRUE(pieces.count == 0);
}

// ---- sail

static const cn_sail_def sail = {
    .size = {4.0, 3.0}, .rise = {0.8, 0.5}, .thickness = 0.2, .rows = 4, .stones = 3};

// Chord n of an arch, from intrados to extrados: its vector, how much longer it is outside, and the
// way from its middle inside to its middle outside.
typedef struct chord {
    double along, up, more;
    double out, rise;
} chord;

static chord chord_of(int d, int count, int n, bool is_point)
{
    double half = 0.5 * sail.size[d], rise = sail.rise[d];
    double radius = 0.5 * (half * half / rise + rise), angle = 2.0 * atan(rise / half);
    double step = 2.0 * angle / count, at = -angle + (n + (is_point ? 0.0 : 0.5)) * step;
    double length = 2.0 * radius * sin(0.5 * step), shrink = is_point ? 1.0 : cos(0.5 * step);
    return (chord){length * cos(at), -length * sin(at), 0.5 * sail.thickness / radius,
                   0.5 * sail.thickness * shrink * sin(at),
                   0.5 * sail.thickness * shrink * cos(at)};
}

// Between two parallelograms, of which the outer one has longer sides.
static double facet_volume(const chord *x, const chord *y)
{
    double up = x->rise + y->rise;
    double flat = -x->up * y->along * x->out - x->along * y->up * y->out + x->along * y->along * up;
    return flat * (1.0 + 0.5 * (x->more + y->more) + x->more * y->more / 3.0);
}

// A joint below chord `of`, at a point of the other arch: a trapezoid.
static double trapezoid(const chord *of, const chord *at)
{
    double up = of->rise + at->rise;
    double a = of->along * up - of->up * of->out, b = of->up * at->out, c = of->along * at->out;
    return sqrt(a * a + b * b + c * c) * (1.0 + 0.5 * of->more);
}

static void check_sail(const cn_sail_def *def, int sides)
{
    double volume = 0.0, joints = 0.0;
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_sail(def, &vault, &test_error));
    for (int i = 0; i < sides; i++) {
        chord x = chord_of(0, sides, i, false), at = chord_of(0, sides, i, true);
        for (int j = 0; j < def->rows; j++) {
            chord y = chord_of(1, def->rows, j, false), edge = chord_of(1, def->rows, j, true);
            volume += facet_volume(&x, &y);
            joints += (j > 0 ? trapezoid(&x, &edge) : 0.0) + (i > 0 ? trapezoid(&y, &at) : 0.0);
        }
    }
    check_solids(&vault, volume, joints);
    cn_pieces_free(&vault);
}

CN_TEST(sail_vaults_are_arches_carried_along_arches)
{
    cn_sail_def def = sail;
    def.held = CN_SAIL_FREE;
    check_sail(&def, 6);
    def.bond = CN_BOND_STACK;
    check_sail(&def, 3);
}

CN_TEST(sail_vaults_are_held_at_sides_or_corners)
{
    const int supports[2] = {2 * 6 + 2 * 4, 8 + 4};
    for (int k = 0; k < 2; k++) {
        cn_sail_def def = sail;
        def.held = k == 0 ? CN_SAIL_SIDES : CN_SAIL_CORNERS;
        cn_pieces vault = {.dim = 3};
        CN_DO(cn_generate_sail(&def, &vault, &test_error));
        int stones, parts;
        count_stones(&vault, 5, &stones, &parts);
        CN_TRUE(stones == supports[k] && vault.count == 24 + supports[k]);
        CN_TRUE(vault.piece[24].is_support && !vault.piece[23].is_support);
        count_stones(&vault, 2, &stones, &parts);
        CN_TRUE(stones == 4 && parts == 6); // a half stone at both ends
        solids s = solids_of(&vault);
        CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "pieces do not overlap");
        solids_free(&s);
        cn_pieces_free(&vault);
    }
    cn_pieces none = {.dim = 3};
    cn_sail_def steep = sail;
    steep.rise[1] = 1.0;
    CN_FAILS(cn_generate_sail(&steep, &none, &test_error), CN_BAD_INPUT,
             "rise of a sail vault along y must be between 0 and a quarter of its size, 0.75 m");
}

// ---- fan

// Quarters of 2 m, sides at right angles to the middle of each facet.
static void check_fan(const cn_fan_def *def, int sides)
{
    const double step = 0.5 * CN_PI / sides, half = 0.5 * def->size, t = def->thickness;
    double reach = half - def->pier, rise = isnan(def->rise) ? reach : def->rise;
    double volume = 0.0, joints = 0.0;
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_fan(def, &vault, &test_error));
    for (int k = 0; k <= def->courses; k++) {
        double angle = 0.5 * CN_PI * k / def->courses, next = angle + 0.5 * CN_PI / def->courses;
        const double r[4] = {half - reach * cos(angle), half - (reach + t) * cos(angle),
                             half - (reach + t) * cos(next), half - reach * cos(next)};
        const double z[4] = {rise * sin(angle), (rise + t) * sin(angle), (rise + t) * sin(next),
                             rise * sin(next)};
        double slant = hypot((r[1] - r[0]) * cos(0.5 * step), z[1] - z[0]);
        joints += 4.0 * sides * sin(0.5 * step) * (r[0] + r[1]) * slant;
        for (int n = 0; n < 4 && k < def->courses; n++) {
            int m = (n + 1) % 4;
            double cross = r[m] * z[n] - r[n] * z[m]; // the section runs clockwise
            volume += 4.0 * sides * sin(step) * cross * (r[n] + r[m]) / 6.0;
            joints += 4.0 * (sides - 1) * 0.5 * cross;
        }
    }
    volume += 2.0 * sides * sin(step) * t * (def->pier * def->pier - pow(def->pier - t, 2.0));
    volume += t * (def->size * def->size - 2.0 * sides * half * half * sin(step));
    joints += 4.0 * (sides - 1) * t * t;
    for (int j = 0; j < 4 * sides; j++) { // inside the slab
        joints += t * half * hypot(1.0 - cos(step * (j % sides)), 1.0 - sin(step * (j % sides)));
    }
    check_solids(&vault, volume, joints);
    CN_TRUE(vault.count == 4 * sides * (def->courses + 2));
    cn_pieces_free(&vault);
}

CN_TEST(fan_vaults_are_quarters_of_a_surface_of_revolution)
{
    cn_fan_def def = {.size = 4.0,
                      .pier = 0.5,
                      .rise = NAN,
                      .thickness = 0.2,
                      .courses = 5,
                      .stones = 3,
                      .bond = CN_BOND_STACK,
                      .abutments = true};
    check_fan(&def, 3);
    def.rise = 1.1;
    def.bond = CN_BOND_RUNNING;
    check_fan(&def, 6);
    cn_pieces vault = {.dim = 3};
    int stones, parts;
    CN_DO(cn_generate_fan(&def, &vault, &test_error));
    count_stones(&vault, 2, &stones, &parts);
    CN_TRUE(stones == 4 * 4 && parts == 4 * 6); // half stones at the sides
    count_stones(&vault, 6, &stones, &parts);
    CN_TRUE(stones == 1 && parts == 24);
    cn_pieces_free(&vault);
    def.thickness = 0.5;
    CN_FAILS(cn_generate_fan(&def, &vault, &test_error), CN_BAD_INPUT,
             "thickness must be less than the pier of the fan vault, 0.5 m, got 0.5");
    def.pier = 2.0;
    CN_FAILS(cn_generate_fan(&def, &vault, &test_error), CN_BAD_INPUT,
             "pier must be less than half the size");
}

CN_MAIN(CN_RUN(groin_vaults_fill_what_two_barrels_leave_of_each_other);
        CN_RUN(stones_at_the_groin_may_be_bent);
        CN_RUN(cloister_vaults_fill_what_two_barrels_have_in_common);
        CN_RUN(bad_mitred_vaults_are_told); CN_RUN(sail_vaults_are_arches_carried_along_arches);
        CN_RUN(sail_vaults_are_held_at_sides_or_corners);
        CN_RUN(fan_vaults_are_quarters_of_a_surface_of_revolution);)
