// States that laws keep at contacts, from a world to the file and to the exports, by name.
#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"
#include "test.h"

// Written by the program before contacts had states in files: a box that slides and a glued disk.
#define VERSION_1 CAIRN_SOURCE_DIR "/tests/fuzz/corpus/result/good_version1.h5"

static void check(cn_status status)
{
    CN_DO(status);
}

// A box (body 2) that slides to the right on the ground, beside a disk (3) that bonds with it and a
// disk (4) on springs; laws 0 coulomb, 1 glue, 2 elastic, 3 coulomb again.
static cn_world *make_world(void)
{
    static const char *const types[3] = {"glue", "elastic", "coulomb"};
    cn_law_def slide = cn_law_coulomb(0.3, 0.0);
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = 1e-8;
    def.solver.tol = 1e-9;
    def.gravity[1] = -9.81;
    cn_world *w = NULL;
    int law, group[4] = {0};
    check(cn_world_create(&def, &w, &test_error));
    check(cn_law_add(w, &slide, &law, &test_error));
    for (int k = 1; k < 4; k++) {
        cn_law_def other = cn_law_default(types[k - 1]);
        if (k == 2) {
            check(cn_law_set(&other, "stiffness", 1e6, &test_error));
        }
        check(cn_group_add(w, types[k - 1], &group[k], &test_error));
        check(cn_law_add(w, &other, &law, &test_error));
        check(cn_rule_add(w, group[k], CN_GROUP_ANY, law, &test_error));
    }
    check(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, 0, &test_error));
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_set_velocity(w, scene_box(w, 0.0, 0.1, 0.4, 0.2, 0.0, 0), 1.0, 0.0, 0.0);
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    for (int k = 1; k < 3; k++) {
        cn_body_def body = cn_body_def_default();
        body.shapes = (cn_shape_parts){1, &disk};
        body.at[0] = k;
        body.at[1] = 0.1;
        body.group = group[k];
        check(cn_body_add(w, &body, NULL, &test_error));
    }
    return w;
}

// Five steps, a frame after the last.
static cn_world *write_run(const char *path)
{
    cn_world *w = make_world();
    cn_writer *writer = NULL;
    cn_provenance p = {.title = "states"};
    CN_DO(cn_writer_create(path, &p, w, 0, NULL, &writer, &test_error));
    for (int k = 0; k < 5; k++) {
        CN_TRUE(scene_run(w, 1e-3, 1) == 0);
        CN_DO(cn_writer_step(writer, w, NULL, &test_error));
    }
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    return w;
}

static cn_reader *open_result(const char *path)
{
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(path, &r, &test_error));
    return r;
}

// Checks the states of the contacts of one body; returns how many contacts it has.
static int check_contacts(const cn_reader *r, const cn_frame *f, cn_body_id id, const char *name,
                          double exact)
{
    int count = 0;
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        if (f->id[c->i] == id || f->id[c->j] == id) {
            double value = cn_reader_state(r, f, a, name);
            CN_TRUE(isnan(exact) ? isnan(value) : value == exact);
            count++;
        }
    }
    return count;
}

CN_TEST(states_are_found_by_name)
{
    cn_world *w = write_run(files_path("a.h5"));
    cn_reader *r = open_result(files_path("a.h5"));
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_TRUE(check_contacts(r, &f, 2, "slid", 1.0) == 2); // both corners slide
    CN_TRUE(check_contacts(r, &f, 2, "bonded", NAN) == 2);
    CN_TRUE(check_contacts(r, &f, 3, "bonded", 1.0) == 1);
    CN_TRUE(check_contacts(r, &f, 3, "slid", NAN) == 1);
    CN_TRUE(check_contacts(r, &f, 4, "slid", NAN) == 1);
    CN_TRUE(isnan(cn_reader_state(r, &f, f.contact_count, "slid")));
    CN_TRUE(isnan(cn_reader_state(r, &f, -1, "slid")));
    cn_view v = cn_world_view(w);
    size_t contacts = (size_t)v.contact_count;
    CN_TRUE(f.state_start[contacts] == 2 * 1 + 1 * 4);
    CN_TRUE(memcmp(f.state_start, v.state_start, (contacts + 1) * sizeof(int)) == 0);
    CN_TRUE(memcmp(f.state, v.state, 6 * sizeof(double)) == 0);
    CN_DO(cn_reader_frame(r, 0, &f, &test_error));
    CN_TRUE(f.contact_count == 0 && f.state_start[0] == 0);
    cn_reader_close(r);
    cn_world_destroy(w);
}

CN_TEST(laws_are_listed)
{
    cn_world_destroy(write_run(files_path("b.h5")));
    cn_reader *r = open_result(files_path("b.h5"));
    CN_TRUE(cn_reader_law_count(r) == 4);
    for (int law = 0; law < 4; law++) {
        const char *const name[4] = {"coulomb", "glue", "elastic", "coulomb"};
        const cn_law_type *type = cn_law_type_find(name[law]);
        const cn_law_info *info = cn_reader_law(r, law);
        CN_TRUE(strcmp(info->name, name[law]) == 0 && info->state_count == type->state_count);
        for (int k = 0; k < info->state_count; k++) {
            CN_TRUE(strcmp(info->state_name[k], type->state_name[k]) == 0);
        }
    }
    CN_TRUE(cn_reader_law(r, 4) == NULL && cn_reader_law(r, -1) == NULL);
    cn_reader_close(r);
}

// Contacts that were detected without a step have no states yet; the frame says so.
CN_TEST(detected_contacts_have_no_states)
{
    cn_world *w = make_world();
    CN_DO(cn_world_detect(w, 1e-3, &test_error));
    CN_TRUE(cn_world_view(w).contact_count == 4);
    cn_writer *writer = NULL;
    cn_provenance p = {.title = "detected"};
    CN_DO(cn_writer_create(files_path("c.h5"), &p, w, 0, NULL, &writer, &test_error));
    cn_writer_abandon(writer);
    cn_reader *r = open_result(files_path("c.h5"));
    cn_frame f;
    CN_DO(cn_reader_frame(r, 0, &f, &test_error));
    CN_TRUE(f.contact_count == 4 && f.state_start[4] == 0);
    CN_TRUE(isnan(cn_reader_state(r, &f, 0, "slid")));
    cn_reader_close(r);
    cn_world_destroy(w);
}

// Columns appear once per type of law; a law without the state leaves its place empty.
CN_TEST(csv_has_a_column_per_state)
{
    cn_world_destroy(write_run(files_path("d.h5")));
    cn_reader *r = open_result(files_path("d.h5"));
    CN_DO(cn_export_csv(r, files_path("csv"), NULL, NULL, &test_error));
    cn_reader_close(r);
    size_t size = 0;
    char *text = files_read(files_path("csv/contacts.csv"), &size);
    CN_TRUE(strstr(text, ",u_t,coulomb.slid,glue.bonded,glue.gap_at_bonding,glue.slip,"
                         "glue.slip_2\n") != NULL);
    int slid = 0, bonded = 0, bare = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int commas = 0;
        const char *at = line;
        for (const char *c = line; *c != '\0'; c++) {
            commas += *c == ',';
            at = commas == 16 && *c == ',' ? c : at;
        }
        CN_TRUE(commas == 20);
        slid += strcmp(at, ",1,,,,") == 0;
        bonded += strncmp(at, ",,1,", 4) == 0;
        bare += strcmp(at, ",,,,,") == 0;
    }
    CN_TRUE(slid == 2 && bonded == 1 && bare == 1);
    free(text);
}

CN_TEST(paraview_has_an_array_per_state)
{
    cn_world_destroy(write_run(files_path("e.h5")));
    cn_reader *r = open_result(files_path("e.h5"));
    CN_DO(cn_export_paraview(r, files_path("paraview"), NULL, NULL, &test_error));
    cn_reader_close(r);
    size_t size = 0;
    char *text = files_read(files_path("paraview/contacts_0001.vtp"), &size);
    CN_TRUE(strstr(text, "Name=\"coulomb.slid\" NumberOfComponents=\"1\" NumberOfTuples=\"4\""));
    CN_TRUE(strstr(text, "Name=\"glue.bonded\"") && !strstr(text, "elastic."));
    free(text);
}

// What the solver was asked for, next to what it reached.
CN_TEST(history_has_the_accepted_errors)
{
    cn_world_destroy(write_run(files_path("f.h5")));
    cn_reader *r = open_result(files_path("f.h5"));
    cn_column eps_v, tol, residual;
    CN_DO(cn_reader_column(r, "eps_v", &eps_v, &test_error));
    CN_DO(cn_reader_column(r, "tol", &tol, &test_error));
    CN_DO(cn_reader_column(r, "residual", &residual, &test_error));
    CN_TRUE(eps_v.count == 5);
    for (int k = 0; k < 5; k++) {
        CN_TRUE(eps_v.value[k] == 1e-8 && tol.value[k] == 1e-9 && residual.value[k] <= 1e-8);
    }
    cn_reader_close(r);
}

CN_TEST(version_1_is_read_without_states)
{
    cn_reader *r = open_result(VERSION_1);
    cn_frame f;
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_TRUE(f.contact_count == 3 && f.state_start[3] == 0 && cn_reader_law_count(r) == 0);
    CN_TRUE(isnan(cn_reader_state(r, &f, 0, "slid")));
    CN_DO(cn_export_csv(r, files_path("csv1"), NULL, NULL, &test_error));
    cn_column column;
    CN_FAILS(cn_reader_column(r, "eps_v", &column, &test_error), CN_BAD_INPUT, "eps_v");
    cn_reader_close(r);
}

// The kept part has no states and eps_v = 0, what follows has both.
CN_TEST(version_1_is_continued)
{
    size_t size = 0;
    char *bytes = files_read(VERSION_1, &size);
    files_write(files_path("g.h5"), bytes, size);
    free(bytes);
    cn_writer *writer = NULL;
    cn_world *w = make_world();
    CN_DO(cn_writer_reopen(files_path("g.h5"), 3, &writer, &test_error)); // frames 0 and 2
    scene_run(w, 1e-3, 4);
    const double series[12] = {0.0};
    CN_DO(cn_writer_step(writer, w, series, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_world_destroy(w);
    cn_reader *old = open_result(VERSION_1);
    cn_reader *r = open_result(files_path("g.h5"));
    CN_TRUE(cn_reader_law_count(r) == 4 && cn_reader_summary(r)->frames == 3);
    cn_frame f;
    CN_DO(cn_reader_frame(r, 1, &f, &test_error));
    CN_TRUE(f.step == 2 && f.contact_count == 3 && f.state_start[3] == 0);
    CN_DO(cn_reader_frame(r, 2, &f, &test_error));
    CN_TRUE(f.contact_count == 4 && f.state_start[4] == 6);
    cn_column residual, before, eps_v;
    CN_DO(cn_reader_column(old, "residual", &before, &test_error));
    CN_DO(cn_reader_column(r, "residual", &residual, &test_error));
    CN_DO(cn_reader_column(r, "eps_v", &eps_v, &test_error));
    CN_TRUE(residual.count == 4 && memcmp(residual.value, before.value, 3 * sizeof(double)) == 0);
    CN_TRUE(eps_v.value[2] == 0.0 && eps_v.value[3] == 1e-8);
    cn_reader_close(old);
    cn_reader_close(r);
}

CN_MAIN(CN_RUN(states_are_found_by_name); CN_RUN(laws_are_listed);
        CN_RUN(detected_contacts_have_no_states); CN_RUN(csv_has_a_column_per_state);
        CN_RUN(paraview_has_an_array_per_state); CN_RUN(history_has_the_accepted_errors);
        CN_RUN(version_1_is_read_without_states); CN_RUN(version_1_is_continued); files_remove();)
