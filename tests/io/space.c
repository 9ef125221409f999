// Results of worlds in space: what was written comes back, bit for bit.
#include <signal.h>
#include <sys/wait.h>

#include "show.h"
#include "test.h"

static cn_reader *open_reader(const char *name)
{
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path(name), &r, &test_error));
    return r;
}

static bool is_same_solid(const cn_solid_def *a, const cn_solid_def *b)
{
    return a->kind == b->kind && a->radius == b->radius && a->length == b->length &&
           a->point_count == b->point_count && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
           (a->point_count == 0 ||
            memcmp(a->point, b->point, 3 * sizeof(double) * (size_t)a->point_count) == 0);
}

CN_TEST(frames_in_space_come_back)
{
    cn_world *w = show_space_world();
    cn_writer *writer = NULL;
    CN_DO(show_start(files_path("a.h5"), w, &writer, &test_error));
    CN_DO(show_steps(writer, w, 1, 20, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_reader *r = open_reader("a.h5");
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    cn_view v = cn_world_view(w);
    CN_TRUE(f.dim == 3 && f.q_size == 7 && f.v_size == 6 && cn_reader_summary(r)->dim == 3);
    CN_TRUE(f.body_count == 5 && f.contact_count == v.contact_count && f.contact_count > 6);
    CN_TRUE(memcmp(f.q, v.q, 7 * 5 * sizeof *f.q) == 0);
    CN_TRUE(memcmp(f.v, v.v, 6 * 5 * sizeof *f.v) == 0);
    CN_TRUE(memcmp(f.contact, v.contact, sizeof *f.contact * (size_t)f.contact_count) == 0);
    for (int i = 0; i < 5; i++) {
        int count;
        double inertia[3];
        const cn_solid_def *solid = cn_reader_solids(r, f.id[i], &count);
        CN_TRUE(count == v.shape_start[i + 1] - v.shape_start[i]);
        for (int n = 0; n < count; n++) {
            CN_TRUE(is_same_solid(&solid[n], &v.solid[v.shape_start[i] + n]));
        }
        CN_TRUE(cn_reader_shapes(r, f.id[i], &count) == NULL && count == 0);
        CN_TRUE(cn_reader_inertia(r, f.id[i], inertia) == 3);
        CN_TRUE(memcmp(inertia, v.inertia + 3 * i, sizeof inertia) == 0);
        CN_TRUE(cn_reader_is_fixed(r, f.id[i]) == (i == 0));
    }
    CN_TRUE(cn_reader_summary(r)->state_hash == cn_world_state_hash(w));
    cn_reader_close(r);
    cn_world_destroy(w);
}

// Where a point of the body is, from the numbers of the file alone.
static cn_vec3 in_world(const cn_frame *f, int i, cn_vec3 local)
{
    const double *q = f->q + f->q_size * i;
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    return cn_add3(cn_v3(q[0], q[1], q[2]), cn_mat3_mul(&R, local));
}

static double distance_to(cn_vec3 a, double x, double y, double z)
{
    return cn_norm3(cn_sub3(a, cn_v3(x, y, z)));
}

CN_TEST(solids_are_where_they_were_put)
{
    CN_DO(show_write_world(files_path("b.h5"), show_space_world(), &test_error));
    cn_reader *r = open_reader("b.h5");
    cn_frame f;
    CN_DO(cn_reader_frame(r, 0, &f, &test_error));
    int count;
    const cn_solid_def *s = cn_reader_solids(r, 5, &count);
    CN_TRUE(count == 2);
    for (int n = 0; n < 2; n++) {
        double side = n == 0 ? -0.2 : 0.2;
        cn_vec3 at = in_world(&f, 4, cn_v3(s[n].at[0], s[n].at[1], s[n].at[2]));
        CN_NEAR(distance_to(at, 3.0 + side, side, 0.2), 0.0, 1e-14, "sphere of the cluster");
    }
    s = cn_reader_solids(r, 4, &count);
    cn_mat3 turn =
        cn_quat_matrix((cn_quat){s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]});
    cn_vec3 axis = cn_mat3_mul(&turn, cn_v3(0.0, 0.0, 0.2));
    CN_NEAR(distance_to(in_world(&f, 3, axis), 2.2, 0.0, 0.1), 0.0, 1e-14, "end of the capsule");
    s = cn_reader_solids(r, 2, &count);
    CN_TRUE(s->point_count == 8);
    double least = 1.0;
    cn_vec2 corner = cn_turn2(cn_v2(0.2, 0.15), cos(0.5), sin(0.5));
    for (int k = 0; k < 8; k++) {
        cn_vec3 p = cn_v3(s->point[3 * k], s->point[3 * k + 1], s->point[3 * k + 2]);
        least = fmin(least, distance_to(in_world(&f, 1, p), corner.x, corner.y, 0.2));
    }
    CN_NEAR(least, 0.0, 1e-14, "one corner of the turned block");
    cn_reader_close(r);
}

static char told[1024];

static void tell(void *context, const char *line)
{
    (void)context;
    strncat(told, line, sizeof told - strlen(told) - 1);
}

static int compare(const char *a, const char *b, double rtol)
{
    cn_reader *r[2] = {open_reader(a), open_reader(b)};
    int differences = -1;
    told[0] = '\0';
    CN_DO(cn_result_compare(r[0], r[1], rtol, tell, NULL, &differences, &test_error));
    cn_reader_close(r[0]);
    cn_reader_close(r[1]);
    return differences;
}

// The show with its sphere moved by dx, and its block given the opposite quaternion.
static cn_world *make_variant(double dx, bool is_opposite)
{
    cn_world *w = show_space_world();
    cn_body_state s = scene_state(w, 3);
    s.position[0] += dx;
    CN_DO(cn_body_set(w, 3, &s, &test_error));
    s = scene_state(w, 2);
    for (int k = 0; k < 4; k++) {
        s.rotation[k] = is_opposite ? -s.rotation[k] : s.rotation[k];
    }
    CN_DO(cn_body_set(w, 2, &s, &test_error));
    return w;
}

static void write_variant(const char *name, double dx, bool is_opposite)
{
    CN_DO(show_write_world(files_path(name), make_variant(dx, is_opposite), &test_error));
}

CN_TEST(comparison_sees_the_third_dimension)
{
    write_variant("c1.h5", 0.0, false);
    write_variant("c2.h5", 0.0, false);
    write_variant("c3.h5", 1e-3, false);
    write_variant("c4.h5", 0.0, true);
    CN_TRUE(compare("c1.h5", "c2.h5", 0.0) == 0);
    CN_TRUE(compare("c1.h5", "c3.h5", 1e-6) == 1 && strstr(told, "position x differs") != NULL);
    CN_TRUE(compare("c1.h5", "c4.h5", 1e-9) == 0);
    CN_TRUE(compare("c1.h5", "c4.h5", 0.0) > 0 && strstr(told, "orientation w differs") != NULL);
    CN_DO(show_write(files_path("plane.h5"), &test_error));
    CN_TRUE(compare("c1.h5", "plane.h5", 1e-6) > 0 && strstr(told, "3 dimensions against 2"));
}

// A run that stops at step 10 and is continued from its checkpoint leaves the same file.
CN_TEST(a_continued_run_in_space_is_the_same)
{
    write_variant("whole.h5", 1e-3, false);
    cn_world *w = make_variant(1e-3, false);
    cn_writer *writer = NULL;
    CN_DO(show_start(files_path("parts.h5"), w, &writer, &test_error));
    CN_DO(show_steps(writer, w, 1, 10, &test_error));
    CN_DO(cn_checkpoint_write(files_path("at10.ckpt.h5"), w, NULL, 0, &test_error));
    CN_DO(show_steps(writer, w, 11, 13, &test_error));
    cn_writer_abandon(writer);
    cn_world_destroy(w);
    w = show_space_world();
    cn_checkpoint *c = NULL;
    CN_DO(cn_checkpoint_open(files_path("at10.ckpt.h5"), &c, &test_error));
    CN_DO(cn_checkpoint_restore(c, w, &test_error));
    cn_checkpoint_close(c);
    CN_DO(cn_writer_reopen(files_path("parts.h5"), 10, &writer, &test_error));
    CN_DO(show_steps(writer, w, 11, 20, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_world_destroy(w);
    CN_TRUE(compare("whole.h5", "parts.h5", 0.0) == 0);
}

CN_TEST(a_file_in_space_takes_no_world_in_the_plane)
{
    CN_DO(show_write_world(files_path("d.h5"), show_space_world(), &test_error));
    cn_writer *writer = NULL;
    cn_world *w = show_world();
    CN_DO(cn_writer_reopen(files_path("d.h5"), 20, &writer, &test_error));
    CN_FAILS(cn_writer_frame(writer, w, &test_error), CN_BAD_INPUT, "in 3 dimensions");
    cn_writer_abandon(writer);
    cn_world_destroy(w);
}

// A run that is killed leaves the frames that were complete.
CN_TEST(a_killed_run_in_space_stays_readable)
{
    const char *path = files_path("killed.h5");
    pid_t child = fork();
    if (child == 0) {
        cn_world *w = make_variant(1e-3, false);
        cn_writer *writer = NULL;
        if (show_start(path, w, &writer, NULL) == CN_OK) {
            show_steps(writer, w, 1, 15, NULL);
        }
        kill(getpid(), SIGKILL);
    }
    int status;
    CN_TRUE(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    write_variant("finished.h5", 1e-3, false);
    cn_reader *killed = open_reader("killed.h5");
    cn_reader *finished = open_reader("finished.h5");
    CN_TRUE(cn_reader_summary(killed)->frames == 2 && !cn_reader_summary(killed)->is_complete);
    cn_frame a, b;
    CN_DO(cn_reader_frame(killed, -1, &a, &test_error));
    CN_DO(cn_reader_frame(finished, 1, &b, &test_error));
    CN_TRUE(a.step == 10 && a.state_hash == b.state_hash && a.body_count == b.body_count);
    CN_TRUE(memcmp(a.q, b.q, 7 * 5 * sizeof *a.q) == 0);
    int count;
    CN_TRUE(cn_reader_solids(killed, 5, &count) != NULL && count == 2);
    cn_reader_close(killed);
    cn_reader_close(finished);
}

CN_MAIN(CN_RUN(frames_in_space_come_back); CN_RUN(solids_are_where_they_were_put);
        CN_RUN(comparison_sees_the_third_dimension); CN_RUN(a_continued_run_in_space_is_the_same);
        CN_RUN(a_file_in_space_takes_no_world_in_the_plane);
        CN_RUN(a_killed_run_in_space_stays_readable); files_remove();)
