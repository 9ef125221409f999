// audit/penetration.c -- how deep bodies overlap, and how much deeper the step may make
// it: 6.4, 6.5. What joints leave open: 4.34.
#include <math.h>

#include "audit/audit.h"

void cn_audit_penetration(const cn_contacts *c, const cn_bodies *b, double h,
                          cn_certificate *certificate)
{
    certificate->penetration = certificate->penetration_rel = 0.0;
    certificate->active_count = 0;
    double mu = 0.0;
    for (int a = 0; a < c->count; a++) {
        double depth = -c->contact[a].gap;
        if (depth > certificate->penetration) {
            certificate->penetration = depth;
        }
        double size = depth > 0.0 ? cn_contact_size(b, &c->contact[a]) : INFINITY;
        if (depth > certificate->penetration_rel * size) {
            certificate->penetration_rel = depth / size;
        }
        certificate->active_count += c->contact[a].r[0] != 0.0;
        mu = fmax(mu, c->mu[a]);
    }
    certificate->added_penetration = h * sqrt(1.0 + mu * mu) * certificate->solver.rigid.e_max;
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
