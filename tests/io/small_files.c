// Results that leave contacts of frames out, and round what they hold, say so and mislead nobody.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"
#include "test.h"

// A ball that spins beside a stack of boxes in space, recorded in five frames.
static void write_run(const char *path, int64_t contacts_every, bool is_reduced)
{
    const double side[3] = {0.2, 0.2, 0.2};
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    scene_floor(w, 0.0);
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, 0.1, 0.1);
    scene_block(w, (double[3]){1.0, 0.0, 0.1}, side, NULL, 0);
    scene_block(w, (double[3]){1.0, 0.0, 0.3}, side, NULL, 0);
    cn_body_state s = scene_state(w, ball);
    s.angular_velocity[0] = 1.0;
    s.angular_velocity[1] = 2.0;
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    const cn_provenance from = {.title = "small",
                                .scene_path = "small.yaml",
                                .scene_text = "cairn: 1\n",
                                .command_line = "cairn run small.yaml",
                                .contacts_every = contacts_every,
                                .is_reduced = is_reduced};
    cn_writer *writer = NULL;
    CN_DO(cn_writer_create(path, &from, w, 0, NULL, &writer, &test_error));
    for (int k = 0; k < 40; k++) {
        scene_run(w, 1e-3, 1);
        CN_DO(cn_writer_step(writer, w, NULL, &test_error));
        if (k % 10 == 9) {
            CN_DO(cn_writer_frame(writer, w, &test_error));
        }
    }
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_world_destroy(w);
}

static cn_reader *open_result(const char *path)
{
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(path, &r, &test_error));
    return r;
}

static void check_frames(const char *path, const char *lacking, const char *message)
{
    cn_reader *r = open_result(path);
    for (int k = 0; k < 5; k++) {
        cn_frame f;
        CN_DO(cn_reader_frame(r, k, &f, &test_error));
        CN_TRUE(f.lacks_contacts == (lacking[k] == '-') && f.body_count == 4);
        CN_TRUE(k == 0 || f.contact_count == (lacking[k] == '-' ? 0 : 9)); // 4, 4 and the ball
        if (f.lacks_contacts) {
            CN_FAILS(cn_reader_need_contacts(r, &f, &test_error), CN_BAD_INPUT, message);
        } else {
            CN_DO(cn_reader_need_contacts(r, &f, &test_error));
        }
    }
    int damaged = 0;
    CN_DO(cn_reader_verify(r, NULL, NULL, &damaged, &test_error));
    CN_TRUE(damaged == 0);
    cn_reader_close(r);
}

CN_TEST(frames_say_that_contacts_are_left_out)
{
    write_run(files_path("all.h5"), 1, false);
    check_frames(files_path("all.h5"), "+++++", "");
    write_run(files_path("third.h5"), 3, false);
    check_frames(files_path("third.h5"), "+--++", "every 3-th has them");
    write_run(files_path("last.h5"), -1, false);
    check_frames(files_path("last.h5"), "+---+", "only the last one of a run has, 4");
}

// Forces of a frame without contacts are not known: a table of zeros would be a wrong answer.
CN_TEST(what_follows_from_forces_is_not_made_up)
{
    cn_reader *r = open_result(files_path("third.h5"));
    char *table = NULL;
    CN_DO(cn_analyse(r, &(cn_analyse_def){.what = "coordination"}, &table, &test_error));
    int lines = 0;
    for (const char *c = table; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    CN_TRUE(lines == 1 + 3 && strstr(table, "\n3,0.03") != NULL); // frames 0, 3 and 4
    free(table);
    CN_FAILS(cn_patch_force_table(r, 2, &table, &test_error), CN_BAD_INPUT,
             "without its contacts: every 3-th has them, as 0 has, and the last of a run, 4");
    cn_reader_close(r);
}

// Continued where it ended, contacts of the last frame stay, and the rule holds for those to come.
CN_TEST(a_continued_file_keeps_the_rule)
{
    cn_writer *writer = NULL;
    CN_DO(cn_writer_reopen(files_path("third.h5"), 20, &writer, &test_error));
    cn_writer_abandon(writer);
    cn_reader *r = open_result(files_path("third.h5"));
    cn_frame f;
    CN_TRUE(cn_reader_summary(r)->frames == 3);
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_TRUE(f.lacks_contacts && f.step == 20);
    cn_reader_close(r);
}

static double worst(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) {
        most = fmax(most, a[k] != 0.0 ? fabs(b[k] / a[k] - 1.0) : fabs(b[k]));
    }
    return most;
}

CN_TEST(reduced_numbers_are_near_and_states_are_sound)
{
    write_run(files_path("reduced.h5"), 1, true);
    cn_reader *full = open_result(files_path("all.h5")), *r = open_result(files_path("reduced.h5"));
    cn_frame a, b;
    CN_DO(cn_reader_frame(full, -1, &a, &test_error));
    CN_DO(cn_reader_frame(r, -1, &b, &test_error));
    CN_TRUE(a.state_hash == b.state_hash && a.contact_count == b.contact_count);
    double q = worst(a.q, b.q, 7 * a.body_count), v = worst(a.v, b.v, 6 * a.body_count);
    CN_TRUE(q > 0.0 && q <= 0x1p-21); // half a unit of the 20th bit
    CN_TRUE(v > 0.0 && v <= 0x1p-13);
    for (int c = 0; c < a.contact_count; c++) {
        const cn_contact *x = &a.contact[c], *y = &b.contact[c];
        CN_TRUE(x->pair == y->pair && x->feature == y->feature && x->status == y->status);
        CN_TRUE(worst(x->r, y->r, 3) <= 0x1p-21 && worst(x->point, y->point, 3) <= 0x1p-21);
        CN_TRUE(worst(x->u, y->u, 3) <= 0x1p-13);
    }
    cn_reader_close(full);
    cn_reader_close(r);
}

CN_MAIN(CN_RUN(frames_say_that_contacts_are_left_out);
        CN_RUN(what_follows_from_forces_is_not_made_up); CN_RUN(a_continued_file_keeps_the_rule);
        CN_RUN(reduced_numbers_are_near_and_states_are_sound); files_remove();)
