// generate/wall/wall_irregular.c -- walls of uneven stones.
//
// Joints are moved, never stones: each bed and each head joint of the regular wall goes a random
// way, and the stones on both sides take it over. Beds stay level, so that courses carry; head
// joints may lean. Every way is a pure function of seed, course, leaf and joint.
#include <math.h>

#include "base/hash.h"
#include "base/memory.h"
#include "generate/wall/wall.h"

static const double MOST =
    0.6; // shares of a block by which a head joint may move and lean together

bool cn_wall_is_irregular(const cn_wall_def *def)
{
    return def->irregular[0] > 0.0 || def->irregular[1] > 0.0 || def->lean > 0.0;
}

cn_status cn_wall_check_irregular(const cn_wall_def *def, cn_error *err)
{
    if (!cn_wall_is_irregular(def)) {
        return CN_OK;
    }
    double along = fmax(0.0, def->irregular[0]) + def->lean;
    CN_TRY(cn_check_seed(def->seed, err));
    if (!(along <= MOST + 1e-9 && fmax(0.0, def->irregular[1]) <= MOST)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "head joints move and lean together by at most %g of a block, beds by as "
                       "much, got %g and %g",
                       MOST, along, def->irregular[1]);
    }
    if (cn_wall_is_across(def) || def->openings.count > 0 || def->through > 0 ||
        def->head_gap > 0.0 || def->bed_gap > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "an irregular wall is in running or stack bond, without gaps, openings and "
                       "through-stones");
    }
    return CN_OK;
}

// From -1/2 to 1/2.
static double draw(const cn_wall_def *def, int course, int leaf, int joint)
{
    uint64_t random = cn_mix2(cn_mix2((uint64_t)def->seed, (uint64_t)course), (uint64_t)leaf);
    random = cn_mix2(random, (uint64_t)joint);
    return cn_random(&random) - 0.5;
}

// Bed below a course; foot and top of the wall stay where they are.
static double bed(const cn_wall_def *def, double height, int course)
{
    bool is_inside = course > 0 && course < def->courses;
    double way = is_inside ? fmax(0.0, def->irregular[1]) * draw(def, course, -1, 0) : 0.0;
    return (course + way) * height;
}

// Joint at so many half blocks from the left; both ends of the wall stay upright.
static cn_wall_joint joint_at(const cn_wall_def *def, int units, int course, int leaf, int place)
{
    double x = (2 * place - units) * (0.25 * def->block[0]);
    if (place == 0 || place == units) {
        return (cn_wall_joint){x, x};
    }
    double way = fmax(0.0, def->irregular[0]) * draw(def, course, leaf, 2 * place);
    double lean = 0.5 * def->lean * draw(def, course, leaf, 2 * place + 1);
    return (cn_wall_joint){x + (way - lean) * def->block[0], x + (way + lean) * def->block[0]};
}

static cn_status add_leaf(const cn_wall_def *def, int units, int course, int leaf, int *position,
                          cn_pieces *pieces, cn_error *err)
{
    int dim = cn_pieces_dim(pieces);
    bool is_shifted =
        def->bond == CN_BOND_RUNNING && (course % 2 == 1) == (def->start == CN_WALL_START_FULL);
    cn_wall_stone stone = {
        .low = bed(def, def->block[dim - 1], course),
        .high = bed(def, def->block[dim - 1], course + 1),
        .thickness = def->block[1],
        .y = dim == 3 ? (leaf - 0.5 * (def->leaves - 1)) * (def->block[1] + def->leaf_gap) : 0.0};
    for (int at = 0, next; at < units; at = next) {
        next = at == 0 && is_shifted ? 1 : at + 2 < units ? at + 2 : units;
        stone.left = joint_at(def, units, course, leaf, at);
        stone.right = joint_at(def, units, course, leaf, next);
        const int index[2] = {course + 1, ++*position};
        CN_TRY(cn_wall_add_stone(&stone, index, pieces, err));
    }
    return CN_OK;
}

cn_status cn_wall_add_irregular(const cn_wall_def *def, int units, cn_pieces *pieces, cn_error *err)
{
    for (int course = 0; course < def->courses; course++) {
        int position = 0;
        for (int leaf = 0; leaf < (cn_pieces_dim(pieces) == 3 ? def->leaves : 1); leaf++) {
            CN_TRY(add_leaf(def, units, course, leaf, &position, pieces, err));
        }
    }
    return CN_OK;
}
