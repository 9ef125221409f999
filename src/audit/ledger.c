// audit/ledger.c -- the energy ledger, theory 9.1 to 9.3.
//
// The scheme satisfies T+ - T = 1/2 (v+ + v) . (h F + H r) exactly. Bodies give the kinetic,
// potential, applied, drive and theta rows, contacts the others; nothing is the remainder of the
// rest, so an impulse that does not belong to the velocities opens the ledger.
#include <math.h>
#include <string.h>

#include "audit/audit.h"
#include "base/tasks.h"
#include "body/gravity.h"
#include "body/rigid.h"
#include "cairn/way.h"
#include "contact/frame.h"
#include "contact/interface.h"

enum { SHARED_MIN = 1024 }; // bodies or contacts per thread

static const double RESTING = 1e-9; // way in a step that is no motion, of size and place [-]

const char *cn_energy_row_name(cn_energy_row row)
{
    static const char *const name[CN_ENERGY_ROW_COUNT] = {
        "kinetic", "potential", "applied", "drive",    "friction", "shock",   "storage",
        "viscous", "joint",     "theta",   "rotation", "elastic",  "plastic", "internal",
        "given",   "fracture",  "cell",    "wear",     "inflow",   "outflow", "growth",
    };
    return (unsigned)row < CN_ENERGY_ROW_COUNT ? name[row] : "unknown";
}

static double kinetic(const cn_bodies *b, int i, const double *velocity)
{
    double p[6];
    return b->kind->momentum(b, i, cn_body_q(b, b->q, i), cn_body_v(b, velocity, i), p);
}

void cn_audit_add(cn_bodies *b, int i, cn_ledger *ledger)
{
    ledger->potential += cn_body_potential(b, i);
    if (b->deformable[i] >= 0) {
        ledger->kinetic +=
            cn_deformable_kinetic(b->deformables, b->deformable[i], b->deformables->v);
        ledger->elastic += b->deformables->energy[b->deformable[i]];
        return;
    }
    ledger->kinetic += kinetic(b, i, b->v);
}

void cn_audit_start(cn_bodies *b, cn_ledger *ledger)
{
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    double T[CN_SEGMENTS] = {0.0}, V[CN_SEGMENTS] = {0.0};
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS, {
        for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
            if (b->deformable[i] < 0) {
                T[k] += kinetic(b, i, b->v);
                V[k] += cn_body_potential(b, i);
            }
        }
    });
    ledger->kinetic = ledger->potential = ledger->elastic = 0.0;
    for (int k = 0; k < CN_SEGMENTS; k++) {
        ledger->kinetic += T[k];
        ledger->potential += V[k];
    }
    for (int k = 0; k < b->deformables->count; k++) {
        cn_audit_add(b, b->deformables->body[k].slot, ledger);
    }
    ledger->kinetic += cn_cell_kinetic(b);
}

void cn_audit_flow(const cn_ledger *before, cn_energy_row row, int64_t step, cn_ledger *ledger)
{
    const double change[4] = {ledger->kinetic - before->kinetic,
                              ledger->potential - before->potential,
                              ledger->elastic - before->elastic, ledger->storage - before->storage};
    static const cn_energy_row of[4] = {CN_ENERGY_KINETIC, CN_ENERGY_POTENTIAL, CN_ENERGY_ELASTIC,
                                        CN_ENERGY_STORAGE};
    for (int k = 0; k < 4 && step > 0; k++) {
        ledger->total[of[k]] += change[k];
        ledger->total[row] -= change[k];
    }
}

// Adds the impulse that the joints give each degree of freedom; nodes have it already.
static void gather_joints(const cn_joints *joints, cn_bodies *b)
{
    int dof = b->kind->dof;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        for (int k = 0; k < cn_link_all_rows(link) && s->constraint >= 0; k++) {
            for (int d = 0; d < dof; d++) {
                b->impulse[dof * link->i + d] += s->H_i[dof * k + d] * s->r[k];
                if (link->j >= 0) {
                    b->impulse[dof * link->j + d] -= s->H_j[dof * k + d] * s->r[k];
                }
            }
        }
    }
}

// Adds a moment about the mass centre of a body.
static void add_moment(cn_bodies *b, int i, cn_vec3 moment)
{
    double *to = b->impulse + b->kind->dof * i;
    if (b->dim == 2) {
        to[2] += moment.z;
        return;
    }
    to[3] += moment.x;
    to[4] += moment.y;
    to[5] += moment.z;
}

// Angular velocity of body i relative to j.
static cn_vec3 relative_spin(const cn_bodies *b, const double *velocity, int i, int j)
{
    return cn_sub3(cn_contact_body_spin(b, velocity, i), cn_contact_body_spin(b, velocity, j));
}

// Adds the impulse of contact a to one of its bodies: H r.
static inline void gather_contact_as(const cn_contacts *c, cn_bodies *b, int dim, int a, int side)
{
    const cn_contact *x = &c->contact[a];
    int dof = cn_rigid_dof(dim), body = side == 0 ? x->i : x->j;
    double sign = side == 0 ? 1.0 : -1.0;
    if (b->deformable[body] >= 0) {
        return;
    }
    if (x->r[0] != 0.0 || x->r[1] != 0.0 || x->r[2] != 0.0) {
        double H[18], *impulse = b->impulse + dof * body;
        cn_axes frame = cn_contact_axes(x, dim);
        double image[CN_Q_MAX];
        const double *place = cn_contact_place(c, b, a) + cn_rigid_q_size(dim) * body;
        place = side == 1 ? cn_contact_image_place(c, b, a, place, image) : place;
        cn_rigid_rows(dim, place, &frame, H);
        for (int k = 0; k < dim; k++) {
            for (int d = 0; d < dof; d++) {
                impulse[d] += sign * H[dof * k + d] * x->r[k];
            }
        }
    }
    if (cn_contact_row_count(c, a) > dim) {
        add_moment(b, body, cn_mul3(sign, cn_contact_moment(c, a)));
    }
}

static void gather_contact(const cn_contacts *c, cn_bodies *b, int a, int side)
{
    if (b->dim == 2) {
        gather_contact_as(c, b, 2, a, side);
    } else {
        gather_contact_as(c, b, 3, a, side);
    }
}

// Impulse that contacts give each degree of freedom, in the order of contacts.
static void gather_impulses(const cn_contacts *c, cn_bodies *b)
{
    int threads = c->has_of_body ? cn_share(c->thread_count, b->count, SHARED_MIN) : 1;
    CN_SHARED_FOR(threads, (schedule(static)), k, b->kind->dof * b->count,
                  { b->impulse[k] = 0.0; });
    CN_SHARED_ENDS(threads, &c->of_body, c->count, end,
                   { gather_contact(c, b, end / 2, end % 2); });
}

// Rows of one body (9.2). What its momentum balance lacks is the reaction of the drive of a held
// degree of freedom, or what the impulses on a body that was stopped are not exact by; for any
// other it is an error, returned as work. In space the energy of
// rotation changes by more than the work of impulses, since the inertia turns with the body: the
// rotation row.
static double add_body(const cn_bodies *b, int i, double h, double theta, double *row)
{
    int dof = b->kind->dof;
    const double *v = cn_body_v(b, b->v_before, i), *v_new = cn_body_v(b, b->v_solved, i);
    double p[6], p_new[6], error = 0.0, work = 0.0;
    bool is_stopped = b->is_locked != NULL && b->is_locked[i];
    double T = b->kind->momentum(b, i, cn_body_q(b, b->q_before, i), v, p);
    double T_new = b->kind->momentum(b, i, cn_body_q(b, b->q, i), cn_body_v(b, b->v, i), p_new);
    for (int d = 0; d < dof; d++) {
        double f = b->f[dof * i + d], dq = h * ((1.0 - theta) * v[d] + theta * v_new[d]);
        double weight = cn_body_weight(b, i, d);
        double mean = 0.5 * (v[d] + v_new[d]);
        double missing = p_new[d] - p[d] - h * (weight + f) - b->impulse[dof * i + d];
        work += (p_new[d] - p[d]) * mean;
        row[CN_ENERGY_POTENTIAL] -= weight * dq;
        row[CN_ENERGY_APPLIED] -= f * dq;
        row[CN_ENERGY_THETA] += (theta - 0.5) * h * (weight + f) * (v_new[d] - v[d]);
        if (cn_dof_is_held(b, i, d)) {
            row[CN_ENERGY_DRIVE] -= mean * missing;
        } else if (is_stopped) {
            row[CN_ENERGY_SHOCK] -= mean * missing;
        } else {
            error += fabs(mean * missing);
        }
    }
    row[CN_ENERGY_KINETIC] += b->dim == 2 ? work : T_new - T;
    row[CN_ENERGY_ROTATION] += b->dim == 2 ? 0.0 : work - (T_new - T);
    return error;
}

// Rows of one deformable body (11.19).
static double add_mesh(cn_bodies *b, int k, double *row)
{
    cn_deformable_energy e;
    cn_deformable_audit(b->deformables, k, &e);
    row[CN_ENERGY_KINETIC] += e.kinetic;
    row[CN_ENERGY_POTENTIAL] += e.potential;
    row[CN_ENERGY_APPLIED] += e.applied;
    row[CN_ENERGY_DRIVE] += e.drive;
    row[CN_ENERGY_VISCOUS] += e.viscous;
    row[CN_ENERGY_THETA] += e.theta;
    row[CN_ENERGY_ELASTIC] += e.elastic;
    row[CN_ENERGY_PLASTIC] += e.plastic;
    row[CN_ENERGY_INTERNAL] += e.internal;
    return e.error;
}

// What contact a puts into the motion along its normal, growth apart, where it took `lost` beside
// what is stored (9.7): a spring puts in what it gives beyond that [J].
static double given_along_normal(const cn_contacts *c, const cn_bodies *b, int a, double lost)
{
    int row = c->row_start[a];
    bool is_spring = c->has_c && c->c[row] > 0.0;
    double r_n = cn_contact_core_impulse(c, a, 0); // of the contact alone
    return fmax(is_spring ? -lost : r_n * cn_contact_push(c, b, a), 0.0);
}

// The same along its tangents, whose friction took `lost`: tangential restitution may give more
// [J].
static double given_along_tangents(const cn_contacts *c, int a, double lost)
{
    bool has_shift = false;
    for (int k = 1; k < c->d; k++) {
        has_shift = has_shift || c->b[c->row_start[a] + k] != 0.0;
    }
    return has_shift ? fmax(-lost, 0.0) : 0.0;
}

static void add_contact(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a,
                        double *row)
{
    const cn_contact *x = &c->contact[a];
    const cn_law_entry *entry = &law[x->law];
    double normal = -0.5 * x->r[0] * (x->u[0] + x->u_before[0]);
    double tangential = 0.0;
    for (int k = 1; k < b->dim; k++) {
        tangential -= 0.5 * x->r[k] * (x->u[k] + x->u_before[k]);
    }
    if (cn_contact_row_count(c, a) > b->dim) {
        cn_vec3 spin = relative_spin(b, b->v_solved, x->i, x->j);
        spin = cn_add3(spin, relative_spin(b, b->v_before, x->i, x->j));
        tangential -= 0.5 * cn_dot3(cn_contact_moment(c, a), spin);
    }
    if (x->status == CN_STATUS_JOINED) {
        row[CN_ENERGY_JOINT] += normal + tangential;
        return;
    }
    cn_law_energy energy = {0};
    bool is_ahead = a >= c->found && c->kind[a] == CN_CORE_FREE; // its spring is at q_mid (6.2)
    if (entry->law->energy != NULL && !is_ahead) {
        cn_law_output out = cn_contact_law_output(c, b, a);
        cn_law_input in = cn_contact_law_input(c, b, entry, a);
        in.assumed = cn_contact_assumed(c, entry, a);
        cn_interface_input(c, b, entry, a, &in);
        cn_interface_end(c, b, entry, a, &in);
        entry->law->energy(entry->param, cn_contact_old_state(c, entry, a), &in, &out, &energy);
    }
    double grown = x->r[0] * cn_contact_growth(b, x); // (4.60)
    row[CN_ENERGY_GROWTH] -= grown;
    normal += grown - energy.beside_n;
    tangential -= energy.beside_t;
    // Storage and losses of what acts beside the contact are not those of its shocks.
    bool is_beside = c->is_bond[a] || entry->law->acts_beside;
    double along = energy.storage - energy.beside_t; // what is stored along the normal
    normal -= is_beside ? 0.0 : along + energy.viscous + energy.plastic;
    double given_n = given_along_normal(c, b, a, normal);
    double given_t = given_along_tangents(c, a, tangential);
    row[CN_ENERGY_FRICTION] += tangential + given_t;
    row[CN_ENERGY_SHOCK] += normal + given_n;
    row[CN_ENERGY_GIVEN] -= given_n + given_t;
    row[CN_ENERGY_STORAGE] += energy.storage;
    row[CN_ENERGY_VISCOUS] += energy.viscous;
    row[CN_ENERGY_FRACTURE] += energy.fracture;
    row[CN_ENERGY_PLASTIC] += energy.plastic;
    row[CN_ENERGY_THETA] += energy.theta;
}

// What the dashpot of an elastic joint takes [J].
static double damped_by(const cn_joints *joints, const cn_link *link, const cn_link_step *s)
{
    bool is_cable = cn_link_is_cable(link);
    if (is_cable && !(s->r[0] > 0.0)) {
        return 0.0;
    }
    if (is_cable && link->yield == 0.0) {
        cn_way way = {s->gap_start, s->gap_end};
        return cn_way_viscous(link->damping, joints->h, &way);
    }
    double u = (1.0 - joints->theta) * s->u_before[0] + joints->theta * s->u[0];
    return joints->h * link->damping * u * u;
}

// Work of a joint (9.2): what is stored and damped in a spring, what a motor gives, what the snap
// of a cable or a stop takes; the rest, of rows that stay straight while the bodies turn, is of
// high order.
static void add_joint(const cn_joints *joints, int n, double *row)
{
    const cn_link *link = &joints->link[n];
    const cn_link_step *s = &joints->step[n];
    if (s->constraint < 0) {
        return;
    }
    double work = 0.0;
    for (int k = 0; k < link->rows; k++) {
        work -= 0.5 * s->r[k] * (s->u[k] + s->u_before[k]);
    }
    if (cn_link_is_elastic(link)) {
        double viscous = damped_by(joints, link, s);
        double storage = (s->breaks ? 0.0 : cn_link_energy(link, s->gap_end)) -
                         cn_link_energy(link, s->gap_start);
        double plastic = link->yield * fabs(s->plastic);
        row[CN_ENERGY_STORAGE] += storage;
        row[CN_ENERGY_VISCOUS] += viscous;
        row[CN_ENERGY_PLASTIC] += plastic;
        work -= storage + viscous + plastic;
    }
    bool gives = cn_link_is_cable(link) && cn_link_is_elastic(link) && work < 0.0;
    cn_energy_row rest = cn_link_is_cable(link) ? CN_ENERGY_SHOCK : CN_ENERGY_JOINT;
    row[gives ? CN_ENERGY_GIVEN : rest] += work;
    for (int k = link->rows; k < cn_link_all_rows(link); k++) {
        row[cn_link_is_stop(link, k) ? CN_ENERGY_SHOCK : CN_ENERGY_DRIVE] -=
            0.5 * s->r[k] * (s->u[k] + s->u_before[k]);
    }
}

// Sum and sum of absolute values of the rows.
static double sum_of(const double *row, double *absolute)
{
    double sum = 0.0;
    *absolute = 0.0;
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        sum += row[k];
        *absolute += fabs(row[k]);
    }
    return sum;
}

// Energy of body i if it moved by RESTING of its size, and of how far it is from the origin, in a
// step. What moves less is at rest: its places, and so all its rows, are rounding.
static double resting_energy(const cn_bodies *b, int i, double h)
{
    const double *q = cn_body_q(b, b->q, i);
    double far = fabs(q[0]) + fabs(q[1]) + (b->dim == 3 ? fabs(q[2]) : 0.0);
    double speed = RESTING * (b->size[i] + far) / h;
    bool can_move = b->deformable[i] >= 0 || !cn_body_is_held(b, i);
    return can_move && isfinite(speed) ? 0.5 * b->mass[i] * speed * speed : 0.0;
}

// (9.3). The kinetic energy of the free motion belongs to the scale: for bodies at rest every row
// is rounding, and what the contacts of the step balance is that energy.
static void close_ledger(double free_energy, cn_ledger *ledger)
{
    double size_step, size_total;
    double open_step = fabs(sum_of(ledger->step, &size_step));
    double open_total = fabs(sum_of(ledger->total, &size_total));
    ledger->scale = fmax(ledger->scale, fmax(size_step, size_total) + free_energy);
    double scale = ledger->scale > 0.0 ? ledger->scale : 1.0;
    ledger->error_step = open_step / scale;
    ledger->error = open_total / scale;
    double worst = fmax(ledger->error_max, ledger->error_step);
    // A NaN that some law told stays in the total, and fmax would not see it.
    ledger->error_max = ledger->error <= worst ? worst : ledger->error;
}

// What a segment of bodies and one of contacts add to the ledger.
typedef struct account {
    double row[CN_ENERGY_ROW_COUNT];
    double free_energy, worst; // worst: error of worst_body
    cn_body_id worst_body;
} account;

static void add_segment(const cn_contacts *c, const cn_law_entry *law, double h, double theta,
                        const cn_bodies *b, int k, account *to)
{
    *to = (account){.worst_body = 0};
    for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
        if (b->deformable[i] >= 0) {
            continue;
        }
        double error = add_body(b, i, h, theta, to->row);
        to->free_energy += kinetic(b, i, b->v_free) + resting_energy(b, i, h);
        if (error > to->worst) {
            to->worst = error;
            to->worst_body = b->id[i];
        }
    }
    for (int a = cn_segment_start(c->count, k); a < cn_segment_start(c->count, k + 1); a++) {
        add_contact(c, b, law, a, to->row);
    }
}

// All bodies and contacts, in segments whose sums do not depend on threads.
static account add_all(const cn_contacts *c, const cn_law_entry *law, double h, double theta,
                       const cn_bodies *b)
{
    account part[CN_SEGMENTS], all = {.worst_body = 0};
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(dynamic, 1)), k, CN_SEGMENTS,
                  { add_segment(c, law, h, theta, b, k, &part[k]); });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        for (int row = 0; row < CN_ENERGY_ROW_COUNT; row++) {
            all.row[row] += part[k].row[row];
        }
        all.free_energy += part[k].free_energy;
        if (part[k].worst > all.worst) {
            all.worst = part[k].worst;
            all.worst_body = part[k].worst_body;
        }
    }
    return all;
}

// Deformable bodies, one after the other.
static void add_meshes(cn_bodies *b, double h, account *all)
{
    for (int k = 0; k < b->deformables->count; k++) {
        double error = add_mesh(b, k, all->row);
        all->free_energy += cn_deformable_kinetic(b->deformables, k, b->deformables->v_free) +
                            resting_energy(b, b->deformables->body[k].slot, h);
        if (error > all->worst) {
            all->worst = error;
            all->worst_body = b->id[b->deformables->body[k].slot];
        }
    }
}

void cn_audit_energy(const cn_contacts *c, const cn_joints *joints, const cn_law_entry *law,
                     double h, double theta, cn_bodies *b, cn_ledger *ledger)
{
    gather_impulses(c, b);
    gather_joints(joints, b);
    cn_cell_push_bodies(b, h);
    account all = add_all(c, law, h, theta, b);
    add_meshes(b, h, &all);
    memcpy(ledger->step, all.row, sizeof ledger->step);
    ledger->worst_body = all.worst_body;
    for (int n = 0; n < joints->count; n++) {
        add_joint(joints, n, ledger->step);
    }
    ledger->step[CN_ENERGY_STORAGE] += c->renewed;
    ledger->step[CN_ENERGY_THETA] -= c->renewed;
    cn_audit_cell(b, h, ledger->step);
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        ledger->total[k] += ledger->step[k];
    }
    ledger->storage += ledger->step[CN_ENERGY_STORAGE];
    cn_audit_start(b, ledger);
    ledger->elastic += ledger->step[CN_ENERGY_ELASTIC]; // bodies have not committed the step yet
    close_ledger(all.free_energy, ledger);
}

void cn_audit_wear(const double change[2], double taken, cn_ledger *ledger)
{
    const cn_energy_row row[] = {CN_ENERGY_KINETIC, CN_ENERGY_POTENTIAL, CN_ENERGY_WEAR};
    const double energy[] = {change[0], change[1], taken};
    for (int k = 0; k < 3; k++) {
        ledger->step[row[k]] += energy[k];
        ledger->total[row[k]] += energy[k];
    }
    ledger->kinetic += change[0];
    ledger->potential += change[1];
    close_ledger(0.0, ledger);
}
