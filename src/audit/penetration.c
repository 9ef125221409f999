// audit/penetration.c -- how deep bodies overlap, and how much deeper the step may make
// it: theory 9.4, 9.5. What joints leave open: theory 7.4.
#include <math.h>

#include "audit/audit.h"
#include "base/tasks.h"

enum { SHARED_MIN = 1024 }; // contacts per thread

// Mean diagonal of W + c over some rows of contact a.
static double mean_diagonal(const cn_contacts *c, int dof, int a, int from, int to)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) { // contacts with moments are not given by geometry
        const double *G = c->G + c->block_start[2 * a + side];
        for (int k = from * dof; k < to * dof && c->body[2 * a + side] >= 0; k++) {
            sum += G[k] * G[k];
        }
    }
    for (int k = from; k < to && c->has_c; k++) {
        sum += c->c[c->row_start[a] + k];
    }
    return sum / (to - from);
}

// Sum of the squared slopes of the cone, moments over their length (8.16).
static double slope2_of(const cn_contacts *c, int dof, int a)
{
    double slope2 = c->mu[a] * c->mu[a];
    int rows = cn_contact_row_count(c, a);
    if (rows > c->d) {
        double force = mean_diagonal(c, dof, a, 0, c->d);
        double moment = mean_diagonal(c, dof, a, c->d, rows);
        double length2 = force > 0.0 && moment > 0.0 ? force / moment : 1.0;
        slope2 += (c->mu_roll[a] * c->mu_roll[a] + c->mu_spin[a] * c->mu_spin[a]) / length2;
    }
    return slope2;
}

void cn_audit_penetration(const cn_contacts *c, const cn_bodies *b, double h,
                          cn_certificate *certificate)
{
    double slope2 = 0.0; // the largest, whoever finds it
    int active = 0, threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static) reduction(max : slope2) reduction(+ : active)), a, c->count, {
        double slope2_a = slope2_of(c, b->kind->dof, a);
        slope2 = slope2_a > slope2 ? slope2_a : slope2;
        active += c->r[c->row_start[a]] != 0.0;
    });
    certificate->penetration = c->depth;
    certificate->penetration_rel = c->depth_rel;
    certificate->held_rigid = c->held_rigid;
    for (int side = 0; side < 2; side++) {
        const cn_contact *x = c->deepest >= 0 ? &c->contact[c->deepest] : NULL;
        certificate->deepest[side] = x == NULL ? 0 : b->id[side == 0 ? x->i : x->j];
    }
    certificate->active_count = active;
    certificate->added_penetration = h * sqrt(1.0 + slope2) * certificate->solver.rigid.e_max;
}

void cn_audit_creep(const cn_contacts *c, const cn_bodies *b, cn_certificate *certificate)
{
    double most2 = 0.0;
    int worst = -1;
    for (int a = 0; a < c->count; a++) {
        const double *x = c->creep + 3 * a;
        double creep2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (creep2 > most2) {
            most2 = creep2;
            worst = a;
        }
    }
    certificate->creep = sqrt(most2);
    certificate->creep_body[0] = worst >= 0 ? b->id[c->contact[worst].i] : 0;
    certificate->creep_body[1] = worst >= 0 ? b->id[c->contact[worst].j] : 0;
}

void cn_audit_joints(const cn_joints *joints, cn_certificate *certificate)
{
    certificate->joint_count = 0;
    certificate->joint_gap = 0.0;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        double distance = 0.0, angle = 0.0;
        if (joints->step[n].constraint < 0) {
            continue;
        }
        certificate->joint_count++;
        if (!cn_link_is_elastic(link)) {
            cn_link_gap_sizes(link, joints->step[n].gap, &distance, &angle);
        }
        double gap = fmax(fabs(distance), link->arm * angle);
        certificate->joint_gap = fmax(certificate->joint_gap, gap);
    }
}
