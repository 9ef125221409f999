// solve/sweep/prox_adaptive.c -- springs that are hard where the law is missed and soft elsewhere,
// theory 13.6.
//
// Where a packing with much friction jams, a few slow modes grow with every sweep and with every
// move of the springs of prox, whatever their hardness, until statuses change: the iterates wander
// at some times what is accepted. Yet all that is asked for is that no contact misses its law by
// more than that, and most miss it by far less. So each contact has a spring of its own, which gets
// harder where too much is missed and softer where there is room: what holds the modes is spread
// over all contacts. The centres follow slowly, since it is their move that lets modes grow.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "solve/sweep/regularize.h"

enum { TURN = 10 }; // sweeps before the springs are set anew
static const double hardness_first = 30.0, hardness_least = 3.0, hardness_most = 1e5;
static const double harder_most = 2.0, softer = 0.8; // in one turn
static const double aim = 0.8;                       // of what may be missed
static const double follow = 0.15;                   // of the way to the impulses, the centres

// Sets the springs by what each contact misses at p->r and s->u. No contact is to miss more than
// `limit` [m/s]; where that is a matter of energy, which all add to, none gets softer.
static void set_springs(const cn_solver *s, const cn_problem *p, double limit, bool is_energy,
                        cn_regularized *soft)
{
    double room = is_energy ? 1.0 : softer;
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, s->packed_count, {
        const cn_packed *x = &s->packed[n];
        double *hardness = &soft->hardness_of[x->a];
        double excess = cn_solver_miss(s, p, s->u, x->a) / limit;
        double change = excess > 1.0 ? fmin(excess, harder_most) : room;
        *hardness = fmin(fmax(change * *hardness, hardness_least), hardness_most);
        for (int k = x->row; k < x->row + x->rows; k++) {
            double r = p->k != NULL ? p->r[k] + p->k[k] * s->u[k] : p->r[k];
            soft->centre[k] += follow * (r - soft->centre[k]);
        }
    });
}

// Sweeps over the problem with springs; true: stop.
static bool take_turn(cn_solver *s, const cn_problem *p, const cn_regularized *soft,
                      cn_solve_progress *progress)
{
    cn_momentum m;
    cn_momentum_reset(s, p, false, &m);
    for (int k = 1; k <= TURN; k++) {
        progress->sweep_count += cn_momentum_sweep(s, &soft->problem, &m);
        progress->iteration_count++;
        progress->sweep_next = k < TURN ? INT_MAX : 0;
        if (cn_progress_check(progress, s, p)) {
            return true;
        }
        if (k < TURN) {
            cn_momentum_push(s, &soft->problem, &m);
        }
    }
    return false;
}

cn_status cn_prox_adaptive(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                           cn_error *err)
{
    double *work;
    size_t size = cn_regularize_work(p), count = (size_t)p->contact_count;
    cn_regularized soft;
    CN_TRY(cn_solver_work(s, size + count, &work, err));
    for (size_t a = 0; a < count; a++) {
        work[size + a] = hardness_first;
    }
    CN_TRY(cn_regularize_begin(s, p, progress->def, hardness_first, work, &soft, err));
    soft.hardness_of = work + size;
    while (!take_turn(s, p, &soft, progress)) {
        double distance = cn_progress_distance(progress, &progress->residual);
        bool is_energy = distance > progress->residual.err_v / progress->def->eps_v;
        set_springs(s, p, aim * progress->residual.e_max / distance, is_energy, &soft);
        cn_regularize_renew(s, p, &soft);
    }
    return cn_regularize_end(s, p, progress->def, err);
}
