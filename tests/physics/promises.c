// Promises of the method: no flicker, no tunnelling, restart, reruns, energy, no allocation.
#include <stdlib.h>

#include "counted.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"
#include "world/world.h"

static int key_order(const void *x, const void *y)
{
    return memcmp(x, y, 2 * sizeof(uint64_t));
}

// Hash of the set of contacts, all or only those that carry more than `least`.
static uint64_t set_of_contacts(const cn_view *view, double least)
{
    static uint64_t key[8000][2];
    int count = 0;
    for (int a = 0; a < view->contact_count && count < 8000; a++) {
        if (view->contact[a].r[0] >= least) {
            key[count][0] = view->contact[a].pair;
            key[count++][1] = view->contact[a].feature;
        }
    }
    qsort(key, (size_t)count, sizeof *key, key_order);
    uint64_t hash = (uint64_t)count;
    for (int k = 0; k < count; k++) {
        hash = hash * 0x9e3779b97f4a7c15u + key[k][0];
        hash = hash * 0x9e3779b97f4a7c15u + key[k][1];
    }
    return hash;
}

static double mean_impulse(const cn_view *view)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        sum += view->contact[a].r[0];
    }
    return view->contact_count > 0 ? sum / view->contact_count : 0.0;
}

// Decisions, section 2: 10^4 steps of a settled 10-course wall change neither the contacts within
// reach nor those that carry, and move no brick by more than 1e-9 of its size.
CN_TEST(settled_wall_does_not_flicker)
{
    cn_world *w = scene_world(0.6, 0.0, 1e-3);
    cn_body_id first;
    int bricks = scene_wall(w, 10, 5, 0.2, 0.1, &first);
    scene_run(w, 1e-3, 5000); // the early errors of 1e-3 take 4 s to close
    cn_view view = cn_world_view(w);
    static double q[3000];
    memcpy(q, view.q, sizeof(double) * 3 * (size_t)view.body_count);
    uint64_t listed = set_of_contacts(&view, -1.0);
    uint64_t carrying = set_of_contacts(&view, 1e-6 * mean_impulse(&view));
    int changes = 0;
    double moved = 0.0;
    for (int k = 0; k < 10000; k++) {
        scene_run(w, 1e-3, 1);
        view = cn_world_view(w);
        changes += set_of_contacts(&view, -1.0) != listed;
        changes += set_of_contacts(&view, 1e-6 * mean_impulse(&view)) != carrying;
    }
    for (int k = 0; k < 3 * view.body_count; k++) {
        moved = fmax(moved, fabs(view.q[k] - q[k]));
    }
    CN_TRUE(bricks == 55 && changes == 0);
    CN_NEAR(moved, 0.0, 1e-9 * 0.1, "stated promise");
    CN_TRUE(view.ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A 1 cm disk at 100 m/s with h = 1e-3 moves 100 walls' thickness per step.
CN_TEST(fast_disk_never_passes_a_thin_wall)
{
    const double e[3] = {0.0, 0.5, 1.0};
    double deepest = -1.0;
    for (int k = 0; k < 3; k++) {
        for (int start = 0; start < 40; start++) {
            cn_world_def def = cn_world_def_default();
            def.gravity[1] = 0.0;
            cn_law_def law = cn_law_coulomb(0.3, e[k]);
            cn_world *w = scene_world_with(&def, &law);
            scene_box(w, 0.0, 0.0, 0.001, 1.0, 0.0, CN_FIXED_ALL);
            cn_body_id disk = scene_disk(w, -0.0056 - 0.0049 * start, 0.0, 0.005, 0);
            scene_set_velocity(w, disk, 100.0, 0.0, 0.0);
            for (int n = 0; n < 20; n++) {
                scene_run(w, 1e-3, 1);
                deepest = fmax(deepest, scene_state(w, disk).position[0]);
            }
            cn_world_destroy(w);
        }
    }
    CN_TRUE(deepest <= 0.0);
}

static cn_world *packing(const cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    def.hooks = hooks;
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_packing(w, 200, 0.01);
    return w;
}

CN_TEST(rerun_and_restart_continue_bit_for_bit)
{
    cn_world *straight = packing(NULL), *first = packing(NULL), *second = packing(NULL);
    scene_run(straight, 1e-3, 200);
    scene_run(first, 1e-3, 100);
    const cn_state_part *part;
    int count;
    CN_DO(cn_world_state(first, &part, &count, &test_error));
    CN_DO(cn_world_restore(second, part, count, &test_error));
    CN_TRUE(cn_world_state_hash(first) == cn_world_state_hash(second));
    scene_run(first, 1e-3, 100);
    scene_run(second, 1e-3, 100);
    CN_TRUE(cn_world_state_hash(first) == cn_world_state_hash(straight));
    CN_TRUE(cn_world_state_hash(second) == cn_world_state_hash(straight));
    cn_view a = cn_world_view(straight), b = cn_world_view(second);
    CN_TRUE(memcmp(a.ledger->total, b.ledger->total, sizeof a.ledger->total) == 0);
    cn_world_destroy(straight);
    cn_world_destroy(first);
    cn_world_destroy(second);
}

CN_TEST(damaged_states_are_refused_and_change_nothing)
{
    cn_world *w = packing(NULL);
    scene_run(w, 1e-3, 20);
    const cn_state_part *part;
    int count;
    CN_DO(cn_world_state(w, &part, &count, &test_error));
    cn_state_part damaged[16];
    uint64_t before = cn_world_state_hash(w);
    CN_FAILS(cn_world_restore(w, part, count - 1, &test_error), CN_BAD_INPUT, "no part");
    memcpy(damaged, part, sizeof *part * (size_t)count);
    for (int k = 0; k < count; k++) {
        damaged[k].count -= damaged[k].count > 0;
    }
    CN_FAILS(cn_world_restore(w, damaged, count, &test_error), CN_BAD_INPUT, "entries");
    CN_TRUE(cn_world_state_hash(w) == before);
    cn_world_destroy(w);
}

// The ledger closes, and opens when one impulse is changed by a millionth.
CN_TEST(ledger_closes_and_sees_a_wrong_impulse)
{
    cn_world *w = packing(NULL);
    scene_run(w, 1e-3, 100); // the grains still fall: at rest no impulse works
    CN_TRUE(w->ledger.error_max < 1e-10);
    scene_run(w, 1e-3, 1);
    int strongest = 0;
    for (int a = 0; a < w->contacts.count; a++) {
        if (fabs(w->contacts.contact[a].r[0] * w->contacts.contact[a].u_before[0]) >
            fabs(w->contacts.contact[strongest].r[0] *
                 w->contacts.contact[strongest].u_before[0])) {
            strongest = a;
        }
    }
    // The step is audited alone: the sums of a long run would hide one contact of one step.
    cn_ledger ledger = {0};
    cn_audit_energy(&w->contacts, &w->joints, w->law, 1e-3, w->theta, &w->bodies, &ledger);
    CN_TRUE(ledger.error_step < 1e-10);
    w->contacts.contact[strongest].r[0] *= 1.0 + 1e-6;
    ledger = (cn_ledger){0};
    cn_audit_energy(&w->contacts, &w->joints, w->law, 1e-3, w->theta, &w->bodies, &ledger);
    CN_TRUE(ledger.error_step > 1e-10);
    int i = w->contacts.contact[strongest].i, j = w->contacts.contact[strongest].j;
    CN_TRUE(ledger.worst_body == w->bodies.id[i] || ledger.worst_body == w->bodies.id[j]);
    cn_world_destroy(w);
}

CN_TEST(warm_step_allocates_nothing)
{
    counted c = {0};
    cn_hooks hooks = counted_hooks(&c);
    cn_world *w = packing(&hooks);
    scene_run(w, 1e-3, 1500);
    long before = c.calls;
    scene_run(w, 1e-3, 200);
    CN_TRUE(c.calls == before);
    cn_world_destroy(w);
}

// Whatever allocation fails, the call says so and the world can still be destroyed.
CN_TEST(every_allocation_may_fail)
{
    int survived = 0;
    for (long fail_at = 1; fail_at < 400; fail_at++) {
        counted c = {.fail_at = fail_at};
        cn_hooks hooks = counted_hooks(&c);
        cn_world_def def = cn_world_def_default();
        def.hooks = &hooks;
        cn_world *w = NULL;
        cn_error err = {0};
        cn_law_def law = cn_law_coulomb(0.4, 0.0);
        cn_shape_def shape = {.kind = CN_SHAPE_DISK, .radius = 0.5};
        cn_body_def body = {.shapes = {1, &shape}, .density = 1.0};
        int number;
        cn_status status = cn_world_create(&def, &w, &err);
        status = status != CN_OK ? status : cn_law_add(w, &law, &number, &err);
        status = status != CN_OK ? status : cn_rule_add(w, -1, -1, number, &err);
        for (int k = 0; k < 3 && status == CN_OK; k++) {
            body.at[1] = 0.999 * k;
            body.fixed = k == 0 ? CN_FIXED_ALL : 0;
            status = cn_body_add(w, &body, NULL, &err);
        }
        for (int k = 0; k < 3 && status == CN_OK; k++) {
            status = test_step(w, 1e-3, &err);
        }
        CN_TRUE(status == CN_OK || status == CN_NO_MEMORY);
        survived += status == CN_OK;
        if (w != NULL) {
            cn_world_destroy(w);
        }
    }
    CN_TRUE(survived > 0); // the loop went past the last allocation
}

CN_MAIN(CN_RUN(settled_wall_does_not_flicker); CN_RUN(fast_disk_never_passes_a_thin_wall);
        CN_RUN(rerun_and_restart_continue_bit_for_bit);
        CN_RUN(damaged_states_are_refused_and_change_nothing);
        CN_RUN(ledger_closes_and_sees_a_wrong_impulse); CN_RUN(warm_step_allocates_nothing);
        CN_RUN(every_allocation_may_fail);)
