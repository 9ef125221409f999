// generate/buttress.c -- buttresses and battered walls: courses between an upright back and a face
// that leans back. Joints are those of a running bond that begins at the back; none comes nearer to
// the face than a quarter of a stone.
#include "base/memory.h"
#include "generate/masonry.h"
#include "generate/wall/wall.h"

static const double SPLINTER = 0.25; // of a stone

static cn_status check(const cn_buttress_def *def, int dim, cn_error *err)
{
    CN_TRY(cn_check_length("depth at the foot", def->foot, err));
    CN_TRY(cn_check_length("depth at the top", def->top, err));
    CN_TRY(cn_check_length("height", def->height, err));
    CN_TRY(cn_check_length("stone", def->stone, err));
    CN_TRY(cn_check_count("courses of a buttress", def->courses, err));
    if (dim == 3) {
        CN_TRY(cn_check_length("width", def->width, err));
    }
    double stones = fmax(def->foot, def->top) / def->stone;
    return cn_check_count("stones of a buttress", fmax(1.0, stones) * def->courses, err);
}

// Depth at bed k.
static double depth_at(const cn_buttress_def *def, int k)
{
    return def->foot + (def->top - def->foot) * k / def->courses;
}

static cn_status add_course(const cn_buttress_def *def, int course, cn_pieces *pieces,
                            cn_error *err)
{
    const cn_wall_joint face = {depth_at(def, course), depth_at(def, course + 1)};
    double room = fmin(face.below, face.above) - SPLINTER * def->stone;
    int position = 0;
    cn_wall_stone stone = {.low = def->height * course / def->courses,
                           .high = def->height * (course + 1) / def->courses,
                           .thickness = def->width};
    for (int j = 1;; j++) {
        double joint = (course % 2 == 0 ? j : j - 0.5) * def->stone;
        bool is_last = joint > room;
        const int index[2] = {course + 1, ++position};
        stone.right = is_last ? face : (cn_wall_joint){joint, joint};
        CN_TRY(cn_wall_add_stone(&stone, index, pieces, err));
        if (is_last) {
            return CN_OK;
        }
        stone.left = stone.right;
    }
}

cn_status cn_generate_buttress(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_buttress_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, cn_pieces_dim(pieces), err));
    for (int k = 0; k < def->courses; k++) {
        CN_TRY(add_course(def, k, pieces, err));
    }
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_buttress_def, foot, "depth along x at the foot")},
    {CN_LENGTH_FIELD(cn_buttress_def, top, "depth at the top: the face leans")},
    {CN_LENGTH_FIELD(cn_buttress_def, height, "of all courses")},
    {CN_COUNT_FIELD(cn_buttress_def, courses, "number of courses")},
    {CN_LENGTH_FIELD(cn_buttress_def, stone, "length of stones along x, about")},
    {CN_LENGTH_FIELD(cn_buttress_def, width, "along y"), .dim = 3},
};

const cn_generator cn_buttress_generator = {
    .name = "buttress",
    .help = "courses with an upright back at x = 0 and a face towards +x that leans, on y = 0 (in "
            "space z = 0); buttress[course, position]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_buttress_def),
    .make = cn_generate_buttress,
};
