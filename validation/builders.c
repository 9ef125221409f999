// validation/builders.c -- bodies and structures that several cases share.
#include "builders.h"

#include <stdlib.h>
#include <string.h>

static cn_body_id add_shape(cn_trial *t, cn_shape_def shape, cn_body_def rest)
{
    rest.shapes = (cn_shape_parts){1, &shape};
    return cn_trial_add(t, &rest);
}

cn_body_id cn_build_disk(cn_trial *t, double radius, cn_body_def rest)
{
    return add_shape(t, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = radius}, rest);
}

cn_body_id cn_build_capsule(cn_trial *t, double radius, double length, cn_body_def rest)
{
    cn_shape_def shape = {.kind = CN_SHAPE_CAPSULE, .radius = radius, .length = length};
    return add_shape(t, shape, rest);
}

cn_body_id cn_build_polygon(cn_trial *t, int vertex_count, const double *vertex, cn_body_def rest)
{
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = vertex_count, .vertex = vertex};
    return add_shape(t, shape, rest);
}

cn_body_id cn_build_box(cn_trial *t, double width, double height, cn_body_def rest)
{
    double vertex[8];
    cn_box_vertices(width, height, vertex);
    return cn_build_polygon(t, 4, vertex, rest);
}

cn_body_id cn_build_plane(cn_trial *t, cn_body_def rest)
{
    rest.fixed = CN_FIXED_ALL;
    rest.mass = rest.inertia[2] = 1.0;
    return add_shape(t, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, rest);
}

cn_bin cn_build_bin(cn_trial *t, double half, const double at[3])
{
    const double s = sqrt(0.5), x = at[0], y = at[1], z = at[2];
    cn_body_def wall[CN_BIN_WALL_MAX] = {
        {.at = {x, y, z}},
        {.at = {x - half, y, z}, .angle = -0.5 * CN_PI},
        {.at = {x + half, y, z}, .angle = 0.5 * CN_PI},
        {.at = {x, y, z - half}, .rotation = {s, s, 0.0, 0.0}},
        {.at = {x, y, z + half}, .rotation = {s, -s, 0.0, 0.0}},
    };
    cn_bin bin = {.wall_count = t->place.dim == 2 ? 3 : 5};
    for (int k = 0; k < bin.wall_count; k++) {
        bin.wall[k] = cn_build_plane(t, wall[k]);
    }
    return bin;
}

// Powers of two, so that adding and subtracting the radius rounds as little as possible.
#define BALL_RADIUS 0.5

cn_ball cn_build_ball(cn_book *book, const cn_world_def *def, const cn_law_def *law, double z,
                      double v)
{
    cn_ball ball = {.trial = cn_trial_begin(book, def)};
    cn_trial_law(&ball.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_build_plane(&ball.trial, (cn_body_def){0});
    ball.id = cn_build_disk(&ball.trial, BALL_RADIUS,
                            (cn_body_def){.mass = 1.0,
                                          .inertia = {0.0, 0.0, 1.0},
                                          .at = {0.0, z + BALL_RADIUS},
                                          .velocity = {0.0, v},
                                          .fixed = 1u << CN_DOF_RZ});
    return ball;
}

double cn_ball_height(const cn_ball *ball)
{
    return cn_trial_state(&ball->trial, ball->id).position[1] - BALL_RADIUS;
}

double cn_ball_velocity(const cn_ball *ball)
{
    return cn_trial_state(&ball->trial, ball->id).velocity[1];
}

double cn_ball_energy(const cn_ball *ball)
{
    double v = cn_ball_velocity(ball);
    return 0.5 * v * v + CN_G * cn_ball_height(ball);
}

cn_body_id cn_build_box_on_plane(cn_trial *t, double width, double height, double density,
                                 double slope, double speed_along, double twist)
{
    double c = cos(slope), s = sin(slope);
    cn_build_plane(t, (cn_body_def){.angle = slope});
    return cn_build_box(t, width, height,
                        (cn_body_def){.density = density,
                                      .at = {-0.5 * height * s, 0.5 * height * c},
                                      .angle = slope,
                                      .rotation = {cos(0.5 * twist), 0.0, sin(0.5 * twist), 0.0},
                                      .velocity = {speed_along * c, speed_along * s}});
}

void cn_joints_circular(int stone_count, double R, double t, double embrace, cn_joint *joint)
{
    for (int k = 0; k <= stone_count; k++) {
        double from_crown = embrace * (0.5 - (double)k / stone_count);
        cn_vec2 out = {-sin(from_crown), cos(from_crown)};
        joint[k].in = cn_mul2(R - 0.5 * t, out);
        joint[k].ex = cn_mul2(R + 0.5 * t, out);
    }
}

void cn_joints_pointed(int stone_count, double R, double t, double c, cn_joint *joint)
{
    int half = stone_count / 2;
    double r_in = R - 0.5 * t, r_ex = R + 0.5 * t;
    for (int k = 0; k < half; k++) {
        double angle = acos(c / R) * k / half;
        cn_vec2 out = {cos(angle), sin(angle)};
        cn_vec2 in = {r_in * out.x - c, r_in * out.y}, ex = {r_ex * out.x - c, r_ex * out.y};
        joint[stone_count - k] = (cn_joint){in, ex};
        joint[k] = (cn_joint){{-in.x, in.y}, {-ex.x, ex.y}};
    }
    joint[half] = (cn_joint){{0.0, sqrt(r_in * r_in - c * c)}, {0.0, sqrt(r_ex * r_ex - c * c)}};
}

void cn_joints_flat(int stone_count, double span, double depth, double focus, cn_joint *joint)
{
    for (int k = 0; k <= stone_count; k++) {
        double x = span * ((double)k / stone_count - 0.5);
        joint[k] = (cn_joint){{x, 0.0}, {x * (focus + depth) / focus, depth}};
    }
}

// Held block behind an end joint: `away` is +1 at the left end and -1 at the right one.
static cn_body_id add_support(cn_trial *t, cn_joint joint, double away)
{
    cn_vec2 along = cn_sub2(joint.ex, joint.in);
    cn_vec2 a = cn_mul2(0.5, along), d = cn_mul2(away, cn_left2(along));
    cn_vec2 p = cn_sub2(joint.in, a), q = cn_add2(joint.ex, a);
    if (away < 0.0) {
        cn_vec2 swap = p;
        p = q;
        q = swap;
    }
    double vertex[8] = {p.x, p.y, q.x, q.y, q.x + d.x, q.y + d.y, p.x + d.x, p.y + d.y};
    return cn_build_polygon(t, 4, vertex, (cn_body_def){.density = 1.0, .fixed = CN_FIXED_ALL});
}

// Stone between joint[0] and joint[pieces].
static cn_body_id add_stone(cn_trial *t, int pieces, const cn_joint *joint, double density)
{
    double vertex[CN_PIECE_MAX][8];
    cn_shape_def shape[CN_PIECE_MAX];
    for (int k = 0; k < pieces; k++) {
        const cn_joint *l = &joint[k], *r = &joint[k + 1];
        const cn_vec2 corner[4] = {l->in, r->in, r->ex, l->ex};
        for (int n = 0; n < 4; n++) {
            vertex[k][2 * n] = corner[n].x;
            vertex[k][2 * n + 1] = corner[n].y;
        }
        shape[k] = (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex[k]};
    }
    return cn_trial_add(t, &(cn_body_def){.density = density, .shapes = {pieces, shape}});
}

cn_arch cn_build_arch(cn_trial *t, int stone_count, int pieces, const cn_joint *joint,
                      double density)
{
    cn_arch arch = {.stone_count = stone_count};
    arch.support[0] = add_support(t, joint[0], 1.0);
    arch.support[1] = add_support(t, joint[stone_count * pieces], -1.0);
    for (int k = 0; k < stone_count; k++) {
        arch.stone[k] = add_stone(t, pieces, joint + k * pieces, density);
        arch.weight += CN_G * cn_trial_state(t, arch.stone[k]).mass;
    }
    return arch;
}

double cn_arch_first_step(cn_book *book, int stone_count, const cn_joint *joint, double mu,
                          int *sliding)
{
    const double h = 1e-3;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_build_arch(&t, stone_count, 1, joint, 2000.0);
    cn_trial_step(&t, h);
    double speed = cn_trial_speed(&t);
    if (sliding) {
        *sliding = t.is_broken ? 0 : cn_world_view(t.world).certificate->solver.slide_count;
    }
    cn_trial_end(&t);
    return speed / (CN_G * h);
}

void cn_build_stack(cn_trial *t, int count, double width, double height, double density,
                    cn_body_id *id)
{
    cn_build_plane(t, (cn_body_def){0});
    for (int k = 0; k < count; k++) {
        id[k] = cn_build_box(t, width, height,
                             (cn_body_def){.density = density, .at = {0.0, (k + 0.5) * height}});
    }
}

cn_saved cn_save(cn_trial *t)
{
    cn_saved saved = {0};
    const cn_state_part *part = NULL;
    cn_error err;
    int count = 0;
    if (t->is_broken || !cn_trial_ok(t, cn_world_state(t->world, &part, &count, &err), &err)) {
        return saved;
    }
    saved.part = calloc((size_t)count, sizeof *saved.part);
    for (int k = 0; saved.part && k < count; k++) {
        size_t size = part[k].element_size * part[k].count;
        void *copy = malloc(size + 1);
        if (copy && size > 0) {
            memcpy(copy, part[k].data, size);
        }
        saved.part[k] = part[k];
        saved.part[k].data = copy;
        saved.count = k + 1;
    }
    return saved;
}

void cn_save_restore(const cn_saved *saved, cn_trial *t)
{
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_world_restore(t->world, saved->part, saved->count, &err), &err);
    }
}

void cn_save_free(cn_saved *saved)
{
    for (int k = 0; k < saved->count; k++) {
        free((void *)saved->part[k].data);
    }
    free(saved->part);
    *saved = (cn_saved){0};
}

// splitmix64
double cn_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

cn_placement cn_placement_default(int dim)
{
    return (cn_placement){.place = dim == 2 ? cn_place_plane() : cn_place_along_axes(0.08),
                          .scale = 1.0,
                          .weight = 1.0,
                          .threads = 1};
}

// The wall of the bin moves with the frame, and did so before the first step, too.
static void move_wall(cn_trial *t, const cn_placement *p, cn_body_id wall)
{
    cn_vec3 v = cn_place_out(&t->place, cn_v3(p->velocity[0], p->velocity[1], p->velocity[2]));
    const double part[3] = {v.x, v.y, v.z};
    cn_body_state state;
    cn_error err;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_body_get(t->world, wall, &state, &err), &err);
    for (int k = 0; k < t->place.dim && !t->is_broken; k++) {
        cn_drive_def drive = {.body = wall,
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = (cn_dof)(CN_DOF_X + k),
                              .f = cn_constant(part[k])};
        cn_trial_ok(t, cn_drive_add(t->world, &drive, &err), &err);
        state.velocity[k] = part[k];
    }
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_body_set(t->world, wall, &state, &err), &err);
}

// Where body k is, how it is turned and how it moves: on a grid, disturbed.
static cn_body_def scatter(const cn_placement *p, int k, double *size)
{
    const bool is_flat = p->place.dim == 2;
    const int columns = is_flat ? 5 : 3, layer = is_flat ? k / 5 : k / 9;
    uint64_t seed = 1000u + (uint64_t)k;
    *size = p->scale * 0.05 * (0.8 + 0.4 * cn_random(&seed));
    double x = 0.13 * (k % columns - columns / 2) + 0.02 * cn_random(&seed);
    double y = 0.08 + 0.13 * layer + 0.02 * cn_random(&seed);
    double fall = sqrt(p->scale) * 0.8, slow = 1.0 / sqrt(p->scale);
    cn_body_def body = {.density = 2000.0 * p->weight,
                        .at = {p->scale * x + p->shift[0], p->scale * y + p->shift[1]},
                        .angle = 6.0 * cn_random(&seed),
                        .velocity = {p->velocity[0], p->velocity[1] - fall, p->velocity[2]},
                        .angular_velocity[2] = slow * (cn_random(&seed) - 0.5)};
    if (!is_flat) {
        double z = 0.13 * (k / 3 % 3 - 1) + 0.02 * cn_random(&seed);
        cn_quat turn = cn_quat_unit(
            (cn_quat){cn_random(&seed), cn_random(&seed), cn_random(&seed), cn_random(&seed)});
        body.at[2] = p->scale * z + p->shift[2];
        memcpy(body.rotation, (double[]){turn.w, turn.x, turn.y, turn.z}, sizeof body.rotation);
        body.angular_velocity[0] = slow * (cn_random(&seed) - 0.5);
        body.angular_velocity[1] = slow * (cn_random(&seed) - 0.5);
    }
    return body;
}

// Body k of the pile: disks, boxes, pentagons and capsules by turns.
static cn_body_id add_mixed(cn_trial *t, const cn_placement *p, int k)
{
    static const double pentagon[10] = {1.0, 0.0, 0.4, 0.8, -0.7, 0.6, -0.8, -0.5, 0.3, -0.9};
    double size, vertex[10];
    cn_body_def rest = scatter(p, k, &size);
    for (int n = 0; n < 10; n++) {
        vertex[n] = size * pentagon[n];
    }
    switch (p->is_round ? k % 2 * 3 : k % 4) {
    case 0:
        return cn_build_disk(t, size, rest);
    case 1:
        return cn_build_box(t, 1.6 * size, 1.2 * size, rest);
    case 2:
        return cn_build_polygon(t, 5, vertex, rest);
    default:
        return cn_build_capsule(t, 0.4 * size, size, rest);
    }
}

cn_mixed cn_build_mixed(cn_book *book, const cn_placement *p, const cn_law_def *law, double eps_v)
{
    cn_world_def def = cn_trial_def();
    cn_place place = p->place;
    def.solver.eps_v = def.solver.tol = eps_v;
    // Plain sweeps: scaled by powers of two they round alike, which matrices do not.
    def.solver.method = CN_METHOD_NLGS;
    def.threads = p->threads;
    place.depth *= p->scale;
    cn_mixed mixed = {.trial = cn_trial_begin_at(book, &def, &place)};
    cn_trial_law(&mixed.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_bin bin = cn_build_bin(&mixed.trial, p->scale * (place.dim == 2 ? 0.4 : 0.25), p->shift);
    for (int k = 0; k < bin.wall_count; k++) {
        move_wall(&mixed.trial, p, bin.wall[k]);
    }
    for (int n = 0; n < CN_MIXED_COUNT; n++) {
        int k = p->is_reversed ? CN_MIXED_COUNT - 1 - n : n;
        mixed.id[k] = add_mixed(&mixed.trial, p, k);
    }
    return mixed;
}

void cn_mixed_pose(const cn_mixed *mixed, const cn_placement *p, int k, double pose[CN_POSE_SIZE])
{
    cn_body_state s = cn_trial_state(&mixed->trial, mixed->id[k]);
    double time = mixed->trial.is_broken ? 0.0 : cn_world_view(mixed->trial.world).time;
    memset(pose, 0, CN_POSE_SIZE * sizeof *pose);
    for (int d = 0; d < p->place.dim; d++) {
        pose[d] = (s.position[d] - p->shift[d] - time * p->velocity[d]) / p->scale;
    }
    if (p->place.dim == 2) {
        pose[2] = s.angle;
        return;
    }
    cn_mat3 R =
        cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
    memcpy(pose + 3, &R, 9 * sizeof *pose);
}
