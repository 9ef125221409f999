// audit/energy.c -- the energy ledger, theory 6.1 to 6.3.
//
// The scheme satisfies T+ - T = 1/2 (v+ + v) . (h F + H r) exactly. Bodies give the kinetic,
// potential, applied, drive and theta rows, contacts the others; nothing is the remainder of the
// rest, so an impulse that does not belong to the velocities opens the ledger.
#include <math.h>
#include <string.h>

#include "audit/audit.h"

const char *cn_energy_row_name(cn_energy_row row)
{
    static const char *const name[CN_ENERGY_ROW_COUNT] = {
        "kinetic", "potential", "applied", "drive", "friction",
        "shock",   "storage",   "viscous", "joint", "theta",
    };
    return (unsigned)row < CN_ENERGY_ROW_COUNT ? name[row] : "unknown";
}

static double kinetic(const cn_bodies *b, int i, const double *v)
{
    return 0.5 * (b->mass[i] * (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1]) +
                  b->inertia[i] * v[3 * i + 2] * v[3 * i + 2]);
}

static double potential(const cn_bodies *b, int i)
{
    return -b->mass[i] * (b->gravity[0] * b->q[3 * i] + b->gravity[1] * b->q[3 * i + 1]);
}

void cn_audit_add(const cn_bodies *b, int i, cn_ledger *ledger)
{
    ledger->kinetic += kinetic(b, i, b->v);
    ledger->potential += potential(b, i);
}

void cn_audit_start(const cn_bodies *b, cn_ledger *ledger)
{
    ledger->kinetic = ledger->potential = 0.0;
    for (int i = 0; i < b->count; i++) {
        cn_audit_add(b, i, ledger);
    }
}

// Impulse that contacts give each degree of freedom: H r.
static void gather_impulses(const cn_contacts *c, cn_bodies *b)
{
    if (b->count > 0) {
        memset(b->impulse, 0, sizeof(double) * (size_t)(3 * b->count));
    }
    for (int a = 0; a < c->count; a++) {
        const cn_contact *x = &c->contact[a];
        const int body[2] = {x->i, x->j};
        const double sign[2] = {1.0, -1.0};
        for (int side = 0; side < 2 && (x->r[0] != 0.0 || x->r[1] != 0.0); side++) {
            double H[6];
            cn_body_rows(cn_contact_place(c, b, a), body[side], cn_v2(x->point[0], x->point[1]),
                         cn_v2(x->normal[0], x->normal[1]), H);
            for (int d = 0; d < 3; d++) {
                b->impulse[3 * body[side] + d] +=
                    sign[side] * (H[d] * x->r[0] + H[3 + d] * x->r[1]);
            }
        }
    }
}

// Rows of one body (6.2). What its momentum balance lacks is the reaction of the drive of a held
// degree of freedom; for a free one it is an error, returned as work.
static double add_body(const cn_bodies *b, int i, double h, double theta, double *row)
{
    static const unsigned bit[3] = {1u << CN_DOF_X, 1u << CN_DOF_Y, 1u << CN_DOF_RZ};
    const double M[3] = {b->mass[i], b->mass[i], b->inertia[i]};
    const double g[3] = {b->gravity[0], b->gravity[1], 0.0};
    double error = 0.0;
    for (int d = 0; d < 3; d++) {
        int k = 3 * i + d;
        double v = b->v_before[k], v_new = b->v[k];
        double dq = h * ((1.0 - theta) * v + theta * v_new);
        double weight = M[d] * g[d], mean = 0.5 * (v + v_new);
        double missing = M[d] * (v_new - v) - h * (weight + b->f[k]) - b->impulse[k];
        row[CN_ENERGY_KINETIC] += M[d] * (v_new - v) * mean;
        row[CN_ENERGY_POTENTIAL] -= weight * dq;
        row[CN_ENERGY_APPLIED] -= b->f[k] * dq;
        row[CN_ENERGY_THETA] += (theta - 0.5) * h * (weight + b->f[k]) * (v_new - v);
        if (b->held[i] & bit[d]) {
            row[CN_ENERGY_DRIVE] -= mean * missing;
        } else {
            error += fabs(mean * missing);
        }
    }
    return error;
}

static void add_contact(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a,
                        double *row)
{
    const cn_contact *x = &c->contact[a];
    const cn_law_entry *entry = &law[x->law];
    double normal = -0.5 * x->r[0] * (x->u[0] + x->u_before[0]);
    double tangential = -0.5 * x->r[1] * (x->u[1] + x->u_before[1]);
    if (x->status == CN_STATUS_JOINED) {
        row[CN_ENERGY_JOINT] += normal + tangential;
        return;
    }
    cn_law_energy energy = {0};
    if (entry->law->energy != NULL) {
        cn_law_output out = {.status = (cn_contact_status)x->status};
        memcpy(out.r, x->r, sizeof out.r);
        memcpy(out.u, x->u, sizeof out.u);
        cn_law_input in = cn_contact_law_input(c, b, a);
        entry->law->energy(entry->param, &in, &out, &energy);
    }
    row[CN_ENERGY_FRICTION] += tangential;
    row[CN_ENERGY_SHOCK] += normal - energy.storage - energy.viscous;
    row[CN_ENERGY_STORAGE] += energy.storage;
    row[CN_ENERGY_VISCOUS] += energy.viscous;
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

// (6.3). The kinetic energy of the free motion belongs to the scale: for bodies at rest every row
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
    ledger->error_max = fmax(ledger->error_max, fmax(ledger->error, ledger->error_step));
}

void cn_audit_energy(const cn_contacts *c, const cn_law_entry *law, double h, double theta,
                     cn_bodies *b, cn_ledger *ledger)
{
    double free_energy = 0.0, worst = 0.0;
    memset(ledger->step, 0, sizeof ledger->step);
    ledger->worst_body = 0;
    gather_impulses(c, b);
    for (int i = 0; i < b->count; i++) {
        double error = add_body(b, i, h, theta, ledger->step);
        free_energy += kinetic(b, i, b->v_free);
        if (error > worst) {
            worst = error;
            ledger->worst_body = b->id[i];
        }
    }
    for (int a = 0; a < c->count; a++) {
        add_contact(c, b, law, a, ledger->step);
    }
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        ledger->total[k] += ledger->step[k];
    }
    ledger->storage += ledger->step[CN_ENERGY_STORAGE];
    cn_audit_start(b, ledger);
    close_ledger(free_energy, ledger);
}
