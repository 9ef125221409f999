// audit/penetration.c -- how deep bodies overlap, and how much deeper the step may make
// it: 6.4, 6.5.
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
