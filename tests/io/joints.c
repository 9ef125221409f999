// Joints in result files: what was written comes back, is exported and compared.
#include "files.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"
#include "views.h"

// A bar on a hinge with a motor and a weight on a cable below it that breaks.
static cn_world *make_joined_world(void)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-10);
    cn_body_id bar = scene_box(w, 0.5, 0.0, 1.0, 0.1, 0.0, 0);
    cn_body_id weight = scene_disk(w, 1.0, -0.5, 0.1, 0);
    cn_joint_def hinge = {.kind = CN_JOINT_HINGE, .body = bar, .motor_limit = 1e6};
    cn_joint_def cable = {.kind = CN_JOINT_CABLE,
                          .body = weight,
                          .other = bar,
                          .at = {1.0, -0.5},
                          .to = {1.0, 0.0},
                          .strength = 1.0};
    CN_DO(cn_joint_add(w, &hinge, NULL, &test_error));
    CN_DO(cn_joint_add(w, &cable, NULL, &test_error));
    return w;
}

static cn_reader *write_and_read(const char *name, cn_world *w)
{
    cn_writer *writer = NULL;
    cn_reader *r = NULL;
    const cn_provenance origin = {.title = "joints", .scene_text = "cairn: 1\n"};
    CN_DO(cn_writer_create(files_path(name), &origin, w, 0, NULL, &writer, &test_error));
    for (int k = 0; k < 20; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        CN_DO(cn_writer_step(writer, w, NULL, &test_error));
    }
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    CN_DO(cn_reader_open(files_path(name), &r, &test_error));
    return r;
}

CN_TEST(joints_come_back)
{
    cn_world *w = make_joined_world();
    cn_reader *r = write_and_read("a.h5", w);
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    cn_view v = cn_world_view(w);
    CN_TRUE(f.joint_count == 2 && v.joint_count == 2);
    for (int n = 0; n < f.joint_count; n++) {
        CN_TRUE(is_same_joint(&f.joint[n], &v.joint[n]));
    }
    CN_TRUE(f.joint[0].motor != 0.0 && f.joint[1].is_broken == 1);
    CN_TRUE(cn_reader_summary(r)->joints_max == 2);
    CN_TRUE(cn_reader_summary(r)->joint_gap_max_m < 1e-11);
    CN_DO(cn_reader_frame(r, 0, &f, &test_error));
    CN_TRUE(f.joint_count == 2 && f.joint[0].impulse[1] == 0.0 && f.joint[1].is_broken == 0);
    cn_reader_close(r);
    cn_world_destroy(w);
}

CN_TEST(joints_are_compared_and_exported)
{
    cn_world *w = make_joined_world(), *other = make_joined_world();
    CN_DO(cn_joint_set_motor(other, 1, 0.0, 11.0, &test_error));
    cn_reader *a = write_and_read("a.h5", w), *b = write_and_read("b.h5", other);
    int differences;
    CN_DO(cn_result_compare(a, a, 0.0, NULL, NULL, &differences, &test_error));
    CN_TRUE(differences == 0);
    CN_DO(cn_result_compare(a, b, 1e-6, NULL, NULL, &differences, &test_error));
    CN_TRUE(differences > 0);
    CN_DO(cn_export_csv(a, files_path("csv"), NULL, NULL, &test_error));
    size_t size = 0;
    char *text = files_read(files_path("csv/joints.csv"), &size);
    CN_TRUE(text != NULL && strstr(text, "\n0,0,0,1,hinge,1,0,0,") != NULL);
    CN_TRUE(text != NULL && strstr(text, ",2,cable,2,1,1,") != NULL);
    free(text);
    cn_reader_close(a);
    cn_reader_close(b);
    cn_world_destroy(w);
    cn_world_destroy(other);
}

CN_MAIN(CN_RUN(joints_come_back); CN_RUN(joints_are_compared_and_exported); files_remove();)
