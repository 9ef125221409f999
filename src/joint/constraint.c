// joint/constraint.c -- joints in the problem of a step, theory 4.31 to 4.35.
//
// Rows are formed once, at q_mid. What changes from solve to solve of a step is the shift b: it is
// such that the gap measured at the next middle configuration, not its linearization, is zero.
#include <math.h>
#include <string.h>

#include "joint/joints.h"

enum { SOLVES_MAX = 40 };

void cn_joints_room(const cn_joints *joints, int *constraints, int *rows)
{
    *constraints = *rows = 0;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        *constraints += 1 + link->motor_rows;
        *rows += link->rows + link->motor_rows;
    }
}

// u = H^T v of all rows of a joint (2.4).
static void relative_velocity(const cn_link *link, const cn_link_step *s, const cn_bodies *b,
                              const double *velocity, double *u)
{
    int dof = b->kind->dof;
    const double *v_i = cn_body_v(b, velocity, link->i);
    const double *v_j = link->j < 0 ? NULL : cn_body_v(b, velocity, link->j);
    for (int k = 0; k < link->rows + link->motor_rows; k++) {
        double along_i = 0.0, along_j = 0.0;
        for (int d = 0; d < dof; d++) {
            along_i += s->H_i[dof * k + d] * v_i[d];
            along_j += v_j == NULL ? 0.0 : s->H_j[dof * k + d] * v_j[d];
        }
        u[k] = along_i - along_j;
    }
}

// One constraint of `rows` rows, the first of them row k of the joint, at the end of the problem.
static void append(const cn_link *link, const cn_link_step *s, int k, int rows, const cn_bodies *b,
                   cn_contacts *c, cn_problem *p)
{
    int a = p->contact_count++, dof = b->kind->dof, row = c->row_start[a];
    const int body[2] = {link->i, link->j};
    const double *const H[2] = {s->H_i, s->H_j};
    c->row_start[a + 1] = row + rows;
    for (int side = 0; side < 2; side++) {
        bool is_moved = body[side] >= 0 && !cn_body_is_held(b, body[side]);
        int block = c->G_count;
        c->G_count += dof * rows;
        c->body[2 * a + side] = is_moved ? body[side] : -1;
        c->block_start[2 * a + side] = block;
        if (is_moved) {
            b->kind->scale(b->root + b->kind->root_size * body[side], rows, H[side] + dof * k,
                           side == 0 ? 1.0 : -1.0, c->G + block); // (4.6)
        }
    }
}

// Shift and compliance of an elastic joint (4.35): `ahead` is the gap at q+ less theta h u.
static double elastic_shift(const cn_joints *joints, const cn_link *link, const cn_link_step *s,
                            double ahead, double *compliance)
{
    double h = joints->h, theta = joints->theta, k = link->stiffness, eta = link->damping;
    double D = h * theta * (k * theta * h + eta);
    *compliance = 1.0 / D;
    return h / D *
           (k * ((1.0 - theta) * s->gap_start + theta * ahead) +
            eta * (1.0 - theta) * s->u_before[0]);
}

// First shifts of the step: gaps of the next middle configuration as velocities forecast them.
static void set_shifts(const cn_joints *joints, const cn_link *link, const cn_bodies *b,
                       const cn_link_place *mid, cn_link_step *s, double *shift, double *compliance)
{
    double h = joints->h, theta = joints->theta, gamma = joints->gamma, gap[CN_ROW_MAX];
    if (cn_link_is_elastic(link)) {
        cn_link_place start = cn_link_place_at(link, b, b->q_before);
        cn_link_gaps(link, &start, gap);
        s->gap_start = gap[0];
        double ahead = gap[0] + (1.0 - theta) * h * s->u_before[0];
        shift[0] = elastic_shift(joints, link, s, ahead, compliance);
        return;
    }
    cn_link_gaps(link, mid, gap);
    for (int k = 0; k < link->rows; k++) {
        shift[k] =
            (gap[k] + (1.0 - theta - gamma) * h * s->u_before[k]) / ((theta + gamma) * h); // (4.33)
    }
}

static cn_status assemble_one(cn_joints *joints, int n, const cn_bodies *b, cn_contacts *c,
                              cn_problem *p, cn_error *err)
{
    const cn_link *link = &joints->link[n];
    cn_link_step *s = &joints->step[n];
    *s = (cn_link_step){.constraint = -1};
    if (!cn_link_acts(link, b)) {
        return CN_OK;
    }
    int a = s->constraint = p->contact_count, row = c->row_start[a];
    cn_link_place mid = cn_link_place_at(link, b, b->q_mid);
    cn_link_rows(link, b, &mid, b->q_mid, s->H_i, s->H_j);
    relative_velocity(link, s, b, b->v, s->u_before);
    relative_velocity(link, s, b, b->v_free, c->u_free + row); // (4.4)
    double compliance = 0.0;
    set_shifts(joints, link, b, &mid, s, c->b + row, &compliance);
    append(link, s, 0, link->rows, b, c, p);
    c->kind[a] = link->kind == CN_JOINT_CABLE ? CN_CORE_CONE : CN_CORE_BILATERAL;
    c->mu[a] = 0.0;
    if (cn_link_is_elastic(link)) {
        CN_TRY(cn_contact_need_compliance(c, err));
        p->c = c->c;
        c->c[row] = compliance;
    }
    if (link->motor_rows > 0) { // (4.36)
        double arm = link->row[link->rows].is_spin ? link->arm : 1.0;
        append(link, s, link->rows, 1, b, c, p);
        c->kind[a + 1] = CN_CORE_BOUNDED;
        c->mu[a + 1] = link->motor_limit * joints->h / arm;
        c->b[row + link->rows] = -link->motor_speed * arm;
    }
    double scale = joints->memory_h > 0.0 ? joints->h / joints->memory_h : 0.0;
    for (int k = 0; k < link->rows + link->motor_rows; k++) {
        c->r[row + k] = scale * link->r[k];
    }
    return CN_OK;
}

cn_status cn_joint_assemble(cn_joints *joints, const cn_bodies *b, double h, double theta,
                            double gamma, cn_contacts *c, cn_problem *p, cn_error *err)
{
    joints->h = h;
    joints->theta = theta;
    joints->gamma = gamma;
    joints->solve_count = 0;
    joints->excess = 0.0;
    joints->worst = -1;
    int first_row = c->row_start[c->count];
    for (int n = 0; n < joints->count; n++) {
        CN_TRY(assemble_one(joints, n, b, c, p, err));
    }
    for (int row = first_row; row < c->row_start[p->contact_count] && c->has_r0; row++) {
        c->r0[row] = 0.0;
    }
    return CN_OK;
}

// Place of a joint at the next middle configuration.
static cn_link_place place_ahead(const cn_joints *joints, const cn_link *link, const cn_bodies *b)
{
    double q_i[7], q_j[7];
    double dt = joints->gamma * joints->h;
    b->kind->advance(cn_body_q(b, b->q, link->i), cn_body_v(b, b->v, link->i), dt, q_i);
    if (link->j >= 0) {
        b->kind->advance(cn_body_q(b, b->q, link->j), cn_body_v(b, b->v, link->j), dt, q_j);
    }
    return cn_link_place_between(link, b, q_i, link->j < 0 ? NULL : q_j);
}

// What the step does to a joint, and the shifts that its gaps ask for (4.34).
static void measure(const cn_joints *joints, const cn_link *link, const cn_bodies *b,
                    const cn_contacts *c, cn_link_step *s)
{
    int row = c->row_start[s->constraint];
    double compliance;
    relative_velocity(link, s, b, b->v_solved, s->u);
    memcpy(s->r, c->r + row, sizeof(double) * (size_t)(link->rows + link->motor_rows));
    cn_link_place ahead = place_ahead(joints, link, b);
    cn_link_gaps(link, &ahead, s->gap);
    for (int k = 0; k < link->rows; k++) {
        s->shift[k] = s->gap[k] / ((joints->theta + joints->gamma) * joints->h) - s->u[k];
    }
    if (cn_link_is_elastic(link)) {
        double gap[CN_ROW_MAX];
        cn_link_place end = cn_link_place_at(link, b, b->q);
        cn_link_gaps(link, &end, gap);
        s->gap_end = gap[0];
        s->shift[0] = elastic_shift(joints, link, s, gap[0] - joints->theta * joints->h * s->u[0],
                                    &compliance);
    }
    double force = 0.0;
    for (int k = 0; k < link->rows; k++) {
        force += link->row[k].is_spin ? 0.0 : s->r[k] * s->r[k];
    }
    s->breaks = link->strength > 0.0 && sqrt(force) > link->strength * joints->h;
}

// Largest change of a shift over the accepted one, or over what rounding makes of 1e-12 of a body.
static double excess_of(const cn_joints *joints, const cn_link *link, const cn_link_step *s,
                        const cn_bodies *b, const cn_contacts *c, double accepted)
{
    const double *shift = c->b + c->row_start[s->constraint];
    double way = (joints->theta + joints->gamma) * joints->h, change = 0.0;
    bool is_slack = link->kind == CN_JOINT_CABLE && s->r[0] == 0.0 && s->u[0] + s->shift[0] >= 0.0;
    for (int k = 0; k < link->rows && !is_slack; k++) {
        change = fmax(change, fabs(s->shift[k] - shift[k]));
    }
    const double *q = cn_body_q(b, b->q, link->i);
    double far = fabs(q[0]) + fabs(q[1]) + (b->dim == 3 ? fabs(q[2]) : 0.0);
    return change / fmax(accepted, (1e-12 * link->arm + 1e-15 * far) / way);
}

bool cn_joint_refine(cn_joints *joints, const cn_bodies *b, double accepted, cn_contacts *c)
{
    double before = joints->solve_count > 0 ? joints->excess : INFINITY;
    joints->excess = 0.0;
    joints->solve_count++;
    for (int n = 0; n < joints->count; n++) {
        cn_link_step *s = &joints->step[n];
        if (s->constraint < 0) {
            continue;
        }
        measure(joints, &joints->link[n], b, c, s);
        double excess = excess_of(joints, &joints->link[n], s, b, c, accepted);
        if (!(excess <= joints->excess)) {
            joints->excess = excess;
            joints->worst = n;
        }
    }
    bool is_stuck = joints->solve_count > 4 && !(joints->excess <= 0.5 * before);
    if (joints->excess <= 1.0 || is_stuck || joints->solve_count == SOLVES_MAX) {
        return true;
    }
    for (int n = 0; n < joints->count; n++) {
        const cn_link_step *s = &joints->step[n];
        if (s->constraint >= 0) {
            memcpy(c->b + c->row_start[s->constraint], s->shift,
                   sizeof(double) * (size_t)joints->link[n].rows);
        }
    }
    return false;
}

cn_status cn_joint_fail(const cn_joints *joints, cn_error *err)
{
    const cn_link *link = &joints->link[joints->worst];
    double gap, angle;
    cn_link_gap_sizes(link, joints->step[joints->worst].gap, &gap, &angle);
    return cn_fail(err, CN_NOT_CONVERGED,
                   "joint %llu, a %s, keeps a gap of %.3g m and %.3g rad after %d solves: joints "
                   "that contradict each other, or a step too long for the rate of turning",
                   (unsigned long long)link->id, cn_joint_kind_name(link->kind), gap, angle,
                   joints->solve_count);
}

// Rate of the angle, way or distance that cn_link_position gives.
static double speed_of(const cn_link *link, const cn_bodies *b, const double *q, const double *v)
{
    cn_link free = *link; // as if it had a motor: its row measures the motion that is left
    cn_link_step s;
    double u[CN_ROW_MAX];
    free.motor_limit = 1.0;
    cn_link_list_rows(&free, b->dim);
    cn_link_place at = cn_link_place_at(&free, b, q);
    cn_link_rows(&free, b, &at, q, s.H_i, s.H_j);
    relative_velocity(&free, &s, b, v, u);
    if (cn_link_is_line(link)) {
        return link->kind == CN_JOINT_CABLE ? -u[0] : u[0];
    }
    if (free.motor_rows == 0) {
        return 0.0;
    }
    return free.row[free.rows].is_spin ? u[free.rows] / free.arm : u[free.rows];
}

static void put(cn_vec3 a, double *x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

void cn_joint_fill_state(cn_joints *joints, const cn_bodies *b, int n)
{
    const cn_link *link = &joints->link[n];
    const cn_link_step *s = &joints->step[n];
    bool acts = s->constraint >= 0;
    cn_joint_state *to = &joints->state[n];
    *to = (cn_joint_state){.id = link->id,
                           .kind = link->kind,
                           .i = link->i,
                           .j = link->j,
                           .is_broken = link->is_broken,
                           .position = cn_link_position(link, b, b->q),
                           .speed = speed_of(link, b, b->q, b->v)};
    cn_link_place at = cn_link_place_at(link, b, acts ? b->q_mid : b->q);
    cn_vec3 impulse = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
    for (int k = 0; k < link->rows && acts; k++) {
        cn_vec3 axis = at.axis[link->row[k].axis];
        if (link->row[k].is_spin) {
            moment = cn_add_mul3(moment, link->arm * s->r[k], axis);
        } else {
            impulse = cn_add_mul3(impulse, s->r[k], axis);
        }
    }
    put(impulse, to->impulse);
    put(moment, to->moment);
    put(at.point_i, to->point);
    put(at.point_j, to->end);
    put(link->kind == CN_JOINT_CABLE ? cn_neg3(at.axis[0]) : at.axis[0], to->axis);
    if (acts) {
        bool is_spin = link->row[link->rows - 1 + link->motor_rows].is_spin;
        to->motor = link->motor_rows == 0 ? 0.0 : s->r[link->rows] * (is_spin ? link->arm : 1.0);
        cn_link_gap_sizes(link, s->gap, &to->gap, &to->gap_angle);
    }
}

void cn_joint_gather(const cn_joints *joints, int n, double real[CN_JOINT_REALS])
{
    const cn_link *link = &joints->link[n];
    const double numbers[] = {link->length, link->motor_speed, link->motor_limit, link->arm};
    put(link->anchor_i, real);
    put(link->anchor_j, real + 3);
    for (int k = 0; k < 3; k++) {
        put(link->frame_i.row[k], real + 6 + 3 * k);
        put(link->frame_j.row[k], real + 15 + 3 * k);
    }
    memcpy(real + 24, numbers, sizeof numbers);
    memcpy(real + 28, link->r, sizeof link->r);
}

static cn_vec3 take(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

void cn_joint_restore(cn_joints *joints, const cn_bodies *b, int n, bool is_broken,
                      const double real[CN_JOINT_REALS])
{
    cn_link *link = &joints->link[n];
    link->anchor_i = take(real);
    link->anchor_j = take(real + 3);
    for (int k = 0; k < 3; k++) {
        link->frame_i.row[k] = take(real + 6 + 3 * k);
        link->frame_j.row[k] = take(real + 15 + 3 * k);
    }
    link->length = real[24];
    link->motor_speed = real[25];
    link->motor_limit = real[26];
    link->arm = real[27];
    memcpy(link->r, real + 28, sizeof link->r);
    link->is_broken = is_broken;
    cn_link_list_rows(link, b->dim);
    joints->step[n] = (cn_link_step){.constraint = -1};
    cn_joint_fill_state(joints, b, n);
}

void cn_joint_commit(cn_joints *joints, const cn_bodies *b)
{
    for (int n = 0; n < joints->count; n++) {
        cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        memcpy(link->r, s->r, sizeof link->r);
        link->is_broken = link->is_broken || s->breaks;
        cn_joint_fill_state(joints, b, n);
    }
    joints->memory_h = joints->h;
}
