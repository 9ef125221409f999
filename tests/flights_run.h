// tests/flights_run.h -- a flight is flown, and each of its steps is looked at.
#pragma once

#include <math.h>

#include "flights.h"
#include "strict.h"

enum { FLY_MESHES = 8 };

// Motion of all that flies.
typedef struct fly_sum {
    double momentum[3], angular[3];
    double scale, angular_scale; // what they are small against
} fly_sum;

// What is known of a flight on its way.
typedef struct fly_watch {
    const flight *f;
    cn_world *w, *image, *alone[FLY_BODIES];
    fly_sum start;
    double energy_scale;
    double v_before[3 * FLY_BODIES]; // of mass centres [m/s]
    double gained;                   // since the start, less what is known of errors [J]
    double turned; // what fast pairs may have changed of the angular momentum [kg m2/s]
    int impacts;   // that have begun
    bool was_active, is_compared;
    bool is_missed; // meshes or tubes overlapped where contacts did not know
    char why[1100];
} fly_watch;

static inline void add_point(fly_sum *s, double mass, const double *x, const double *v)
{
    double l[3] = {x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2], x[0] * v[1] - x[1] * v[0]};
    for (int d = 0; d < 3; d++) {
        s->momentum[d] += mass * v[d];
        s->angular[d] += mass * l[d];
        s->scale += mass * fabs(v[d]);
    }
    double far = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    s->angular_scale += mass * far * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Angular momentum about the mass centre: J = Q diag Q^T, Q from the quaternion.
static inline void add_spin(fly_sum *s, const double *q, const double *rate,
                            const double *principal)
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double Q[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++) {
        double local = 0.0;
        for (int d = 0; d < 3; d++) {
            local += Q[d][k] * rate[d];
        }
        for (int d = 0; d < 3; d++) {
            s->angular[d] += Q[d][k] * principal[k] * local;
        }
        s->angular_scale += principal[k] * fabs(local);
    }
}

static inline void add_nodes(fly_sum *s, const cn_world *w, cn_body_id id)
{
    cn_node_view nodes;
    cn_error err;
    if (cn_body_nodes(w, id, &nodes, &err) != CN_OK) {
        return;
    }
    for (int n = 0; n < nodes.node_count; n++) {
        double x[3] = {0}, v[3] = {0};
        for (int d = 0; d < nodes.dim; d++) {
            x[d] = nodes.x[nodes.dim * n + d];
            v[d] = nodes.v[nodes.dim * n + d];
        }
        add_point(s, nodes.mass[nodes.dim * n], x, v);
    }
}

static inline fly_sum fly_sum_of(const cn_world *w)
{
    fly_sum s = {0};
    cn_view view = cn_world_view(w);
    for (int i = 0; i < view.body_count; i++) {
        if (view.fixed[i] != 0u && !cn_body_is_deformable(w, view.id[i])) {
            continue;
        }
        if (cn_body_is_deformable(w, view.id[i])) {
            add_nodes(&s, w, view.id[i]);
        } else if (view.dim == 2) {
            const double *q = view.q + 3 * i, *v = view.v + 3 * i;
            add_point(&s, view.mass[i], (double[3]){q[0], q[1], 0.0}, (double[3]){v[0], v[1], 0.0});
            s.angular[2] += view.inertia[i] * v[2];
            s.angular_scale += view.inertia[i] * fabs(v[2]);
        } else {
            const double *q = view.q + 7 * i, *v = view.v + 6 * i;
            add_point(&s, view.mass[i], q, v);
            add_spin(&s, q + 3, v + 3, view.inertia + 3 * i);
        }
    }
    return s;
}

// ---- what is asserted

static inline int active_count(const cn_view *view)
{
    int count = 0;
    for (int a = 0; a < view->contact_count; a++) {
        count += view->contact[a].r[0] != 0.0;
    }
    return count;
}

static inline bool has_mesh(const flight *f)
{
    return fly_is_mesh(f->dim, f->kind[0]) || fly_is_mesh(f->dim, f->kind[1]);
}

// What springs may gain where they start or end within a step: the scheme sees their mean gap.
static inline double energy_of_springs(const fly_watch *x, const cn_view *view)
{
    const flight *f = x->f;
    double sum = 0.0, stiffness = 0.0, young = 0.0;
    double area = pow(fmin(f->scale[0], f->scale[1]), f->dim - 1);
    for (int k = 0; k < f->law.type->param_count; k++) {
        const cn_param *p = &f->law.type->param[k];
        stiffness += strcmp(p->unit, "N/m") == 0 ? f->law.param[k] : 0.0;
        stiffness += strcmp(p->unit, "Pa/m") == 0 ? area * f->law.param[k] : 0.0;
        young += strcmp(p->name, "young") == 0 ? f->law.param[k] : 0.0;
    }
    for (int a = 0; a < view->contact_count && stiffness + young > 0.0; a++) {
        const cn_contact *c = &view->contact[a];
        double way = f->h * fmax(fabs(c->u[0]), fabs(c->u_before[0])), R = 0.5;
        double steepest = 2.0 * young * sqrt(R * (fmax(-c->gap, 0.0) + way)); // of (4.42)
        sum += 0.5 * (stiffness + steepest) * way * way;
    }
    return sum;
}

// What contacts put into the motion at the end of a step (decided by the shift of the normal row):
// depth that is given back (6.4), bonds that close.
static inline double given(const cn_view *view)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        sum += fmax(0.0, c->r[0] * c->u[0] + c->r[1] * c->u[1] + c->r[2] * c->u[2]);
    }
    return sum;
}

// The same without what restitution gives, where one contact closes without friction.
static inline double given_by_depth(const flight *f, const cn_view *view)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        sum += fmax(0.0, c->r[0] * (c->u[0] + f->e * fmin(c->u_before[0], 0.0)));
    }
    return sum;
}

// The same weight acts in the parts of a step whose contacts are listed no more: their impulses are
// those that bodies show.
static inline double gained_in_parts(const fly_watch *x, const cn_view *view)
{
    int dof = view->dim == 2 ? 3 : 6;
    double weight = x->f->h * x->f->gravity, sum = 0.0;
    for (int i = 0; i < view->body_count; i++) {
        double change = 0.0;
        for (int d = 0; d < view->dim; d++) {
            change = hypot(change, view->v[dof * i + d] - x->v_before[3 * i + d]);
        }
        sum += view->fixed[i] == 0u ? 0.5 * view->mass[i] * (change + weight) * weight : 0.0;
    }
    return sum;
}

// Impulse with which a law pulls what touches: the contact beside it presses by as much.
static inline double pulled(const flight *f)
{
    double sum = 0.0;
    for (int k = 0; k < f->law.type->param_count; k++) {
        sum += strcmp(f->law.type->param[k].unit, "N") == 0 ? f->h * f->law.param[k] : 0.0;
    }
    return sum;
}

// Forces of meshes and joints, and pulls, close what was opening when the step began.
static inline double gained_by_closing(const fly_watch *x, const cn_contact *c)
{
    double pull = pulled(x->f);
    double normal = (c->r[0] + pull) * c->u_before[0];
    double tangential = c->r[1] * c->u_before[1] + c->r[2] * c->u_before[2];
    if (has_mesh(x->f) || x->f->joint >= 0) {
        return fmax(0.0, 0.5 * (normal + tangential));
    }
    return pull > 0.0 ? fmax(0.0, 0.5 * normal) : 0.0;
}

// Contacts do not gain on the free motion; on the motion before the step they may by what weight,
// pulls and turning inertias change at their points meanwhile: r . (u_before - u_free) / 2.
static inline double gained_on_free(const fly_watch *x, const cn_view *view)
{
    double sum = view->certificate->part_count > 1 ? gained_in_parts(x, view) : 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        double change = x->f->h * x->f->gravity;
        for (int side = 0; side < 2 && view->dim == 3; side++) {
            int i = side == 0 ? c->i : c->j;
            const double *v = view->v + 6 * i, *J = view->inertia + 3 * i, *q = view->q + 7 * i;
            double arm = 0.0, most = fmax(J[0], fmax(J[1], J[2])),
                   least = fmin(J[0], fmin(J[1], J[2]));
            for (int d = 0; d < 3; d++) {
                arm = hypot(arm, c->point[d] - q[d]);
            }
            double rate2 = v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
            change += least > 0.0 && rate2 > 0.0 ? x->f->h * rate2 * arm * most / least : 0.0;
        }
        double r = sqrt(c->r[0] * c->r[0] + c->r[1] * c->r[1] + c->r[2] * c->r[2]);
        sum += 0.5 * (r + pulled(x->f)) * change + gained_by_closing(x, c);
    }
    return sum;
}

// The balance of a mesh is known to the rounding of its internal forces, 1e-14 h K L at a node with
// K its largest stiffness (11.6), and the ledger closes to the work of that.
static inline double energy_of_rounding(const fly_watch *x, const cn_view *view)
{
    const flight *f = x->f;
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        cn_node_view nodes;
        cn_error err;
        if (!fly_is_mesh(f->dim, f->kind[k]) ||
            cn_body_nodes(x->w, view->id[k], &nodes, &err) != CN_OK) {
            continue;
        }
        flyer m;
        flyer_make(&m, f->dim, f->kind[k], f->scale[k], f->shape_seed[k]);
        double force = m.material.young * pow(f->scale[k], f->dim - 1); // K L
        flyer_free(&m);
        for (int n = 0; n < nodes.dim * nodes.node_count; n++) {
            sum += 1e-14 * f->h * force * fabs(nodes.v[n]);
        }
    }
    return sum;
}

// Energy does not rise without restitution, nor where one contact closes without friction, and
// elsewhere by no more than contacts give: in a step not beyond that and the errors that rows of
// the ledger tell (turning inertias, joints), without restitution over the flight not beyond where
// it began and the same errors.
static inline bool energy_holds(fly_watch *x, fly_tally *tally)
{
    const double tolerance = 1e-7; // what the solver leaves is 1e-9
    cn_view view = cn_world_view(x->w);
    const double *row = view.ledger->step;
    double energy = view.ledger->kinetic + view.ledger->elastic + view.ledger->storage;
    bool is_single =
        x->f->mu == 0.0 && active_count(&view) <= 1 && view.certificate->part_count <= 1;
    double change = row[CN_ENERGY_KINETIC] + row[CN_ENERGY_POTENTIAL] + row[CN_ENERGY_ELASTIC] +
                    row[CN_ENERGY_STORAGE];
    energy = fmax(energy, energy - change); // before the step, too
    x->energy_scale = fmax(x->energy_scale, energy + fabs(row[CN_ENERGY_POTENTIAL]));
    double error = energy_of_springs(x, &view) + fmax(0.0, -row[CN_ENERGY_ROTATION]) +
                   fmax(0.0, -row[CN_ENERGY_JOINT]) + fabs(row[CN_ENERGY_INTERNAL]);
    bool is_cable = x->f->joint == CN_JOINT_CABLE && active_count(&view) == 0;
    error += energy_of_rounding(x, &view);
    error += is_cable ? fmax(0.0, -row[CN_ENERGY_SHOCK]) : 0.0; // its work
    double allowed = is_single && x->f->e > 0.0 ? given_by_depth(x->f, &view)
                                                : fmax(given(&view), -row[CN_ENERGY_GIVEN]);
    allowed += gained_on_free(x, &view);
    double rise = change - error - allowed;
    x->gained += change - error;
    double gained = x->f->e == 0.0 ? x->gained : 0.0;
    tally->rotation = fmax(tally->rotation, -row[CN_ENERGY_ROTATION] / x->energy_scale);
    tally->energy = fmax(tally->energy, fmax(rise, gained) / (tolerance * x->energy_scale));
    snprintf(x->why, sizeof x->why,
             "energy rises by %.3g, in all by %.3g of %.3g J with %d contacts, depth %.2g", rise,
             gained, x->energy_scale, active_count(&view), view.certificate->penetration);
    return rise <= tolerance * x->energy_scale && gained <= tolerance * x->energy_scale;
}

// No body is deeper in another than the thinner of both is thick.
static inline bool depth_holds(fly_watch *x, fly_tally *tally)
{
    const cn_certificate *c = cn_world_view(x->w).certificate;
    tally->depth = fmax(tally->depth, c->penetration_rel);
    snprintf(x->why, sizeof x->why, "depth %.3g m, %.3g of the thickness", c->penetration,
             c->penetration_rel);
    return c->penetration_rel <= 1.0;
}

static inline bool are_tubes(const flight *f)
{
    return f->dim == 3 && f->kind[0] == CN_SOLID_HOLLOW_CYLINDER &&
           f->kind[1] == CN_SOLID_HOLLOW_CYLINDER;
}

// No overlap is unknown to contacts, and no contact pushes bodies that are apart. Rims and surfaces
// meet edges of meshes at nodes alone (11.13), one pass leaves some corners of one of both (11.17),
// and inner rims of two open tubes do not meet each other: runs tell that, and here it is counted.
static inline bool overlap_holds(fly_watch *x, fly_tally *tally)
{
    cn_overlap o;
    cn_error err;
    if (cn_world_overlap(x->w, &o, &err) != CN_OK) {
        snprintf(x->why, sizeof x->why, "overlap: %s", err.text);
        return false;
    }
    bool is_unseen = o.unseen.rel > CN_OVERLAP_MISSED,
         is_phantom = o.phantom.rel > CN_OVERLAP_MISSED;
    bool is_open = (is_unseen && has_mesh(x->f)) || ((is_unseen || is_phantom) && are_tubes(x->f));
    x->is_missed = x->is_missed || is_open;
    if (is_open) {
        return true;
    }
    tally->unseen = fmax(tally->unseen, o.unseen.rel / CN_OVERLAP_MISSED);
    tally->phantom = fmax(tally->phantom, o.phantom.rel / CN_OVERLAP_MISSED);
    snprintf(x->why, sizeof x->why, "%.3g of the size overlap unseen, %.3g is a phantom",
             o.unseen.rel, o.phantom.rel);
    return !is_unseen && !is_phantom;
}

static inline bool has_pseudo_rigid(const flight *f)
{
    return fly_is_pseudo_rigid(f->dim, f->kind[0]) || fly_is_pseudo_rigid(f->dim, f->kind[1]);
}

// Fast pairs are set up where they start, half a step from where their impulses act (6.1): an
// impulse r between bodies that move on by d against each other meanwhile turns them by d x r. The
// impulses are those that bodies show, since of a step that is cut in parts the contacts of the
// last part are listed alone, or those listed, since joints may pull back at once.
static inline double turned_by_fast(fly_watch *x, const cn_view *view)
{
    int dof = view->dim == 2 ? 3 : 6;
    double most = 0.0, speed = x->f->speed, listed = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const double *r = view->contact[a].r;
        listed += sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    }
    for (int i = 0; i < view->body_count; i++) {
        double change = 0.0, faster = 0.0;
        for (int d = 0; d < view->dim; d++) {
            double now = view->v[dof * i + d], other = view->v[d];
            change = hypot(change, view->mass[i] * (now - x->v_before[3 * i + d]));
            faster = hypot(faster, now - other);
            x->v_before[3 * i + d] = now;
        }
        most = fmax(most, view->fixed[i] == 0u ? change : 0.0);
        speed = fmax(speed, faster);
    }
    return x->f->h * speed > 0.25 * x->f->least ? x->f->h * speed * fmax(most, listed) : 0.0;
}

// Both ends of a contact with a mesh are where they are, a gap apart.
static inline double turned_by_gaps(const cn_view *view, double h)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        double r = sqrt(c->r[0] * c->r[0] + c->r[1] * c->r[1] + c->r[2] * c->r[2]);
        double u = fabs(c->u_before[0]) + fabs(c->u_before[1]) + fabs(c->u_before[2]);
        sum += (fabs(c->gap) + h * u) * r;
    }
    return sum;
}

// Lumped masses do not give the inertia of a pseudo-rigid body, and only the conserving scheme
// promises to keep the angular momentum of meshes that turn (11.22).
static inline bool is_turning_open(const flight *f)
{
    bool is_open = has_pseudo_rigid(f);
    for (int k = 0; k < 2; k++) {
        const double *rate = f->pose[k].rate;
        is_open = is_open || (fly_is_mesh(f->dim, f->kind[k]) &&
                              (rate[0] != 0.0 || rate[1] != 0.0 || rate[2] != 0.0));
    }
    return is_open;
}

// Momentum stays, and about the origin, too.
static inline bool momentum_holds(fly_watch *x, fly_tally *tally)
{
    if (x->f->is_held || x->f->gravity != 0.0) {
        return true;
    }
    const double tolerance = 1e-9; // rounding of some hundred steps, and of lumped sums
    fly_sum now = fly_sum_of(x->w);
    double off = 0.0, turned = 0.0;
    for (int d = 0; d < 3; d++) {
        off = fmax(off, fabs(now.momentum[d] - x->start.momentum[d]));
        turned = fmax(turned, fabs(now.angular[d] - x->start.angular[d]));
    }
    double scale = fmax(now.scale, x->start.scale);
    double angular = fmax(now.angular_scale, x->start.angular_scale);
    cn_view view = cn_world_view(x->w);
    x->turned += turned_by_fast(x, &view) + (has_mesh(x->f) ? turned_by_gaps(&view, x->f->h) : 0.0);
    turned -= x->turned;
    turned = is_turning_open(x->f) ? 0.0 : turned;
    tally->momentum = fmax(tally->momentum, off / (tolerance * scale));
    tally->angular = fmax(tally->angular, turned / (tolerance * angular));
    snprintf(x->why, sizeof x->why, "momentum changes by %.3g of %.3g, angular by %.3g of %.3g",
             off, scale, turned, angular);
    return off <= tolerance * scale && turned <= tolerance * angular;
}

// Bodies that are never near move as if alone, bit for bit.
static inline bool freedom_holds(fly_watch *x)
{
    if (x->f->start != FLY_MISS) {
        return true;
    }
    cn_view view = cn_world_view(x->w);
    int dof = view.dim == 2 ? 3 : 6;
    for (int k = 0; k < x->f->body_count; k++) {
        cn_error err;
        if (test_step(x->alone[k], x->f->h, &err) != CN_OK) {
            snprintf(x->why, sizeof x->why, "alone: %s", err.text);
            return false;
        }
        cn_view alone = cn_world_view(x->alone[k]);
        if (memcmp(view.v + dof * k, alone.v, (size_t)dof * sizeof *view.v) != 0) {
            snprintf(x->why, sizeof x->why, "body %d feels another that is far, %d contacts", k,
                     view.contact_count);
            return false;
        }
    }
    return true;
}

// Largest distance of a body from its mirror image, over its size; turns times the size.
static inline double unlikeness(const fly_watch *x)
{
    cn_view a = cn_world_view(x->w), b = cn_world_view(x->image);
    int stride = a.dim == 2 ? 3 : 7;
    double most = 0.0;
    for (int i = 0; i < a.body_count; i++) {
        const double *p = a.q + stride * i, *q = b.q + stride * i;
        double size = isfinite(a.size[i]) ? a.size[i] : 1.0;
        most = fmax(most, fabs(p[0] + q[0]) / size);
        most = fmax(most, fabs(p[1] - q[1]) / size);
        most = fmax(most, a.dim == 2 ? fabs(p[2] + q[2]) : fabs(p[2] - q[2]) / size);
    }
    return most;
}

// The mirrored flight is the mirror image until the second impact.
static inline void compare_image(fly_watch *x, fly_tally *tally)
{
    cn_view view = cn_world_view(x->w);
    bool is_active = active_count(&view) > 0;
    x->impacts += is_active && !x->was_active;
    x->was_active = is_active;
    if (x->image == NULL || x->impacts > 1) {
        return;
    }
    cn_error err;
    cn_status status = test_step(x->image, x->f->h, &err);
    x->is_compared = x->is_compared || is_active;
    bool is_like = (status == CN_OK || status == CN_MISSED) && unlikeness(x) <= 1e-6;
    if (!is_like) {
        tally->unlike++;
        cn_world_destroy(x->image);
        x->image = NULL;
    }
}

// ---- one flight

static inline void fly_report(const fly_watch *x, int step)
{
    const flight *f = x->f;
    printf("flight %d of seed %llu: %s and %s in %dD, sizes %.3g and %.3g, step %d: %s\n",
           f->number, (unsigned long long)f->seed, fly_kind_name(f->dim, f->kind[0]),
           fly_kind_name(f->dim, f->kind[1]), f->dim, f->scale[0], f->scale[1], step, x->why);
    printf("  law %s, e %g, mu %g, h/%d = %.3g s, speed %.3g m/s, %s%s%s\n", f->law.type->name,
           f->e, f->mu, f->part, f->h, f->speed,
           f->start == FLY_INSIDE ? "inside"
           : f->start == FLY_MISS ? "far"
                                  : "outside",
           f->is_held ? ", the first is held" : "", f->joint >= 0 ? ", joined" : "");
    fflush(stdout); // many flights take long
}

// A line for each step and contact, on request.
static inline void fly_show(const fly_watch *x, int step)
{
    cn_view view = cn_world_view(x->w);
    fly_sum s = fly_sum_of(x->w);
    printf("%4d kinetic %.9g stored %.4g, angular %.10g %.10g %.10g\n", step, view.ledger->kinetic,
           view.ledger->storage + view.ledger->elastic, s.angular[0], s.angular[1], s.angular[2]);
    for (int i = 0; i < view.body_count && view.dim == 2; i++) {
        const double *q = view.q + 3 * i, *v = view.v + 3 * i;
        printf("     body %d at %.6g %.6g %.6g v %.6g %.6g %.6g mass %g inertia %g\n", i, q[0],
               q[1], q[2], v[0], v[1], v[2], view.mass[i], view.inertia[i]);
    }
    for (int i = 0; i < view.body_count && view.dim == 3; i++) {
        const double *v = view.v + 6 * i;
        printf("     body %d at %.3g %.3g %.3g turns by %.3g in a step\n", i, view.q[7 * i],
               view.q[7 * i + 1], view.q[7 * i + 2],
               x->f->h * sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]));
    }
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        printf("     %d-%d %016llx gap %.3e r %.3e %.3e %.3e u %.3e (%.3e) n %.3f %.3f %.3f "
               "at %.4g %.4g %.4g\n",
               c->i, c->j, (unsigned long long)c->feature, c->gap, c->r[0], c->r[1], c->r[2],
               c->u[0], c->u_before[0], c->normal[0], c->normal[1], c->normal[2], c->point[0],
               c->point[1], c->point[2]);
    }
}

// Whether bodies of the flight may be bonded: glue, and laws with a parameter that says when.
static inline bool fly_bonds(const flight *f)
{
    bool some = strcmp(f->law.type->name, "glue") == 0;
    for (int k = 0; k < f->law.type->param_count; k++) {
        some = some || (strcmp(f->law.type->param[k].name, "bond") == 0 && f->law.param[k] > 0.0);
    }
    return some;
}

static inline bool fly_steps(fly_watch *x, fly_tally *tally, int *step)
{
    const flight *f = x->f;
    bool is_hit = false;
    for (*step = 1; *step <= FLY_STEPS * f->part; (*step)++) {
        cn_error err;
        cn_status status = test_step(x->w, f->h, &err);
        tally->steps++;
        tally->unconverged += status == CN_MISSED;
        bool may_break = f->joint >= 0 || has_mesh(f) || fly_bonds(f);
        if (status == CN_MISSED || (status == CN_BROKEN && may_break)) {
            tally->told += status == CN_BROKEN; // joints, bonds, meshes: the step is too long
            if (getenv("FLIGHT_TOLD") != NULL) {
                printf("flight %d of seed %llu, step %d: %s: %s\n", f->number,
                       (unsigned long long)f->seed, *step, cn_status_name(status),
                       status == CN_BROKEN ? err.text : "");
            }
            return true; // nothing is promised then
        }
        if (status != CN_OK) {
            snprintf(x->why, sizeof x->why, "%s: %s", cn_status_name(status), err.text);
            return false;
        }
        cn_view view = cn_world_view(x->w);
        is_hit = is_hit || active_count(&view) > 0;
        if (getenv("FLIGHT_SHOW") != NULL) {
            fly_show(x, *step);
        }
        if (x->is_missed) {
            return true; // it is told
        }
        bool is_looked_at = *step % f->part == 0 || active_count(&view) > 0; // which takes longer
        if (!energy_holds(x, tally) || (is_looked_at && !overlap_holds(x, tally)) ||
            !depth_holds(x, tally) || !momentum_holds(x, tally) || !freedom_holds(x)) {
            return false;
        }
        compare_image(x, tally);
    }
    tally->hits += is_hit;
    return true;
}

// Flies one; false: something does not hold, and was printed.
static inline bool fly(const flight *f, fly_tally *tally)
{
    fly_watch x = {.f = f};
    cn_error err;
    cn_status status = fly_world(f, false, -1, &x.w, &err);
    if (status == CN_OK && f->body_count == 2) {
        status = fly_world(f, true, -1, &x.image, &err);
    }
    for (int k = 0; k < f->body_count && status == CN_OK && f->start == FLY_MISS; k++) {
        status = fly_world(f, false, k, &x.alone[k], &err);
    }
    int step = 0;
    bool holds = status == CN_OK && f->is_sound;
    if (!f->is_sound) {
        snprintf(x.why, sizeof x.why, "they are found in each other before they meet");
    } else if (holds) {
        x.start = fly_sum_of(x.w);
        for (int k = 0; k < 3 * f->body_count; k++) {
            x.v_before[k] = f->pose[k / 3].velocity[k % 3];
        }
        holds = fly_steps(&x, tally, &step);
        tally->mirrored += x.is_compared;
        tally->missed_meshes += x.is_missed && has_mesh(f);
        tally->missed_tubes += x.is_missed && !has_mesh(f);
    } else {
        snprintf(x.why, sizeof x.why, "%s", err.text);
    }
    if (!holds) {
        fly_report(&x, step);
        tally->failures++;
    }
    cn_world_destroy(x.w);
    cn_world_destroy(x.image);
    for (int k = 0; k < FLY_BODIES; k++) {
        cn_world_destroy(x.alone[k]);
    }
    tally->flights++;
    return holds;
}

static inline uint64_t fly_setting(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : fallback;
}

// Flies `count` flights of a seed from a number on, or the one that FLIGHT_NUMBER names.
// FLIGHT_FIRST is another number to start from: many are flown in slices.
static inline fly_tally fly_many_from(uint64_t seed, int first, int count)
{
    fly_tally tally = {0};
    seed = fly_setting("FLIGHT_SEED", seed);
    count = (int)fly_setting("FLIGHT_COUNT", (uint64_t)count);
    first = (int)fly_setting("FLIGHT_FIRST", (uint64_t)first);
    int only = (int)fly_setting("FLIGHT_NUMBER", UINT32_MAX);
    for (int number = only >= 0 ? only : first; tally.flights < (only >= 0 ? 1 : count); number++) {
        flight f;
        fly_pair_of(&f, number);
        if (has_mesh(&f) && only < 0 && (number / fly_pair_count()) % FLY_MESHES != 0) {
            continue; // they take longer: one in so many rounds
        }
        if (fly_draw(&f, seed, number)) {
            fly_note(&f, &tally.seen);
            fly(&f, &tally);
        }
        tally.next = number + 1;
    }
    return tally;
}

static inline fly_tally fly_many(uint64_t seed, int count)
{
    return fly_many_from(seed, 0, count);
}

static inline void fly_print(const fly_tally *t)
{
    printf("%d flights, %d hit, %d steps, %d not converged, %d told that the step is too long, %d "
           "failed\n",
           t->flights, t->hits, t->steps, t->unconverged, t->told, t->failures);
    printf("  the next one is %d\n", t->next);
    printf("  mirror images: %d of %d differ\n", t->unlike, t->mirrored);
    printf("  worst over what is allowed: energy %.2g, depth %.2g, momentum %.2g, angular %.2g, "
           "unseen %.2g, phantom %.2g\n",
           t->energy, t->depth, t->momentum, t->angular, t->unseen, t->phantom);
    printf("  open: %d flights of meshes overlapped between their nodes, %d of two tubes between "
           "their rims\n",
           t->missed_meshes, t->missed_tubes);
    printf("  row rotation %.2g of the energy at worst\n", t->rotation);
}
