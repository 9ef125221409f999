// joint/joint_rows.c -- joints in the problem of a step, theory 7.1 to 7.6 and 7.7.
//
// Rows are formed once, at q_mid. What changes from solve to solve of a step is the shift b: it is
// such that the gap measured at the next middle configuration, not its linearization, is zero; and
// the compliance of elastic cables.
#include <math.h>
#include <string.h>

#include "cairn/way.h"
#include "joint/joints.h"

// Solves in a step, and those without halving the change of shifts: cables of a chain get taut one
// after the other, a solve each, and the change stays until the last one has.
enum { SOLVES_MAX = 40, PATIENCE = 16 };

// Entries of a row of G on one side.
static int side_size(const cn_link *link, int side, const cn_bodies *b)
{
    return cn_link_is_mounted(link, side)
               ? cn_deformable_dof(b->deformables, link->mount[side].mesh)
               : b->kind->dof;
}

// Whether a side has no part in G: nothing moves it, its body is in the stored rows, or both sides
// are on one body and the first has it all.
static bool is_elsewhere(const cn_link *link, int side, const cn_bodies *b)
{
    int slot = cn_link_slot(link, side);
    if (slot < 0 || !cn_link_is_mounted(link, side)) {
        return slot < 0 || cn_body_is_held(b, slot);
    }
    return !cn_deformable_is_small(b->deformables, link->mount[side].mesh) ||
           (side == 1 && link->i == link->j);
}

void cn_joints_room(const cn_joints *joints, const cn_bodies *b, int *constraints, int *rows,
                    size_t *entries)
{
    *constraints = *rows = 0;
    *entries = 0;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        *constraints += 1 + link->motor_rows + link->stop_rows;
        *rows += cn_link_all_rows(link);
        for (int side = 0; side < 2; side++) {
            int size = is_elsewhere(link, side, b) ? 0 : side_size(link, side, b);
            *entries += (size_t)(size * cn_link_all_rows(link));
        }
    }
}

// A joint that acts in the step.
static bool acts(const cn_link *link, const cn_bodies *b)
{
    bool is_moved = false;
    for (int side = 0; side < 2; side++) {
        int slot = cn_link_slot(link, side);
        is_moved = is_moved || (cn_link_is_mounted(link, side)
                                    ? cn_mount_can_move(b->deformables, &link->mount[side])
                                    : slot >= 0 && !cn_body_is_held(b, slot));
    }
    return is_moved && !link->is_broken;
}

// Force and moment of a row of H.
void cn_link_split_row(const cn_bodies *b, const double *H, double sign, cn_vec3 *force,
                       cn_vec3 *moment)
{
    *force = cn_mul3(sign, cn_v3(H[0], H[1], b->dim == 3 ? H[2] : 0.0));
    *moment = b->dim == 2 ? cn_v3(0.0, 0.0, sign * H[2]) : cn_mul3(sign, cn_v3(H[3], H[4], H[5]));
}

// G of rows k .. k + rows - 1 on one side (4.8, 11.23).
static void factor_side(const cn_link *link, const cn_link_step *s, int side, int k, int rows,
                        const cn_bodies *b, double *G)
{
    int dof = b->kind->dof, size = side_size(link, side, b);
    const double *const H[2] = {s->H_i, s->H_j};
    if (!cn_link_is_mounted(link, side)) {
        b->kind->scale(b->root + b->kind->root_size * cn_link_slot(link, side), rows,
                       H[side] + dof * k, side == 0 ? 1.0 : -1.0, G);
        return;
    }
    memset(G, 0, sizeof(double) * (size_t)(size * rows));
    for (int own = side; own < (link->i == link->j ? 2 : side + 1); own++) {
        for (int n = 0; n < rows; n++) {
            cn_vec3 force, moment;
            cn_link_split_row(b, H[own] + dof * (k + n), own == 0 ? 1.0 : -1.0, &force, &moment);
            cn_mount_row(b->deformables, &link->mount[own], &s->turn[own], force, moment,
                         G + size * n);
        }
    }
    cn_iteration_matrix_root(cn_deformable_matrix_of(b->deformables, link->mount[side].mesh), rows,
                             G);
}

// One constraint of `rows` rows, the first of them row k of the joint, at the end of the problem.
static void append(const cn_link *link, const cn_link_step *s, int k, int rows, const cn_bodies *b,
                   cn_contacts *c, cn_problem *p)
{
    int a = p->contact_count++, row = c->row_start[a];
    c->row_start[a + 1] = row + rows;
    for (int side = 0; side < 2; side++) {
        bool is_mounted = cn_link_is_mounted(link, side);
        int block = c->G_count, slot = cn_link_slot(link, side);
        c->body[2 * a + side] = -1;
        c->block_start[2 * a + side] = block;
        if (!is_elsewhere(link, side, b)) {
            c->body[2 * a + side] = is_mounted ? b->count + link->mount[side].mesh : slot;
            c->G_count += side_size(link, side, b) * rows;
            factor_side(link, s, side, k, rows, b, c->G + block);
        }
    }
}

// A cable that does not yield pulls with the mean force over the way of its gap (4.21).
static double cable_shift(const cn_joints *joints, const cn_link *link, cn_way way, double ahead,
                          double *compliance)
{
    double shift;
    cn_way_end_in_contact(link->arm, 0.0, &way);
    cn_way_force force = cn_way_linear(link->stiffness, 0.0, &way);
    cn_way_damp(link->damping, joints->h, &way, &force);
    cn_way_line(joints->h, joints->theta, ahead, &way, &force, compliance, &shift);
    return shift;
}

// Shift and compliance of an elastic joint (7.5) whose gap at q+ is `to` if it moves with u.
static double elastic_shift(const cn_joints *joints, const cn_link *link, const cn_link_step *s,
                            double to, double u, double *compliance)
{
    double h = joints->h, theta = joints->theta, k = link->stiffness, eta = link->damping;
    double D = h * theta * (k * theta * h + eta), ahead = to - theta * h * u;
    if (cn_link_is_cable(link) && link->yield == 0.0) {
        return cable_shift(joints, link, (cn_way){s->gap_start, to}, ahead, compliance);
    }
    *compliance = 1.0 / D;
    return h / D *
           (k * ((1.0 - theta) * s->gap_start + theta * ahead) +
            eta * (1.0 - theta) * s->u_before[0]);
}

// What a cable that yields has besides in its shift: its core is bounded on both sides of half the
// yield (7.8).
static double yield_shift(const cn_joints *joints, const cn_link *link)
{
    double h = joints->h, theta = joints->theta;
    bool has_half = cn_link_is_cable(link) && link->yield > 0.0;
    return has_half ? link->yield / (2.0 * link->stiffness * theta * theta * h) : 0.0;
}

// The core of rods and cables, elastic ones and those that yield.
static cn_status set_line_core(const cn_joints *joints, const cn_link *link, double compliance,
                               int a, cn_contacts *c, cn_problem *p, cn_error *err)
{
    int row = c->row_start[a];
    if (!cn_link_is_elastic(link)) {
        return CN_OK;
    }
    CN_TRY(cn_contact_need_compliance(c, err));
    p->c = c->c;
    c->c[row] = compliance;
    if (link->yield > 0.0) {
        double half = cn_link_is_cable(link) ? 0.5 : 0.0;
        CN_TRY(cn_contact_need_offset(c, err));
        p->r0 = c->r0;
        c->kind[a] = CN_CORE_BOUNDED;
        c->mu[a] = (1.0 - half) * joints->h * link->yield;
        c->r0[row] = -half * joints->h * link->yield;
    }
    return CN_OK;
}

// First shifts of the step: gaps of the next middle configuration as velocities forecast them. That
// of a stop that bounces is its restitution (7.7).
static void set_shifts(const cn_joints *joints, const cn_link *link, const cn_bodies *b,
                       const double *gap, cn_link_step *s, double *shift, double *compliance)
{
    double h = joints->h, theta = joints->theta, gamma = joints->gamma, start[CN_LINK_ROWS];
    if (cn_link_is_elastic(link)) {
        cn_link_place at =
            cn_link_place_at(link, b, (cn_link_at){b->q_before, b->deformables->x_before, 0.0});
        cn_link_gaps(link, &at, start);
        s->gap_start = start[0];
        double u = s->u_before[0], to = start[0] + h * u;
        shift[0] = elastic_shift(joints, link, s, to, u, compliance) + yield_shift(joints, link);
        return;
    }
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        shift[k] = cn_link_is_stop(link, k) && link->restitution > 0.0
                       ? link->restitution * fmin(s->u_before[k], 0.0)
                       : (gap[k] + (1.0 - theta - gamma) * h * s->u_before[k]) /
                             ((theta + gamma) * h); // (7.3)
    }
}

// The row of a motor (7.6).
static void append_motor(const cn_joints *joints, const cn_link *link, const cn_link_step *s,
                         const cn_bodies *b, cn_contacts *c, cn_problem *p)
{
    int a = p->contact_count, k = link->rows;
    double arm = link->row[k].is_spin ? link->arm : 1.0;
    append(link, s, k, 1, b, c, p);
    c->kind[a] = CN_CORE_BOUNDED;
    c->mu[a] = link->motor_limit * joints->h / arm;
    c->b[c->row_start[a]] = -link->motor_speed * arm;
}

// Whether row k is about a gap: not a motor, nor a stop that bounces.
static bool is_closed_in_place(const cn_link *link, int k)
{
    return k < link->rows || (cn_link_is_stop(link, k) && !(link->restitution > 0.0));
}

// Whether row k, which only pushes, is not reached: a stop that bounces before its gap has
// vanished, any other if its velocity would have to change by more than there is. Such a row is
// left free until a solve shows that it is passed: shifts of slack cables are no velocities to
// measure errors by.
static bool is_far(const cn_link *link, const cn_link_step *s, int k, double gap, double u_free,
                   double shift)
{
    if (!cn_link_is_one_sided(link, k)) {
        return false;
    }
    return is_closed_in_place(link, k) ? u_free + shift > fabs(u_free) + fabs(s->u_before[k])
                                       : gap > 1e-9 * link->arm;
}

// Nothing beside the rows from `row` to `end`.
static void clear_beside(cn_contacts *c, int row, int end)
{
    for (; row < end; row++) {
        if (c->has_r0) {
            c->r0[row] = 0.0;
        }
        if (c->has_k) {
            c->k[row] = 0.0;
        }
    }
}

static cn_status assemble_one(cn_joints *joints, int n, const cn_bodies *b, cn_contacts *c,
                              cn_problem *p, cn_error *err)
{
    const cn_link *link = &joints->link[n];
    cn_link_step *s = &joints->step[n];
    *s = (cn_link_step){.constraint = -1};
    if (!acts(link, b)) {
        return CN_OK;
    }
    int a = s->constraint = p->contact_count, row = c->row_start[a];
    cn_link_form_rows(link, b, cn_link_mid(b), s);
    cn_link_velocity(link, s, b, b->v, b->deformables->v, s->u_before);
    cn_link_velocity(link, s, b, b->v_free, b->deformables->v_free, c->u_free + row); // (4.6)
    double compliance = 0.0, gap[CN_LINK_ROWS] = {0.0};
    double scale = joints->memory_h > 0.0 ? joints->h / joints->memory_h : 0.0;
    cn_link_place mid = cn_link_place_at(link, b, cn_link_mid(b));
    cn_link_gaps(link, &mid, gap);
    set_shifts(joints, link, b, gap, s, c->b + row, &compliance);
    append(link, s, 0, link->rows, b, c, p);
    c->kind[a] = cn_link_is_cable(link) ? CN_CORE_CONE : CN_CORE_BILATERAL;
    c->mu[a] = 0.0;
    CN_TRY(set_line_core(joints, link, compliance, a, c, p, err));
    if (link->motor_rows > 0) {
        append_motor(joints, link, s, b, c, p);
    }
    for (int k = link->rows + link->motor_rows; k < cn_link_all_rows(link); k++) { // (7.7)
        append(link, s, k, 1, b, c, p);
        c->kind[a + 1 + k - link->rows] = CN_CORE_CONE;
        c->mu[a + 1 + k - link->rows] = 0.0;
    }
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        double shift = c->b[row + k] - (k == 0 ? yield_shift(joints, link) : 0.0);
        bool is_free = is_far(link, s, k, gap[k], c->u_free[row + k], shift);
        c->r[row + k] = is_free ? 0.0 : scale * link->r[k];
        if (is_free) {
            c->kind[cn_link_constraint(link, s, k)] = CN_CORE_FREE;
            clear_beside(c, row + k, row + k + 1);
        }
    }
    return CN_OK;
}

cn_status cn_joint_assemble(cn_joints *joints, const cn_bodies *b, const cn_scheme *scheme,
                            cn_contacts *c, cn_problem *p, cn_error *err)
{
    joints->h = scheme->h;
    joints->theta = scheme->theta;
    joints->gamma = scheme->gamma;
    joints->solve_count = 0;
    joints->excess = 0.0;
    joints->worst = -1;
    for (int n = 0; n < joints->count; n++) {
        int first = c->row_start[p->contact_count];
        clear_beside(c, first, first + cn_link_all_rows(&joints->link[n]));
        CN_TRY(assemble_one(joints, n, b, c, p, err));
    }
    return CN_OK;
}

void cn_joint_relinearize(cn_joints *joints, const cn_bodies *b, cn_contacts *c)
{
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        bool is_mounted = cn_link_is_mounted(link, 0) || cn_link_is_mounted(link, 1);
        if (s->constraint < 0 || !is_mounted) {
            continue;
        }
        cn_link_velocity(link, s, b, b->v_free, b->deformables->v_free,
                         c->u_free + c->row_start[s->constraint]);
        for (int k = 0; k < cn_link_all_rows(link); k += k == 0 ? link->rows : 1) {
            int a = cn_link_constraint(link, s, k);
            for (int side = 0; side < 2; side++) {
                if (cn_link_is_mounted(link, side) && !is_elsewhere(link, side, b)) {
                    factor_side(link, s, side, k, c->row_start[a + 1] - c->row_start[a], b,
                                c->G + c->block_start[2 * a + side]);
                }
            }
        }
    }
}

void cn_joint_push(const cn_joints *joints, const cn_contacts *c, cn_bodies *b)
{
    int dof = b->kind->dof;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        const double *const H[2] = {s->H_i, s->H_j};
        for (int side = 0; side < 2 && s->constraint >= 0; side++) {
            const double *r = c->r + c->row_start[s->constraint];
            double sign = side == 0 ? 1.0 : -1.0, sum[6] = {0.0};
            for (int k = 0; k < dof * cn_link_all_rows(link); k++) {
                sum[k % dof] += H[side][k] * r[k / dof];
            }
            if (cn_link_is_mounted(link, side)) {
                cn_vec3 force, moment;
                cn_link_split_row(b, sum, sign, &force, &moment);
                cn_mount_push(b->deformables, &link->mount[side], &s->turn[side], force, moment);
            }
        }
    }
}

// Part of a gap at the end of the step that stays (7.8): what the force of the step would be beyond
// the yield.
static double plastic_part(const cn_joints *joints, const cn_link *link, double gap_start,
                           double gap_end)
{
    double theta = joints->theta, least = link->yield / link->stiffness;
    double mean = (1.0 - theta) * gap_start + theta * gap_end;
    bool is_slack = cn_link_is_cable(link) && mean > 0.0;
    bool is_beyond = link->yield > 0.0 && !is_slack && fabs(mean) > least;
    return is_beyond ? (mean - copysign(least, mean)) / theta : 0.0;
}

// What the step does to a joint, and the shifts that its gaps ask for (7.4).
static void measure(const cn_joints *joints, const cn_link *link, const cn_bodies *b,
                    const cn_contacts *c, cn_link_step *s)
{
    int row = c->row_start[s->constraint];
    cn_link_velocity(link, s, b, b->v_solved, b->deformables->v, s->u);
    memcpy(s->r, c->r + row, sizeof(double) * (size_t)cn_link_all_rows(link));
    cn_link_at next = {b->q, b->deformables->x, joints->gamma * joints->h}; // q_mid
    cn_link_place ahead = cn_link_place_at(link, b, next);
    cn_link_gaps(link, &ahead, s->gap);
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        s->shift[k] = is_closed_in_place(link, k)
                          ? s->gap[k] / ((joints->theta + joints->gamma) * joints->h) - s->u[k]
                          : c->b[row + k];
    }
    if (cn_link_is_elastic(link)) {
        double gap[CN_LINK_ROWS];
        cn_link_place end = cn_link_place_at(link, b, cn_link_now(b));
        cn_link_gaps(link, &end, gap);
        s->plastic = plastic_part(joints, link, s->gap_start, gap[0]);
        s->gap_end = gap[0] - s->plastic;
        s->shift[0] = elastic_shift(joints, link, s, gap[0], s->u[0], &s->compliance) +
                      yield_shift(joints, link);
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
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        double opens = s->u[k] + s->shift[k] - (k == 0 ? yield_shift(joints, link) : 0.0);
        bool is_slack = cn_link_is_one_sided(link, k) && s->r[k] == 0.0 && opens >= 0.0;
        double asked = s->shift[k] - shift[k];
        if (k == 0 && cn_link_is_elastic(link)) { // behind another compliance
            asked += (s->compliance - c->c[c->row_start[s->constraint]]) * s->r[0];
        }
        change = is_slack ? change : fmax(change, fabs(asked));
    }
    const double *q = cn_body_q(b, b->q, link->i);
    double far = fabs(q[0]) + fabs(q[1]) + (b->dim == 3 ? fabs(q[2]) : 0.0);
    return change / fmax(accepted, (1e-12 * link->arm + 1e-15 * far) / way);
}

// Rows that were left free and are passed take part from now on.
static bool wake(const cn_joints *joints, const cn_link *link, const cn_link_step *s,
                 cn_contacts *c)
{
    bool is_woken = false;
    for (int k = 0; k < cn_link_all_rows(link); k++) {
        unsigned char *kind = &c->kind[cn_link_constraint(link, s, k)];
        double opens = s->u[k] + s->shift[k] - (k == 0 ? yield_shift(joints, link) : 0.0);
        if (*kind == CN_CORE_FREE && is_closed_in_place(link, k) && opens < 0.0) {
            *kind = CN_CORE_CONE;
            if (k == 0 && link->yield > 0.0) {
                *kind = CN_CORE_BOUNDED;
                c->r0[c->row_start[s->constraint]] = -0.5 * joints->h * link->yield;
            }
            is_woken = true;
        }
    }
    return is_woken;
}

bool cn_joint_refine(cn_joints *joints, const cn_bodies *b, double accepted, cn_contacts *c)
{
    if (joints->solve_count == 0) {
        joints->excess_halved = INFINITY;
    }
    bool is_woken = false;
    joints->excess = 0.0;
    joints->solve_count++;
    for (int n = 0; n < joints->count; n++) {
        cn_link_step *s = &joints->step[n];
        if (s->constraint < 0) {
            continue;
        }
        measure(joints, &joints->link[n], b, c, s);
        is_woken = wake(joints, &joints->link[n], s, c) || is_woken;
        double excess = excess_of(joints, &joints->link[n], s, b, c, accepted);
        if (!(excess <= joints->excess)) {
            joints->excess = excess;
            joints->worst = n;
        }
    }
    if (joints->excess <= 0.5 * joints->excess_halved) {
        joints->excess_halved = joints->excess;
        joints->solve_halved = joints->solve_count;
    }
    bool is_diverging = joints->solve_count > 4 && joints->excess > 2.0 * joints->excess_halved;
    bool is_stuck = joints->solve_count - joints->solve_halved > PATIENCE || is_diverging;
    bool is_done = joints->excess <= 1.0 || is_stuck || joints->solve_count == SOLVES_MAX;
    if (is_done && !is_woken) { // each row wakes once
        return true;
    }
    for (int n = 0; n < joints->count; n++) {
        const cn_link_step *s = &joints->step[n];
        if (s->constraint >= 0) {
            int row = c->row_start[s->constraint];
            memcpy(c->b + row, s->shift,
                   sizeof(double) * (size_t)cn_link_all_rows(&joints->link[n]));
            if (cn_link_is_elastic(&joints->link[n])) {
                c->c[row] = s->compliance;
            }
        }
    }
    return false;
}

static const char ADVICE[] = "joints or drives that contradict each other, or a step too long for "
                             "the rate of turning";

void cn_joint_judge(const cn_joints *joints, double aim, double v, cn_solver_report *report)
{
    const cn_link *link = &joints->link[joints->worst];
    double gap, angle, way = (joints->theta + joints->gamma) * joints->h;
    cn_link_gap_sizes(link, joints->step[joints->worst].gap, &gap, &angle);
    report->is_converged = false;
    report->criterion = CN_CRITERION_JOINT;
    report->value = fmax(fmax(fabs(gap), angle * link->arm), joints->excess * aim * way);
    report->asked = v * way;
    report->at = joints->step[joints->worst].constraint;
}

cn_status cn_joint_check(const cn_joints *joints, cn_error *err)
{
    const double TORN = 0.01; // of its size, or in radians: what nobody would call a joint
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        double gap, angle;
        if (joints->step[n].constraint < 0 || cn_link_is_elastic(link)) {
            continue;
        }
        cn_link_gap_sizes(link, joints->step[n].gap, &gap, &angle);
        double size =
            link->arm + link->length + cn_norm3(link->anchor_i) +
            (link->j < 0 ? 0.0 : cn_norm3(link->anchor_j)); // anchors may be far from bodies
        if (!(fabs(gap) <= TORN * size && angle <= TORN)) {
            return cn_fail(
                err, CN_BROKEN, "joint %llu, a %s, is torn open by %.3g m and %.3g rad: %s",
                (unsigned long long)link->id, cn_joint_kind_name(link->kind), gap, angle, ADVICE);
        }
    }
    return CN_OK;
}

void cn_joint_commit(cn_joints *joints, const cn_bodies *b)
{
    for (int n = 0; n < joints->count; n++) {
        cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        memcpy(link->r, s->r, sizeof link->r);
        link->is_broken = link->is_broken || s->breaks;
        if (s->constraint >= 0) {
            link->length += cn_link_is_cable(link) ? -s->plastic : s->plastic;
        }
        cn_joint_fill_state(joints, b, n);
    }
    joints->memory_h = joints->h;
}
