// Large deformable bodies whose contacts come and go: condensed rows do not remember.
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "world/world.h"

enum { COLUMNS = 60, ROWS = 8 };

// A disk is pressed into the top of a soft block and driven along it, so that it meets one node
// after the other; the block slides on the ground.
static cn_world *rolling_world_of(int threads, double kept_flops, bool is_disk_first, grid **g)
{
    cn_world_def def = cn_world_def_default();
    def.theta = 0.5;
    def.threads = threads;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    w->bodies.deformables->factors.kept_flops = kept_flops;
    *g = grid_make(2, CN_QUAD4, (int[]){COLUMNS, ROWS}, (double[]){0, 0}, (double[]){1.5, 0.2},
                   grid_elastic(1e5, 0.3, 1000.0));
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = is_disk_first ? scene_disk(w, 0.3, 0.298, 0.1, 0) : 0;
    grid_body(w, *g, 0.0, 0.0);
    disk = is_disk_first ? disk : scene_disk(w, 0.3, 0.298, 0.1, 0);
    const double speed[2] = {8.0, 0.0};
    for (int k = 0; k < 2; k++) {
        cn_drive_def drive = {.body = disk,
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = k == 0 ? CN_DOF_X : CN_DOF_Y,
                              .f = cn_constant(speed[k])};
        CN_DO(cn_drive_add(w, &drive, &test_error));
    }
    return w;
}

static cn_world *rolling_world(int threads, double kept_flops, grid **g)
{
    return rolling_world_of(threads, kept_flops, false, g);
}

static uint64_t roll(int threads, double kept_flops, int steps, size_t *solves)
{
    grid *g;
    int factorizations;
    cn_world *w = rolling_world(threads, kept_flops, &g);
    CN_TRUE(scene_run(w, 1e-3, steps) == 0);
    uint64_t hash = cn_world_state_hash(w);
    cn_world_deform_work(w, &factorizations, solves);
    CN_TRUE(factorizations == 1);
    cn_world_destroy(w);
    grid_free(g);
    return hash;
}

// Whoever finds roots, and whether they are kept or found again: the same bits.
CN_TEST(rows_do_not_depend_on_threads_or_memory)
{
    size_t solves, first;
    roll(1, INFINITY, 1, &first);
    uint64_t found_again = roll(1, INFINITY, 60, &solves);
    CN_TRUE(solves > first + 10); // the disk has met new nodes
    CN_TRUE(roll(1, 0.0, 60, &solves) == found_again);
    CN_TRUE(roll(3, 0.0, 60, &solves) == found_again);
    CN_TRUE(roll(2, INFINITY, 60, &solves) == found_again);
}

// A world that starts from a state knows fewer rows than the one that wrote it.
CN_TEST(restart_does_not_need_the_rows_of_before)
{
    grid *grids[2];
    cn_world *w = rolling_world(1, INFINITY, &grids[0]);
    cn_world *again = rolling_world(1, INFINITY, &grids[1]);
    CN_TRUE(scene_run(w, 1e-3, 40) == 0);
    const cn_state_part *part;
    int count, factorizations;
    CN_DO(cn_world_state(w, &part, &count, &test_error));
    CN_DO(cn_world_restore(again, part, count, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 20) == 0);
    CN_TRUE(scene_run(again, 1e-3, 20) == 0);
    CN_TRUE(cn_world_state_hash(again) == cn_world_state_hash(w));
    size_t solves[2];
    cn_world_deform_work(w, &factorizations, &solves[0]);
    cn_world_deform_work(again, &factorizations, &solves[1]);
    CN_TRUE(solves[1] < solves[0]);
    cn_world_destroy(w);
    cn_world_destroy(again);
    grid_free(grids[0]);
    grid_free(grids[1]);
}

// Whether the blocks of a step are those that would be made now, if nothing were kept.
static bool blocks_are_those_of_now(cn_world *w)
{
    cn_contacts *c = &w->contacts;
    size_t size = sizeof *c->W_block * c->W_size;
    double *was = malloc(size + 1);
    memcpy(was, c->W_block, size);
    c->seat_count = 0; // nothing is kept
    CN_DO(cn_contact_condense(c, &w->bodies, &w->problem, &test_error));
    bool is_same =
        size > 0 && sizeof *c->W_block * c->W_size == size && memcmp(was, c->W_block, size) == 0;
    free(was);
    return is_same;
}

// Whichever side of the contacts the block is on.
CN_TEST(kept_blocks_are_those_of_the_step)
{
    for (int first = 0; first < 2; first++) {
        grid *g;
        cn_world *w = rolling_world_of(1, INFINITY, first == 1, &g);
        for (int step = 0; step < 20; step++) {
            CN_TRUE(scene_run(w, 1e-3, 1) == 0);
            CN_TRUE(blocks_are_those_of_now(w));
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A box glides just above a block without weight: the normal stays to the bit, the place on the
// block does not.
CN_TEST(blocks_follow_what_glides)
{
    for (int first = 0; first < 2; first++) {
        cn_world_def def = cn_world_def_default();
        def.gravity[1] = 0.0;
        cn_law_def law = cn_law_coulomb(0.3, 0.0);
        cn_world *w = scene_world_with(&def, &law);
        grid *g = grid_make(2, CN_QUAD4, (int[]){30, 6}, (double[]){0, 0}, (double[]){1.5, 0.3},
                            grid_elastic(1e5, 0.3, 1000.0));
        cn_body_id box = 0;
        for (int k = 0; k < 2; k++) {
            if (k == first) {
                grid_body(w, g, 0.0, 0.0);
            } else {
                box = scene_box(w, 0.4, 0.35 + 1e-5, 0.23, 0.1, 0.0, 0);
            }
        }
        scene_set_velocity(w, box, 3.0, 0.0, 0.0);
        for (int step = 0; step < 10; step++) {
            CN_TRUE(scene_run(w, 1e-3, 1) == 0);
            CN_TRUE(w->contacts.count > 0 && blocks_are_those_of_now(w));
        }
        CN_NEAR(scene_state(w, box).velocity[0], 3.0, 0.0, "nothing touches");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// Whether the next step uses the blocks of W of the step before: all are changed by one digit,
// which blocks that are made again do not have.
static bool keeps_blocks(cn_world *w, double h)
{
    double *W = w->contacts.W_block;
    size_t count = w->contacts.W_size, kept = 0;
    double *marked = malloc(sizeof *marked * count);
    for (size_t k = 0; k < count; k++) {
        marked[k] = W[k] = nextafter(W[k], INFINITY);
    }
    CN_TRUE(scene_run(w, h, 1) == 0);
    for (size_t k = 0; k < count && w->contacts.W_size == count; k++) {
        kept += w->contacts.W_block[k] == marked[k];
    }
    free(marked);
    return count > 0 && kept == count;
}

// A block that rests on flat ground keeps its rows from step to step, but not
// with another length of the step, which is another matrix.
CN_TEST(blocks_at_rest_keep_their_rows)
{
    cn_world_def def = cn_world_def_default();
    def.theta = 1.0;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    grid *g = grid_make(2, CN_QUAD4, (int[]){20, 8}, (double[]){0, 0}, (double[]){1.0, 0.4},
                        grid_elastic(1e5, 0.3, 1000.0));
    scene_ground(w, 0.0, 0.0, 0.0);
    grid_body(w, g, 0.0, 0.0);
    CN_TRUE(scene_run(w, 1e-2, 20) == 0);
    CN_TRUE(w->contacts.count == 21);
    CN_TRUE(keeps_blocks(w, 1e-2));
    CN_TRUE(keeps_blocks(w, 1e-2));
    CN_TRUE(!keeps_blocks(w, 0.5e-2));
    CN_TRUE(keeps_blocks(w, 0.5e-2));
    const cn_factors_list *factors = &w->bodies.deformables->factors;
    CN_TRUE(factors->item[0].active_count == 21); // those of the matrix before are gone
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(rows_do_not_depend_on_threads_or_memory);
        CN_RUN(restart_does_not_need_the_rows_of_before); CN_RUN(blocks_at_rest_keep_their_rows);
        CN_RUN(kept_blocks_are_those_of_the_step); CN_RUN(blocks_follow_what_glides);)
