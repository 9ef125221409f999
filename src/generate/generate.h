// generate/generate.h -- generators: many pieces from a few numbers (a wall, an arch, a packing).
//
// A generator is a pure function of a plain parameter struct: it knows no file, no world and no
// clock, and the same parameters give the same bits. It appends pieces to a growing list. What the
// parameters are called, their unit, range and default is data (cn_generator), so that reading,
// schema, explain and reference page need no code of their own: a new generator is one file
// x.c and one line in table.c.
//
// Frames: x to the right, y up; in space z up. Walls, arches and stacks stand on y = 0 (z = 0) and
// are centred on x = 0 (a harmonic stack has the edge of its table at x = 0), in space on y = 0
// too; grids and regions are centred on the origin. The reader of the scene adds the place and
// orientation of the group.
#pragma once

#include "cairn/base.h"
#include "cairn/law.h"
#include "cairn/shape.h"
#include "cairn/solid.h"

// One rigid piece. Polygons are given relative to their centroid, which is `at`; hulls relative to
// `at`.
typedef struct cn_piece {
    cn_shape_kind kind;  // in the plane
    cn_solid_kind solid; // in space
    double radius;       // disk, sphere, capsule, cylinder [m]
    double length;       // capsule, cylinder [m]
    int vertex_start;    // polygon, hull: first of its vertices in cn_pieces.vertex
    int vertex_count;    // polygon, hull
    double at[3];        // [m]
    double angle;        // in the plane [rad]
    double turn[4];      // in space: quaternion w x y z; zeros: none
    int index[2];        // course and position, both from 1: what wall[3,2] selects
    bool is_support;     // abutments and the like: fixed unless the scene says otherwise
    bool is_part;        // belongs to the body of the piece before, whose index it has
} cn_piece;

// A growing list; start from {0}. Memory belongs to the list, cn_pieces_free releases it.
// Generators append, and on failure may leave some of their pieces behind.
typedef struct cn_pieces {
    int dim; // 3: generators work in space; else in the plane
    int count;
    cn_piece *piece;
    int vertex_count;
    double *vertex; // x y (z) of each vertex, in the frame of its piece [m]; pieces may share them
    char note[200]; // what the last generator has to say, "" or one line such as the fill reached
    size_t piece_capacity, vertex_capacity;
} cn_pieces;

void cn_pieces_free(cn_pieces *pieces);

// The shape of piece k, ready for a body placed at piece[k].at and piece[k].angle (in space: its
// solid, and piece[k].turn). Its vertices point into the list and stay valid until the list
// changes.
cn_shape_def cn_piece_shape(const cn_pieces *pieces, int k);
cn_solid_def cn_piece_solid(const cn_pieces *pieces, int k);

static inline int cn_pieces_dim(const cn_pieces *pieces)
{
    return pieces->dim == 3 ? 3 : 2;
}

// Appends for generators: a copy of *piece; a polygon from absolute vertices (counterclockwise),
// whose centroid and relative vertices are computed here.
cn_status cn_pieces_add(cn_pieces *pieces, const cn_piece *piece, cn_error *err);
cn_status cn_pieces_add_polygon(cn_pieces *pieces, int vertex_count, const double *vertex,
                                const cn_piece *piece, cn_error *err);
cn_status cn_pieces_add_vertices(cn_pieces *pieces, int vertex_count, const double *vertex,
                                 int *vertex_start, cn_error *err);

// ---- description of parameters -----------------------------------------------------------------

typedef enum cn_field_kind {
    CN_FIELD_NUMBER = 0, // double; in a scene 0.4
    CN_FIELD_COUNT,      // int; in a scene 12
    CN_FIELD_FLAG,       // bool; in a scene true or false
    CN_FIELD_WORD,       // int, place in param.choices; in a scene the word
    CN_FIELD_PAIR,       // double[2]; in a scene [0.4, 0.2]
    CN_FIELD_POINT,      // double[3]; in a scene [0.4, 0.2], in space [0.4, 0.3, 0.2]
    CN_FIELD_RANGE,      // double[2], least and most; in a scene [5, 8] or one number for both
    CN_FIELD_NUMBERS,    // cn_numbers; in a scene [1, 2, 3] of any length
    CN_FIELD_ONE_OF,     // struct that begins with `int kind`; in a scene {variant: its fields}
    CN_FIELD_LIST,       // cn_structs of structs; in a scene [{fields of the variant}, ...]
    CN_FIELD_COLUMNS     // nothing; in a scene a CSV file whose columns fill NUMBERS beside it
} cn_field_kind;

// A list of numbers owned by whoever filled it in.
typedef struct cn_numbers {
    int count;
    const double *value;
} cn_numbers;

// A list of structs owned by whoever filled it in.
typedef struct cn_structs {
    int count;
    const void *row;
} cn_structs;

typedef struct cn_variant cn_variant;

// One parameter. The range of `param` holds for every number of it. A NaN fallback means that the
// parameter must be given, unless is_optional: then it may be left out, has no default, and the
// struct holds NaN (NUMBER, PAIR, POINT, RANGE), 0 (COUNT), no numbers or structs, or kind -1
// (ONE_OF). Two fields may have one name, for the plane and for space.
typedef struct cn_field {
    cn_param param;
    cn_field_kind kind;
    size_t offset; // in the struct it belongs to
    int dim;       // 2 or 3: only in the plane, only in space; 0: both
    bool is_optional;
    bool is_region;    // ONE_OF: a plain word is the name of a body, see cn_region_from_shape
    int variant_count; // ONE_OF; LIST: 1
    const cn_variant *variant; // ONE_OF; LIST: what a row is made of
    size_t row_size;           // LIST
} cn_field;

// One possibility of a ONE_OF; its place in the table is the `kind`. A variant with is_bare takes
// the value of its only field directly ({uniform: [0.004, 0.006]}); when the first variant is bare
// its key may be left out as well (radius: 0.005 means radius: {constant: 0.005}).
struct cn_variant {
    const char *name;
    const char *help;
    bool is_bare;
    int field_count;
    const cn_field *field; // offsets in the struct of the ONE_OF
};

// Appends the pieces of a generator; `params` is its parameter struct, such as cn_wall_def.
typedef cn_status cn_generate(const void *params, cn_pieces *pieces, cn_error *err);

typedef struct cn_generator {
    const char *name;
    const char *help;
    int field_count;
    const cn_field *field;
    size_t def_size; // of the parameter struct, at most CN_GENERATOR_DEF_MAX
    int dim;         // 2 or 3: only in the plane, only in space; 0: both
    cn_generate *make;
} cn_generator;

#define CN_GENERATOR_DEF_MAX 1024

int cn_generator_count(void);
const cn_generator *cn_generator_at(int k);
const cn_generator *cn_generator_find(const char *name); // NULL if there is no such generator

// Fills a list of fields with defaults (nested structs too); *def starts as zeroed memory of
// def_size bytes. Required numbers become NaN.
void cn_fields_default(const cn_field *field, int field_count, void *def);

// True if the scene must give this field.
bool cn_field_is_required(const cn_field *field);

// Sets a field of *def to numbers that are in its range, as many as its kind takes (POINT two or
// three, RANGE one or two, NUMBERS at least one, whose pointer is kept); a WORD by its place.
void cn_field_set(const cn_field *field, void *def, const double *value, int count);

// Sets a ONE_OF to the variant of that name, NULL if there is none; its fields are then set in
// *inner, with their defaults already there.
const cn_variant *cn_field_choose(const cn_field *field, void *def, const char *name, void **inner);

// ---- parameter structs
// ---------------------------------------------------------------------------

// Sizes of grains: what is drawn at random. All lengths [m].
typedef enum cn_size_kind {
    CN_SIZE_CONSTANT = 0,
    CN_SIZE_UNIFORM, // between a and b
    CN_SIZE_NORMAL,  // mean a, standard deviation b, cut at 3 standard deviations
    CN_SIZE_LIST,    // value[k] with probability share[k] / sum of shares
    CN_SIZE_BETA,    // share x^(a - 1) (1 - x)^(b - 1) at x from the least to the most
    CN_SIZE_CURVE    // sieve curve by mass, straight over the logarithm of the size
} cn_size_kind;

typedef enum cn_size_by { CN_SIZE_BY_NUMBER = 0, CN_SIZE_BY_MASS } cn_size_by;
typedef enum cn_size_lots { CN_SIZE_RANDOM = 0, CN_SIZE_EVEN } cn_size_lots;

typedef struct cn_size_def {
    int kind;            // cn_size_kind
    int by;              // CN_SIZE_LIST, CN_SIZE_BETA: cn_size_by, what shares count
    int draw;            // CN_SIZE_BETA, CN_SIZE_CURVE: cn_size_lots
    double constant;     // CN_SIZE_CONSTANT
    double pair[2];      // CN_SIZE_UNIFORM, CN_SIZE_NORMAL
    cn_numbers value;    // CN_SIZE_LIST
    cn_numbers share;    // CN_SIZE_LIST; empty: equal shares
    double between[2];   // CN_SIZE_BETA: least and most
    double a, b;         // CN_SIZE_BETA
    cn_numbers diameter; // CN_SIZE_CURVE: of the sieves, smallest first
    cn_numbers passing;  // CN_SIZE_CURVE: mass that passes each of them [%], from 0 to 100
} cn_size_def;

typedef enum cn_grain_kind {
    CN_GRAIN_DISK = 0,
    CN_GRAIN_POLYGON,
    CN_GRAIN_BOX,
    CN_GRAIN_CAPSULE
} cn_grain_kind;

// Shape of one grain, drawn anew for each.
typedef struct cn_grain_def {
    int kind;           // cn_grain_kind
    cn_size_def radius; // disk, capsule; polygon: of the circle through its vertices
    double sides[2];    // polygon: least and most number of sides, drawn uniformly
    double irregular;   // polygon: 0 regular .. 1 angles as uneven as they can be
    double aspect;      // polygon: height over width before turning, 0 < aspect <= 1
    double box[2];      // box: width and height [m]
    double length;      // capsule: distance of the two centres [m]
} cn_grain_def;

typedef enum cn_grain3_kind {
    CN_GRAIN_SPHERE = 0,
    CN_GRAIN_BLOCK,
    CN_GRAIN_ROD,
    CN_GRAIN_POLYHEDRON,
    CN_GRAIN_CYLINDER
} cn_grain3_kind;

// The same in space.
typedef struct cn_grain3_def {
    int kind;           // cn_grain3_kind
    cn_size_def radius; // sphere, rod, cylinder; polyhedron: of the sphere through its vertices
    double box[3];      // block: sides [m]
    double length;      // rod: distance of the two centres; cylinder: along the axis [m]
    double vertices[2]; // polyhedron: least and most number, drawn uniformly
    double irregular;   // polyhedron: 0 vertices evenly spread .. 0.9 moved at random
} cn_grain3_def;

typedef enum cn_region_kind {
    CN_REGION_BOX = 0,
    CN_REGION_DISK, // in space a cylinder
    CN_REGION_ANNULUS
} cn_region_kind;

typedef enum cn_region_axis {
    CN_REGION_AXIS_Z = 0,
    CN_REGION_AXIS_X,
    CN_REGION_AXIS_Y
} cn_region_axis;

typedef struct cn_region {
    int kind;      // cn_region_kind
    int axis;      // cylinder: cn_region_axis
    double box[3]; // width and height, in space along x, y and z [m]
    double radius; // disk, annulus: outer [m]
    double inner;  // annulus: inner radius [m]
    double length; // cylinder [m]
    double at[3];  // centre [m]
} cn_region;

// The region inside a body (a drum: its inside) that stands at `at`. CN_BAD_INPUT if that shape has
// no inside that can be filled.
cn_status cn_region_from_shape(const cn_shape_def *shape, const double at[2], cn_region *region,
                               cn_error *err);

// The last three are of walls in space one block thick.
typedef enum cn_bond {
    CN_BOND_RUNNING = 0,
    CN_BOND_STACK,
    CN_BOND_ENGLISH, // a course of stretchers, a course of headers
    CN_BOND_FLEMISH, // stretchers and headers by turns in every course
    CN_BOND_HEADER   // headers only
} cn_bond;
typedef enum cn_wall_start { CN_WALL_START_FULL = 0, CN_WALL_START_HALF } cn_wall_start;

// A door or a window of a wall, with a lintel or a flat arch unless it is as high as the wall.
typedef struct cn_opening_def {
    double at[2];   // its middle along x, and its sill [m]
    double size[2]; // width and height [m]
    double bearing; // of the lintel on each side [m]; NaN: half a block
    int voussoirs;  // of the flat arch; 0: a lintel
    double skew;    // of its ends, from the vertical [rad]
} cn_opening_def;

// Courses of equal blocks; running bond shifts every second course by half a block and ends it with
// half blocks. In space a wall may have several leaves side by side; positions of a course count
// through its leaves, in bonds across the wall from left to right, the front before the back.
// Irregular walls move joints, which both neighbours share: courses stay straight and closed.
typedef struct cn_wall_def {
    double length; // [m]; NaN: from `blocks`
    double blocks; // blocks per course, a multiple of 1/2; NaN: from `length`
    int courses;
    double block[3];     // width and height, in space length, thickness and height [m]
    int leaves;          // in space
    double leaf_gap;     // in space, between leaves [m]
    int through;         // in space: every so many courses has through-stones; 0: none
    int through_spacing; // of those courses every so many blocks is one
    double head_gap;     // between blocks of a course [m]
    double bed_gap;      // below each course but the first [m]
    int bond;            // cn_bond
    int start;           // cn_wall_start: with what the lowest course begins
    cn_structs openings; // cn_opening_def
    double irregular[2]; // random way of head joints and beds, shares of a block; NaN: none
    double lean;         // random way of the upper end of a head joint from its lower one, likewise
    double seed;         // whole number
} cn_wall_def;

typedef enum cn_arch_form {
    CN_ARCH_SEMICIRCULAR = 0,
    CN_ARCH_SEGMENTAL,
    CN_ARCH_POINTED,
    CN_ARCH_FLAT
} cn_arch_form;

// Voussoirs with straight edges between shared joints; the springing points of the intrados are on
// y = 0. Course 1 holds the voussoirs from left to right, course 2 the abutments (left, right),
// which are supports and come last. Left and right are mirror images bit for bit. In space all are
// prisms along y and the springing is on z = 0.
typedef struct cn_arch_def {
    int form;         // cn_arch_form
    int blocks;       // voussoirs
    double radius;    // of the centreline; not for flat arches [m]
    double thickness; // intrados to extrados; flat arch: depth [m]
    double embrace;   // segmental: angle between the end joints [rad]
    double offset;    // pointed: distance of the centres of the two arcs from the axis [m]
    double span;      // flat: at the soffit, which is y = 0 [m]
    double focus;     // flat: depth below the soffit of the point all joints aim at [m]
    double depth;     // in space, along y [m]
    bool abutments;
} cn_arch_def;

// Blocks on top of each other, lowest first: course k, position 1.
typedef struct cn_stack_def {
    int blocks;
    double block[3]; // width and height, in space along x, y and z [m]
    double top;    // width of the top face of the uppermost block: tapered drums; NaN: no taper [m]
    double gap;    // below each block but the first [m]
    double offset; // shift of each block from the one below [m]
    cn_numbers offsets; // the same block by block, lowest first; replaces offset [m]
    double harmonic; // > 0: offsets harmonic x L/(2k), k from the top, from a table edge at x = 0
} cn_stack_def;

typedef enum cn_pack_method {
    CN_PACK_AUTO = 0, // the first of the next three that fits
    CN_PACK_RANDOM,   // at random places: loose, up to a fill of about 0.5
    CN_PACK_LATTICE,  // near the nodes of a close-packed lattice, as loose as the region allows
    CN_PACK_DENSE     // from the lowest place up, each grain touching others
} cn_pack_method;

// Grains in a region without overlap; one of count and fill is given. Course 1, position = order.
typedef struct cn_pack_def {
    cn_region inside;
    cn_grain_def shape;  // in the plane
    cn_grain3_def solid; // in space
    int count;           // 0: from fill
    double fill;         // area (volume) of the grains over that of the region; NaN: from count
    double gap;          // least distance between grains and to the walls [m]
    int method;          // cn_pack_method
    double seed;         // whole number
} cn_pack_def;

// Rows of copies; course = row from below, position = column from the left. In space columns, rows
// and layers are along x, y and z; course = layer from below, position = row by row in it.
typedef struct cn_grid_def {
    int columns, rows, layers;
    double spacing[3];   // [m]
    double stagger;      // shift of every second row (layer) in x over the spacing [-]
    double jitter;       // largest random displacement in each direction [m]
    bool turned;         // each copy turned at random
    double seed;         // whole number
    cn_grain_def shape;  // in the plane
    cn_grain3_def solid; // in space
} cn_grid_def;

// Pieces on circles around the origin, in the plane; one of rings and count is given. Course = ring
// from inside, position counterclockwise.
typedef struct cn_ring_def {
    double radius; // of the circle that the first ring is around [m]
    int rings;     // 0: from count
    int count;     // of all pieces; 0: from rings
    int around;    // pieces of each ring; 0: as many as fit
    double gap;    // least distance between pieces and to the circle inside [m]
    double seed;   // whole number
    cn_grain_def shape;
} cn_ring_def;

// Bars of prisms in space that cables hold; course = level, position = bar.
typedef struct cn_tensegrity_def {
    int bars, levels;
    double radius, height, bar; // of the circles, of a level, of the bars [m]
    double twist;               // of top ends against bottom ends; NaN: that of equilibrium [rad]
} cn_tensegrity_def;
cn_generate cn_generate_tensegrity;
extern const cn_generator cn_tensegrity_generator;

// A row of capsules from place to place, end on end; course = 1, position = link.
typedef struct cn_rope_def {
    int links;
    double from[3], to[3]; // [m]
    double length;         // of all links; NaN: the distance of both places [m]
    int bend;              // 0: a longer one hangs below them, 1: it lies above
    double radius;         // of the links [m]
} cn_rope_def;
cn_generate cn_generate_rope;
extern const cn_generator cn_rope_generator;

cn_generate cn_generate_wall, cn_generate_arch, cn_generate_stack, cn_generate_pack,
    cn_generate_grid, cn_generate_ring;
