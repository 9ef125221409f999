// audit/stored_energy.c -- what the springs of an elastic step hold, theory 9.2.
//
// A spring of compliance a_c [1/kg] under the impulse r' = r + r0 of a step holds a_c r'^2 / 2. It
// takes it from what the contact did in that step, which the ledger has entered as shock and
// friction; there it is moved to storage. The step began with the springs at their centre. What
// they held beyond that (contacts that came apart, other steps h, a rigid step) is lost as shock.
#include "audit/audit.h"

static double or_zero(const double *array, int k)
{
    return array != NULL ? array[k] : 0.0;
}

static void move(cn_energy_row from, double energy, cn_ledger *ledger)
{
    ledger->step[from] -= energy;
    ledger->total[from] -= energy;
    ledger->step[CN_ENERGY_STORAGE] += energy;
    ledger->total[CN_ENERGY_STORAGE] += energy;
    ledger->storage += energy;
}

void cn_audit_springs(const cn_problem *p, const cn_problem *solved, const double *centre,
                      int contact_count, double *held, cn_ledger *ledger)
{
    double start = 0.0, now = 0.0, normal = 0.0, tangential = 0.0;
    for (int a = 0; a < contact_count && solved->c != NULL; a++) {
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            double half = 0.5 * (solved->c[k] - or_zero(p->c, k)), r0 = or_zero(p->r0, k);
            double before = half * (centre[k] + r0) * (centre[k] + r0);
            double after = half * (p->r[k] + r0) * (p->r[k] + r0);
            *(k == p->row_start[a] ? &normal : &tangential) += after - before;
            start += before;
            now += after;
        }
    }
    move(CN_ENERGY_SHOCK, normal - (*held - start), ledger);
    move(CN_ENERGY_FRICTION, tangential, ledger);
    *held = now;
}
