// Results of real worlds survive the way to the file and back: states, contacts, history, series.
#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"
#include "test.h"

static const cn_provenance provenance = {.title = "bouncing disk",
                                         .scene_path = "bounce.yaml",
                                         .scene_text = "cairn: 1\n# h\xc3\xa9 \n",
                                         .command_line = "cairn run bounce.yaml",
                                         .seed = 0xfedcba9876543210u,
                                         .step = 1e-3};

// A disk that falls on the ground beside a stack of two boxes.
typedef struct small_scene {
    cn_world *world;
    cn_body_id ground, disk, box[2];
} small_scene;

static small_scene make_scene(void)
{
    small_scene s;
    s.world = scene_world(0.3, 0.0, 1e-10);
    s.ground = scene_ground(s.world, 0.0, 0.0, 0.0);
    s.disk = scene_disk(s.world, -1.0, 0.15, 0.1, 0);
    s.box[0] = scene_box(s.world, 1.0, 0.1, 0.4, 0.2, 0.0, 0);
    s.box[1] = scene_box(s.world, 1.0, 0.3, 0.4, 0.2, 0.0, 0);
    return s;
}

// Steps, recorded; a frame every `every` steps. The series are the height and speed of the disk.
static void record(small_scene *s, cn_writer *writer, int steps, int every)
{
    for (int k = 0; k < steps; k++) {
        scene_run(s->world, 1e-3, 1);
        cn_body_state disk = scene_state(s->world, s->disk);
        double series[2] = {disk.position[1], disk.velocity[1]};
        CN_DO(cn_writer_step(writer, s->world, series, &test_error));
        if ((k + 1) % every == 0) {
            CN_DO(cn_writer_frame(writer, s->world, &test_error));
        }
    }
}

static cn_writer *start(small_scene *s, const char *path)
{
    const char *const series[2] = {"height", "speed"};
    cn_writer *writer = NULL;
    CN_DO(cn_writer_create(path, &provenance, s->world, 2, series, &writer, &test_error));
    return writer;
}

static void write_run(const char *path, int steps, int every)
{
    small_scene s = make_scene();
    cn_writer *writer = start(&s, path);
    record(&s, writer, steps, every);
    CN_DO(cn_writer_close(writer, s.world, "reached the end", 1.5, &test_error));
    cn_world_destroy(s.world);
}

CN_TEST(frame_zero_is_the_initial_state)
{
    write_run(files_path("a.h5"), 20, 10);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("a.h5"), &r, &test_error));
    cn_frame f;
    CN_DO(cn_reader_frame(r, 0, &f, &test_error));
    CN_TRUE(f.step == 0 && f.time == 0.0 && f.h == 0.0 && f.body_count == 4);
    CN_NEAR(f.q[4], 0.15, 0.0, "height of the disk as it was given");
    CN_TRUE(f.fixed[0] != 0 && f.fixed[1] == 0);
    cn_reader_close(r);
}

// The last frame equals the view of the world it was written from, bit for bit.
CN_TEST(a_frame_equals_the_view)
{
    small_scene s = make_scene();
    cn_writer *writer = start(&s, files_path("b.h5"));
    record(&s, writer, 120, 40);
    cn_view v = cn_world_view(s.world);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("b.h5"), &r, &test_error));
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_TRUE(f.index == 3 && f.step == v.step && f.time == v.time && f.h == v.certificate->h);
    CN_TRUE(f.body_count == v.body_count && f.contact_count == v.contact_count);
    CN_TRUE(f.contact_count >= 5); // two ends at each of two edges, and the disk
    CN_TRUE(memcmp(f.q, v.q, sizeof(double) * 3 * (size_t)v.body_count) == 0);
    CN_TRUE(memcmp(f.v, v.v, sizeof(double) * 3 * (size_t)v.body_count) == 0);
    CN_TRUE(memcmp(f.id, v.id, sizeof(cn_body_id) * (size_t)v.body_count) == 0);
    CN_TRUE(memcmp(f.group, v.group, sizeof(int) * (size_t)v.body_count) == 0);
    CN_TRUE(memcmp(f.contact, v.contact, sizeof(cn_contact) * (size_t)v.contact_count) == 0);
    CN_TRUE(f.kinetic == v.ledger->kinetic && f.potential == v.ledger->potential);
    CN_TRUE(f.state_hash == cn_world_state_hash(s.world));
    cn_reader_close(r);
    CN_DO(cn_writer_close(writer, s.world, "done", 0.0, &test_error));
    cn_world_destroy(s.world);
}

CN_TEST(shapes_and_masses_are_stored_once)
{
    write_run(files_path("c.h5"), 10, 5);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("c.h5"), &r, &test_error));
    int count;
    const cn_shape_def *disk = cn_reader_shapes(r, 2, &count);
    CN_TRUE(count == 1 && disk->kind == CN_SHAPE_DISK && disk->radius == 0.1);
    const cn_shape_def *box = cn_reader_shapes(r, 3, &count);
    CN_TRUE(count == 1 && box->kind == CN_SHAPE_POLYGON && box->vertex_count == 4);
    double area = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *p = box->vertex + 2 * k;
        const double *q = box->vertex + 2 * ((k + 1) % 4);
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    CN_NEAR(area, 0.08, 1e-15, "0.4 x 0.2 m");
    CN_TRUE(cn_reader_is_fixed(r, 1) && !cn_reader_is_fixed(r, 2));
    CN_TRUE(cn_reader_shapes(r, 99, &count) == NULL && count == 0);
    CN_NEAR(cn_reader_mass(r, 4), cn_reader_mass(r, 3), 0.0, "equal boxes");
    CN_TRUE(strcmp(cn_reader_group_name(r, 0), "default") == 0);
    CN_TRUE(strcmp(cn_reader_scene_text(r), provenance.scene_text) == 0);
    cn_reader_close(r);
}

// History of a fall: h sums up to time, the height follows the theta scheme exactly.
CN_TEST(history_has_a_row_per_step)
{
    write_run(files_path("d.h5"), 700, 50);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("d.h5"), &r, &test_error));
    cn_column time, h, height, total;
    CN_DO(cn_reader_column(r, "time", &time, &test_error));
    CN_DO(cn_reader_column(r, "h", &h, &test_error));
    CN_DO(cn_reader_column(r, "series/height", &height, &test_error));
    CN_DO(cn_reader_column(r, "total_potential", &total, &test_error));
    CN_TRUE(time.count == 700 && h.count == 700 && height.count == 700);
    CN_NEAR(time.value[699], 0.7, 1e-12, "700 steps of 1 ms, rounding of the sum");
    CN_NEAR(height.value[49], 0.15 - 0.5 * 9.81 * 0.0025, 1e-12,
            "free fall: exact in v and q for theta = 1/2");
    CN_TRUE(total.value[699] < 0.0); // the disk has come down
    CN_FAILS(cn_reader_column(r, "residua", &h, &test_error), CN_BAD_INPUT, "residua");
    cn_reader_close(r);
}

CN_TEST(summary_sums_up_the_history)
{
    write_run(files_path("e.h5"), 300, 100);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("e.h5"), &r, &test_error));
    const cn_summary *s = cn_reader_summary(r);
    CN_TRUE(s->steps == 300 && s->frames == 4 && s->bodies == 4 && s->dim == 2);
    CN_TRUE(s->is_complete && strcmp(s->outcome, "reached the end") == 0);
    CN_TRUE(strcmp(s->title, "bouncing disk") == 0 && strcmp(s->version, CN_VERSION) == 0);
    CN_TRUE(s->seed == provenance.seed && s->wall_seconds == 1.5);
    cn_column residual, sweeps;
    CN_DO(cn_reader_column(r, "residual", &residual, &test_error));
    CN_DO(cn_reader_column(r, "sweeps", &sweeps, &test_error));
    double largest = 0.0, sum = 0.0;
    for (int k = 0; k < 300; k++) {
        largest = fmax(largest, residual.value[k]);
        sum += sweeps.value[k];
    }
    CN_NEAR(s->residual_max, largest, 0.0, "the same numbers");
    CN_NEAR((double)s->sweeps_total, sum, 0.0, "the same numbers");
    CN_TRUE(s->nonconverged_steps == 0 && s->contacts_max >= 5 && s->energy_error < 1e-10);
    CN_TRUE(s->indeterminate >= 1); // four normal impulses under a box carry three equations
    cn_reader_close(r);
}

// Equal runs give equal files, besides the wall clock.
CN_TEST(runs_repeat_to_the_bit)
{
    uint64_t hash[2];
    for (int run = 0; run < 2; run++) {
        write_run(files_path("f.h5"), 100, 20);
        cn_reader *r = NULL;
        CN_DO(cn_reader_open(files_path("f.h5"), &r, &test_error));
        hash[run] = cn_reader_summary(r)->state_hash;
        cn_reader_close(r);
    }
    CN_TRUE(hash[0] == hash[1] && hash[0] != 0);
}

// A body that appears in the middle of a run has its shape, and ids stay those of the world.
CN_TEST(bodies_may_appear_and_vanish)
{
    small_scene s = make_scene();
    cn_writer *writer = start(&s, files_path("g.h5"));
    record(&s, writer, 10, 10);
    cn_body_id late = 0;
    for (int k = 0; k < 40; k++) { // more than the chunk of a frame
        late = scene_disk(s.world, 0.1 * k - 2.0, 3.0, 0.01 + 0.001 * k, 0);
    }
    CN_DO(cn_body_remove(s.world, s.box[1], &test_error));
    record(&s, writer, 10, 10);
    CN_DO(cn_writer_close(writer, s.world, "done", 0.0, &test_error));
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("g.h5"), &r, &test_error));
    cn_frame f;
    CN_DO(cn_reader_frame(r, 1, &f, &test_error));
    CN_TRUE(f.body_count == 4 && f.id[3] == s.box[1]);
    CN_DO(cn_reader_frame(r, 2, &f, &test_error));
    CN_TRUE(f.body_count == 43);
    int count, found = 0;
    for (int k = 0; k < f.body_count; k++) {
        found += f.id[k] == late;
        CN_TRUE(f.id[k] != s.box[1]);
    }
    CN_TRUE(found == 1);
    const cn_shape_def *disk = cn_reader_shapes(r, late, &count);
    CN_TRUE(count == 1 && disk->radius == 0.01 + 0.001 * 39);
    CN_TRUE(cn_reader_shapes(r, s.box[1], &count) != NULL); // frames 0 and 1 still need it
    cn_reader_close(r);
    cn_world_destroy(s.world);
}

// A run cut at step 60 and continued from there leaves the file of the run in one go.
CN_TEST(a_continued_file_equals_one_in_one_go)
{
    write_run(files_path("whole.h5"), 200, 20);
    small_scene s = make_scene();
    cn_writer *writer = start(&s, files_path("parts.h5"));
    record(&s, writer, 70, 20); // frames 20 40 60, steps to 70
    CN_DO(cn_writer_sync(writer, &test_error));
    CN_DO(cn_checkpoint_write(files_path("parts.ckpt.h5"), s.world, NULL, 0, &test_error));
    record(&s, writer, 50, 7); // to be dropped
    cn_writer_abandon(writer);
    cn_world_destroy(s.world);

    s = make_scene();
    cn_checkpoint *c = NULL;
    CN_DO(cn_checkpoint_open(files_path("parts.ckpt.h5"), &c, &test_error));
    CN_DO(cn_checkpoint_restore(c, s.world, &test_error));
    cn_checkpoint_close(c);
    CN_DO(cn_writer_reopen(files_path("parts.h5"), cn_world_view(s.world).step, &writer,
                           &test_error));
    record(&s, writer, 10, 10); // frame 80
    record(&s, writer, 120, 20);
    CN_DO(cn_writer_close(writer, s.world, "reached the end", 1.0, &test_error));
    cn_world_destroy(s.world);

    cn_reader *a = NULL, *b = NULL;
    CN_DO(cn_reader_open(files_path("whole.h5"), &a, &test_error));
    CN_DO(cn_reader_open(files_path("parts.h5"), &b, &test_error));
    CN_TRUE(cn_reader_summary(a)->state_hash == cn_reader_summary(b)->state_hash);
    CN_TRUE(cn_reader_summary(b)->frames == 11 && cn_reader_summary(b)->steps == 200);
    int differences = -1;
    CN_DO(cn_result_compare(a, b, 0.0, NULL, NULL, &differences, &test_error));
    CN_TRUE(differences == 0);
    cn_reader_close(a);
    cn_reader_close(b);
}

CN_TEST(a_file_that_ends_too_early_is_not_continued)
{
    write_run(files_path("h.h5"), 30, 10);
    cn_writer *writer = NULL;
    CN_FAILS(cn_writer_reopen(files_path("h.h5"), 31, &writer, &test_error), CN_BAD_INPUT,
             "end at step 30");
    CN_TRUE(writer == NULL);
    CN_DO(cn_writer_reopen(files_path("h.h5"), 0, &writer, &test_error));
    cn_writer_abandon(writer);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("h.h5"), &r, &test_error));
    CN_TRUE(cn_reader_summary(r)->frames == 1 && cn_reader_summary(r)->steps == 0);
    CN_TRUE(!cn_reader_summary(r)->is_complete);
    cn_reader_close(r);
}

// The end state is in the file even if no frame was due.
CN_TEST(closing_adds_the_end_state)
{
    write_run(files_path("i.h5"), 15, 10);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("i.h5"), &r, &test_error));
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_TRUE(cn_reader_summary(r)->frames == 3 && f.step == 15);
    CN_FAILS(cn_reader_frame(r, 3, &f, &test_error), CN_BAD_INPUT, "0 to 2");
    CN_FAILS(cn_reader_frame(r, -4, &f, &test_error), CN_BAD_INPUT, "0 to 2");
    cn_reader_close(r);
}

// A run that cannot start leaves older results alone.
CN_TEST(a_failed_start_keeps_the_old_file)
{
    write_run(files_path("j.h5"), 10, 10);
    size_t before, after;
    char *old = files_read(files_path("j.h5"), &before);
    small_scene s = make_scene();
    char name[200];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    const char *const series[1] = {name};
    cn_writer *writer = NULL;
    CN_FAILS(
        cn_writer_create(files_path("j.h5"), &provenance, s.world, 1, series, &writer, &test_error),
        CN_BAD_INPUT, "limited to 127 bytes");
    char *new = files_read(files_path("j.h5"), &after);
    CN_TRUE(before == after && memcmp(old, new, before) == 0);
    CN_TRUE(access(files_path("j.h5.part"), F_OK) != 0);
    free(old);
    free(new);
    CN_FAILS(cn_writer_create(files_path("none/j.h5"), &provenance, s.world, 0, NULL, &writer,
                              &test_error),
             CN_IO, "No such file or directory");
    cn_world_destroy(s.world);
}

CN_MAIN(CN_RUN(frame_zero_is_the_initial_state); CN_RUN(a_frame_equals_the_view);
        CN_RUN(shapes_and_masses_are_stored_once); CN_RUN(history_has_a_row_per_step);
        CN_RUN(summary_sums_up_the_history); CN_RUN(runs_repeat_to_the_bit);
        CN_RUN(bodies_may_appear_and_vanish); CN_RUN(a_continued_file_equals_one_in_one_go);
        CN_RUN(a_file_that_ends_too_early_is_not_continued); CN_RUN(closing_adds_the_end_state);
        CN_RUN(a_failed_start_keeps_the_old_file); files_remove();)
