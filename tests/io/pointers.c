// NULL where a pointer is needed: every public function refuses it by name or does nothing
// (cairn/base.h), one parameter after the other, the others being sound. tests/python asks that
// every function with a pointer is in this file.
#include "cairn/cairn.h"
#include "files.h"
#include "test.h"

#define REFUSES(name, call) CN_FAILS(call, CN_BAD_INPUT, "'" name "' is NULL")

static cn_error *const e = &test_error;

static const char text[] =
    "cairn: 1\nmaterials: {m: {density: 1000, young: 1e6, poisson: 0.2}}\n"
    "laws: {dry: {type: coulomb, friction: 0.5}}\ncontacts: [{between: [any, any], law: dry}]\n"
    "params: {a: 1}\nbodies:\n  ground: {shape: {half_plane: {}}, fixed: true}\n"
    "  ball: {shape: {disk: 0.1}, at: [0, 0.1], material: m}\n"
    "  pad: {mesh: {box: [1, 1], cells: [1, 1]}, at: [5, 0.5], material: m}\n"
    "stages: [{step: 1e-3, duration: 2e-3}]\n";

// One sound object of each kind.
typedef struct objects {
    cn_world *w;
    cn_scene *scene;
    cn_reader *reader;
    cn_frame frame;
    cn_problem_file *file;
    cn_study *study;
    cn_spread *spread;
} objects;

static void ignore(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void save(const char *path, const char *words)
{
    CN_DO(cn_file_save(path, words, strlen(words), e));
}

static objects make(void)
{
    objects o = {0};
    save(files_path("s.yaml"), text);
    save(files_path("study.yaml"), "study: 1\nscene: s.yaml\nparams: {a: [1, 2]}\n"
                                   "report: {k: kinetic}\n");
    CN_DO(
        cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, NULL, NULL, &o.scene, e));
    CN_DO(cn_scene_build(o.scene, 1, &o.w, e));
    CN_DO(cn_world_step(o.w, 1e-3, e));
    cn_run_def run = cn_run_def_default();
    run.result_path = files_path("s.h5");
    CN_DO(cn_scene_run(o.scene, &run, NULL, e));
    CN_DO(cn_reader_open(run.result_path, &o.reader, e));
    CN_DO(cn_reader_frame(o.reader, -1, &o.frame, e));
    cn_problem problem;
    CN_DO(cn_world_problem(o.w, &problem, NULL, e));
    CN_DO(cn_problem_write(files_path("p.hdf5"), &problem, NULL, e));
    CN_DO(cn_problem_file_read(files_path("p.hdf5"), &o.file, e));
    CN_DO(cn_study_load(files_path("study.yaml"), NULL, NULL, &o.study, e));
    cn_spread_def spread = cn_spread_def_default();
    spread.run_count = 2;
    CN_DO(cn_spread_measure(o.scene, &spread, &o.spread, e));
    return o;
}

static void destroy(objects *o)
{
    cn_spread_destroy(o->spread);
    cn_study_destroy(o->study);
    cn_problem_file_destroy(o->file);
    cn_reader_close(o->reader);
    cn_scene_destroy(o->scene);
    cn_world_destroy(o->w);
}

CN_TEST(what_is_freed_may_be_null)
{
    cn_world_destroy(NULL);
    cn_scene_destroy(NULL);
    cn_solver_destroy(NULL);
    cn_problem_file_destroy(NULL);
    cn_writer_abandon(NULL);
    cn_reader_close(NULL);
    cn_checkpoint_close(NULL);
    cn_study_destroy(NULL);
    cn_spread_destroy(NULL);
    cn_libraries_tell(NULL, NULL);
    cn_limit_destroy(NULL);
    cn_limit_model_destroy(NULL);
    cn_limit_answer_destroy(NULL);
    cn_patch_forces_free(NULL);
    cn_volume_destroy(NULL);
    cn_surface_free(NULL);
    cn_surface_blocks_free(NULL);
    cn_record_free(NULL);
    CN_TRUE(cn_record_measured(NULL).pga == 0.0 && cn_record_velocity_at(NULL, 1.0) == 0.0);
    cn_split_free(NULL);
    cn_viewer_stop(NULL);
    cn_claim_release(NULL);
    CN_TRUE(cn_fail(NULL, CN_IO, "no %s", "error") == CN_IO && cn_fail(e, CN_IO, NULL) == CN_IO);
}

CN_TEST(worlds)
{
    objects o = make();
    cn_world *w = o.w, *made = NULL;
    cn_world_def def = cn_world_def_default();
    cn_solver_def solver = cn_solver_def_default();
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_state_part part = {0};
    const cn_state_part *parts;
    int number;
    REFUSES("def", cn_world_create(NULL, &made, e));
    REFUSES("out", cn_world_create(&def, NULL, e));
    REFUSES("w", cn_world_step(NULL, 1e-3, e));
    REFUSES("w", cn_world_advance(NULL, 1e-3, 1, e));
    REFUSES("w", cn_world_start_here(NULL, e));
    REFUSES("w", cn_world_check_drives(NULL, 1e-3, e));
    REFUSES("w", cn_world_detect(NULL, 1e-3, e));
    REFUSES("w", cn_world_set_scheme(NULL, 0.5, -1.0, e));
    REFUSES("w", cn_world_set_gravity(NULL, def.gravity, e));
    REFUSES("gravity", cn_world_set_gravity(w, NULL, e));
    REFUSES("w", cn_world_set_solver(NULL, &solver, e));
    REFUSES("solver", cn_world_set_solver(w, NULL, e));
    REFUSES("w", cn_group_add(NULL, "g", &number, e));
    REFUSES("name", cn_group_add(w, NULL, &number, e));
    REFUSES("w", cn_law_add(NULL, &law, &number, e));
    REFUSES("def", cn_law_add(w, NULL, &number, e));
    REFUSES("law", cn_law_add(w, &law, NULL, e));
    REFUSES("w", cn_rule_add(NULL, 0, 0, 0, e));
    REFUSES("w", cn_rules_set(NULL, 0, NULL, e));
    REFUSES("rule", cn_rules_set(w, 1, NULL, e));
    REFUSES("w", cn_world_state(NULL, &parts, &number, e));
    REFUSES("part", cn_world_state(w, NULL, &number, e));
    REFUSES("count", cn_world_state(w, &parts, NULL, e));
    REFUSES("w", cn_world_restore(NULL, &part, 1, e));
    REFUSES("part", cn_world_restore(w, NULL, 1, e));
    CN_TRUE(cn_world_threads(NULL) == 0 && cn_group_count(NULL) == 0 && cn_law_count(NULL) == 0);
    CN_TRUE(cn_group_name(NULL, 0) == NULL && cn_law_type_of(NULL, 0) == NULL);
    CN_TRUE(cn_world_state_hash(NULL) == 0 && cn_world_view(NULL).body_count == 0);
    cn_rules_clear(NULL);
    cn_loads_clear(NULL);
    cn_world_request_stop(NULL);
    cn_world_watch_flag(NULL, NULL);
    cn_world_time_processor(NULL, true);
    destroy(&o);
}

CN_TEST(cells_and_imports)
{
    objects o = make();
    const cn_cell_def cell = {0};
    const cn_cell_control control[CN_CELL_COMPONENT_COUNT] = {0};
    const cn_import_def import = {.folder = files_path("DATBOX"), .scene = files_path("i.yaml")};
    cn_cell_state state;
    cn_import_report report;
    double place[3];
    REFUSES("w", cn_world_set_cell(NULL, &cell, e));
    REFUSES("def", cn_world_set_cell(o.w, NULL, e));
    REFUSES("w", cn_world_control_cell(NULL, control, e));
    REFUSES("control", cn_world_control_cell(o.w, NULL, e));
    REFUSES("w", cn_world_cell(NULL, &state, e));
    REFUSES("state", cn_world_cell(o.w, NULL, e));
    REFUSES("w", cn_world_unwrapped(NULL, 0, place, e));
    REFUSES("place", cn_world_unwrapped(o.w, 0, NULL, e));
    REFUSES("def", cn_import_lmgc90(NULL, &report, e));
    REFUSES("report", cn_import_lmgc90(&import, NULL, e));
    CN_TRUE(!cn_lmgc90_law_told(NULL, NULL, NULL) && !cn_lmgc90_law_told("all", NULL, NULL));
    destroy(&o);
}

CN_TEST(bodies_joints_and_loads)
{
    objects o = make();
    cn_world *w = o.w;
    cn_body_def body = cn_body_def_default();
    cn_body_state state;
    cn_joint_def joint = {0};
    cn_joint_state joined;
    cn_drive_def drive = {0};
    cn_growth_def growth = {0};
    cn_force_def force = {0};
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    REFUSES("w", cn_body_add(NULL, &body, NULL, e));
    REFUSES("def", cn_body_add(w, NULL, NULL, e));
    bool has_room;
    REFUSES("w", cn_body_has_room(NULL, &body, &has_room, e));
    REFUSES("def", cn_body_has_room(w, NULL, &has_room, e));
    REFUSES("has_room", cn_body_has_room(w, &body, NULL, e));
    REFUSES("w", cn_body_remove(NULL, 1, e));
    REFUSES("w", cn_body_get(NULL, 1, &state, e));
    REFUSES("state", cn_body_get(w, 1, NULL, e));
    REFUSES("w", cn_body_set(NULL, 1, &state, e));
    REFUSES("state", cn_body_set(w, 1, NULL, e));
    REFUSES("w", cn_body_fix(NULL, 1, 0, e));
    REFUSES("w", cn_joint_add(NULL, &joint, NULL, e));
    REFUSES("def", cn_joint_add(w, NULL, NULL, e));
    REFUSES("w", cn_joint_remove(NULL, 1, e));
    REFUSES("w", cn_joint_get(NULL, 1, &joined, e));
    REFUSES("state", cn_joint_get(w, 1, NULL, e));
    REFUSES("w", cn_joint_set_motor(NULL, 1, 0.0, 0.0, e));
    REFUSES("w", cn_drive_add(NULL, &drive, e));
    REFUSES("def", cn_drive_add(w, NULL, e));
    REFUSES("w", cn_force_add(NULL, &force, e));
    REFUSES("def", cn_force_add(w, NULL, e));
    REFUSES("w", cn_growth_add(NULL, &growth, e));
    REFUSES("def", cn_growth_add(w, NULL, e));
    cn_around_def around = {0};
    cn_around_state state_around;
    REFUSES("w", cn_around_add(NULL, &around, e));
    REFUSES("def", cn_around_add(w, NULL, e));
    REFUSES("w", cn_around_get(NULL, 0, &state_around, e));
    REFUSES("state", cn_around_get(w, 0, NULL, e));
    cn_face_load_def faces = {0};
    cn_face_load_state state_faces;
    double six[6];
    REFUSES("w", cn_face_load_add(NULL, &faces, e));
    REFUSES("def", cn_face_load_add(w, NULL, e));
    REFUSES("w", cn_face_load_get(NULL, 0, &state_faces, e));
    REFUSES("state", cn_face_load_get(w, 0, NULL, e));
    REFUSES("w", cn_face_load_forces(NULL, &faces, six, e));
    REFUSES("def", cn_face_load_forces(w, NULL, six, e));
    REFUSES("six", cn_face_load_forces(w, &faces, NULL, e));
    REFUSES("law", cn_law_set(NULL, "friction", 1.0, e));
    REFUSES("name", cn_law_set(&law, NULL, 1.0, e));
    REFUSES("law", cn_law_set_word(NULL, "form", "velocity", e));
    REFUSES("name", cn_law_set_word(&law, NULL, "velocity", e));
    REFUSES("word", cn_law_set_word(&law, "form", NULL, e));
    REFUSES("law", cn_law_register(NULL, e));
    REFUSES("path", cn_law_load(NULL, e));
    CN_TRUE(isnan(cn_function_at(NULL, 0.0)) && cn_law_type_find(NULL) == NULL);
    CN_TRUE(cn_law_default(NULL).type == NULL);
    destroy(&o);
}

CN_TEST(deformable_bodies)
{
    objects o = make();
    cn_world *w = o.w;
    cn_deform_def def = cn_deform_def_default();
    cn_node_drive_def drive = {0};
    cn_node_load_def load = {0};
    cn_node_view view;
    cn_mesh_def mesh;
    double stress[24], mean[6], volume;
    int count;
    const int *node;
    REFUSES("w", cn_world_set_deform(NULL, &def, e));
    REFUSES("def", cn_world_set_deform(w, NULL, e));
    REFUSES("w", cn_node_drive_add(NULL, &drive, e));
    REFUSES("def", cn_node_drive_add(w, NULL, e));
    REFUSES("w", cn_node_load_add(NULL, &load, e));
    REFUSES("def", cn_node_load_add(w, NULL, e));
    REFUSES("w", cn_body_nodes(NULL, 3, &view, e));
    REFUSES("view", cn_body_nodes(w, 3, NULL, e));
    REFUSES("w", cn_body_mesh(NULL, 3, &mesh, e));
    REFUSES("mesh", cn_body_mesh(w, 3, NULL, e));
    REFUSES("w", cn_body_node_stress(NULL, 3, stress, e));
    REFUSES("stress", cn_body_node_stress(w, 3, NULL, e));
    REFUSES("w", cn_body_node_strain(NULL, 3, stress, NULL, e));
    CN_DO(cn_body_node_strain(w, 3, NULL, NULL, e));
    REFUSES("w", cn_body_point_stress(NULL, 3, NULL, NULL, NULL, e));
    CN_DO(cn_body_point_stress(w, 3, NULL, NULL, NULL, e));
    REFUSES("w", cn_body_mean_stress(NULL, 3, mean, &volume, e));
    REFUSES("mean", cn_body_mean_stress(w, 3, NULL, &volume, e));
    REFUSES("volume", cn_body_mean_stress(w, 3, mean, NULL, e));
    REFUSES("w", cn_body_node_set(NULL, 3, "left", &count, &node, e));
    REFUSES("set", cn_body_node_set(w, 3, NULL, &count, &node, e));
    REFUSES("count", cn_body_node_set(w, 3, "left", NULL, &node, e));
    REFUSES("node", cn_body_node_set(w, 3, "left", &count, NULL, e));
    const cn_body_id pad = 3;
    const double *const none[1] = {NULL};
    REFUSES("w", cn_world_set_nodes(NULL, 1, &pad, none, none, e));
    REFUSES("id", cn_world_set_nodes(w, 1, NULL, none, none, e));
    REFUSES("x", cn_world_set_nodes(w, 1, &pad, NULL, none, e));
    REFUSES("v", cn_world_set_nodes(w, 1, &pad, none, NULL, e));
    REFUSES("w", cn_body_set_nodes(NULL, 3, NULL, NULL, e));
    CN_DO(cn_body_set_nodes(w, 3, NULL, NULL, e));
    cn_world_deform_work(NULL, NULL, NULL);
    CN_TRUE(!cn_body_is_deformable(NULL, 3) && cn_body_point_count(NULL, 3) == 0);
    CN_TRUE(cn_element_find(NULL) == CN_ELEMENT_COUNT);
    CN_TRUE(cn_material_find(NULL) == CN_MATERIAL_COUNT);
    destroy(&o);
}

CN_TEST(views)
{
    objects o = make();
    cn_problem problem;
    double a[3] = {7.0, 0.0, 0.0}, b[3];
    int nullity;
    REFUSES("w", cn_world_problem(NULL, &problem, NULL, e));
    REFUSES("problem", cn_world_problem(o.w, NULL, NULL, e));
    cn_overlap overlap;
    char shown[8];
    REFUSES("w", cn_world_overlap(NULL, &overlap, e));
    REFUSES("overlap", cn_world_overlap(o.w, NULL, e));
    CN_TRUE(!cn_overlap_is_missed(NULL));
    cn_world_set_beat(NULL, 1.0, NULL, NULL);
    CN_TRUE(cn_text_shown("a", NULL, 8) == NULL && cn_text_shown(NULL, shown, 8)[0] == '\0');
    CN_TRUE(cn_viewer_token(NULL)[0] == '\0');
    cn_writer_name_overlaps(NULL, NULL, NULL, NULL);
    REFUSES("w", cn_world_indeterminate(NULL, &nullity, e));
    REFUSES("nullity", cn_world_indeterminate(o.w, NULL, e));
    cn_contact_impulse(NULL, 2, a);
    cn_contact_impulse(o.frame.contact, 2, NULL);
    cn_contact_tangents(NULL, 2, a, b);
    cn_contact_tangents(o.frame.contact, 2, NULL, b);
    cn_contact_tangents(o.frame.contact, 2, a, NULL);
    cn_world_moment(NULL, 0, a);
    cn_world_moment(o.w, 0, NULL);
    cn_world_moment(o.w, -1, a);
    CN_TRUE(a[0] == 7.0);
    destroy(&o);
}

CN_TEST(scenes)
{
    objects o = make();
    cn_scene *scene = NULL;
    cn_run_def run = cn_run_def_default();
    cn_world *w = NULL;
    const char *data;
    int count;
    const cn_scene_source nameless = {.text = text}, file = {.name = "s.yaml"};
    const cn_scene_source defined = {.name = "s.yaml", .text = text, .define_count = 1};
    REFUSES("source", cn_scene_read(NULL, NULL, NULL, &scene, e));
    REFUSES("scene", cn_scene_read(&file, NULL, NULL, NULL, e));
    REFUSES("source->name", cn_scene_read(&nameless, NULL, NULL, &scene, e));
    REFUSES("source->define", cn_scene_read(&defined, NULL, NULL, &scene, e));
    REFUSES("name", cn_scene_json(NULL, text, 1, NULL, NULL, e));
    REFUSES("text", cn_scene_json("s.yaml", NULL, 1, NULL, NULL, e));
    CN_DO(cn_scene_json("s.yaml", text, strlen(text), NULL, NULL, e));
    REFUSES("scene", cn_scene_scale_steps(NULL, 1.0, e));
    REFUSES("scene", cn_scene_build(NULL, 1, &w, e));
    REFUSES("w", cn_scene_build(o.scene, 1, NULL, e));
    REFUSES("scene", cn_scene_check(NULL, NULL, NULL, e));
    CN_DO(cn_scene_check(o.scene, NULL, NULL, e));
    REFUSES("scene", cn_scene_repair(NULL, NULL, NULL, &count, e));
    REFUSES("moved_count", cn_scene_repair(o.scene, NULL, NULL, NULL, e));
    CN_DO(cn_scene_repair(o.scene, NULL, NULL, &count, e));
    REFUSES("scene", cn_scene_joints(NULL, ignore, NULL, NULL, NULL, e));
    REFUSES("told", cn_scene_joints(o.scene, NULL, NULL, NULL, NULL, e));
    CN_DO(cn_scene_joints(o.scene, ignore, NULL, NULL, NULL, e));
    REFUSES("scene", cn_scene_explain(NULL, NULL, NULL, e));
    CN_DO(cn_scene_explain(o.scene, NULL, NULL, e));
    CN_DO(cn_scene_schema(NULL, NULL, e));
    CN_DO(cn_scene_reference(NULL, NULL, e));
    REFUSES("scene", cn_scene_run(NULL, &run, NULL, e));
    REFUSES("def", cn_scene_run(o.scene, NULL, NULL, e));
    CN_TRUE(cn_scene_title(NULL) == NULL && cn_scene_text(NULL) == NULL);
    CN_TRUE(cn_scene_hash(NULL) == 0 && cn_starter_text(NULL) == NULL);
    CN_TRUE(cn_starter_data(NULL, &data) == NULL && cn_starter_data("house", NULL) == NULL);
    destroy(&o);
}

CN_TEST(writers_and_checkpoints)
{
    objects o = make();
    cn_provenance from = {0};
    cn_writer *writer = NULL;
    cn_checkpoint *checkpoint = NULL;
    cn_claim *claim = NULL;
    const char *r = files_path("r.h5"), *c = files_path("c.h5");
    REFUSES("path", cn_claim_take(NULL, &claim, e));
    REFUSES("claim", cn_claim_take(c, NULL, e));
    REFUSES("path", cn_file_save(NULL, "x", 1, e));
    REFUSES("bytes", cn_file_save(c, NULL, 1, e));
    REFUSES("path", cn_writer_create(NULL, &from, o.w, 0, NULL, &writer, e));
    REFUSES("provenance", cn_writer_create(r, NULL, o.w, 0, NULL, &writer, e));
    REFUSES("w", cn_writer_create(r, &from, NULL, 0, NULL, &writer, e));
    REFUSES("series", cn_writer_create(r, &from, o.w, 1, NULL, &writer, e));
    REFUSES("writer", cn_writer_create(r, &from, o.w, 0, NULL, NULL, e));
    REFUSES("path", cn_writer_reopen(NULL, 0, &writer, e));
    REFUSES("writer", cn_writer_reopen(r, 0, NULL, e));
    CN_DO(cn_writer_create(r, &from, o.w, 0, NULL, &writer, e));
    REFUSES("writer", cn_writer_step(NULL, o.w, NULL, e));
    REFUSES("w", cn_writer_step(writer, NULL, NULL, e));
    REFUSES("writer", cn_writer_sync(NULL, e));
    REFUSES("writer", cn_writer_frame(NULL, o.w, e));
    REFUSES("w", cn_writer_frame(writer, NULL, e));
    REFUSES("writer", cn_writer_close(NULL, o.w, "end", 0.0, e));
    REFUSES("w", cn_writer_close(writer, NULL, "end", 0.0, e)); // and freed
    CN_DO(cn_writer_create(r, &from, o.w, 0, NULL, &writer, e));
    REFUSES("outcome", cn_writer_close(writer, o.w, NULL, 0.0, e));
    REFUSES("path", cn_checkpoint_write(NULL, o.w, NULL, 0, e));
    REFUSES("w", cn_checkpoint_write(c, NULL, NULL, 0, e));
    REFUSES("extra", cn_checkpoint_write(c, o.w, NULL, 1, e));
    CN_DO(cn_claim_take(c, &claim, e));
    REFUSES("claim", cn_checkpoint_write_claimed(NULL, o.w, NULL, 0, e));
    REFUSES("w", cn_checkpoint_write_claimed(claim, NULL, NULL, 0, e));
    REFUSES("extra", cn_checkpoint_write_claimed(claim, o.w, NULL, 1, e));
    cn_claim_release(claim);
    CN_DO(cn_checkpoint_write(c, o.w, NULL, 0, e));
    REFUSES("path", cn_checkpoint_open(NULL, &checkpoint, e));
    REFUSES("checkpoint", cn_checkpoint_open(c, NULL, e));
    CN_DO(cn_checkpoint_open(c, &checkpoint, e));
    REFUSES("checkpoint", cn_checkpoint_restore(NULL, o.w, e));
    REFUSES("w", cn_checkpoint_restore(checkpoint, NULL, e));
    CN_TRUE(cn_checkpoint_part(NULL, "x") == NULL && cn_checkpoint_part(checkpoint, NULL) == NULL);
    cn_checkpoint_close(checkpoint);
    destroy(&o);
}

CN_TEST(readers)
{
    objects o = make();
    cn_reader *reader = NULL;
    cn_column column;
    cn_mesh_def mesh;
    double values[27] = {7.0};
    int count;
    REFUSES("path", cn_reader_open(NULL, &reader, e));
    REFUSES("reader", cn_reader_open("s.h5", NULL, e));
    REFUSES("reader", cn_reader_frame(NULL, 0, &o.frame, e));
    REFUSES("frame", cn_reader_frame(o.reader, 0, NULL, e));
    REFUSES("reader", cn_reader_need_contacts(NULL, &o.frame, e));
    REFUSES("frame", cn_reader_need_contacts(o.reader, NULL, e));
    REFUSES("reader", cn_reader_verify(NULL, NULL, NULL, &count, e));
    REFUSES("damaged", cn_reader_verify(o.reader, NULL, NULL, NULL, e));
    CN_DO(cn_reader_verify(o.reader, NULL, NULL, &count, e));
    REFUSES("reader", cn_reader_column(NULL, "time", &column, e));
    REFUSES("name", cn_reader_column(o.reader, NULL, &column, e));
    REFUSES("column", cn_reader_column(o.reader, "time", NULL, e));
    REFUSES("reader", cn_export_paraview(NULL, "x", NULL, NULL, e));
    REFUSES("folder", cn_export_paraview(o.reader, NULL, NULL, NULL, e));
    const cn_export_def nowhere = {0}, x = {.folder = "x"};
    REFUSES("reader", cn_export(NULL, "csv", &x, e));
    REFUSES("format", cn_export(o.reader, NULL, &x, e));
    REFUSES("def", cn_export(o.reader, "csv", NULL, e));
    REFUSES("def->folder", cn_export(o.reader, "csv", &nowhere, e));
    REFUSES("reader", cn_export_csv(NULL, "x", NULL, NULL, e));
    REFUSES("folder", cn_export_csv(o.reader, NULL, NULL, NULL, e));
    REFUSES("reader", cn_export_obj(NULL, 0, "x", e));
    REFUSES("path", cn_export_obj(o.reader, 0, NULL, e));
    REFUSES("reader", cn_export_html(NULL, "x", e));
    REFUSES("path", cn_export_html(o.reader, NULL, e));
    REFUSES("a", cn_result_compare(NULL, o.reader, 0.0, NULL, NULL, &count, e));
    REFUSES("b", cn_result_compare(o.reader, NULL, 0.0, NULL, NULL, &count, e));
    REFUSES("differences", cn_result_compare(o.reader, o.reader, 0.0, NULL, NULL, NULL, e));
    CN_TRUE(cn_reader_summary(NULL) == NULL && cn_reader_scene_text(NULL) == NULL);
    CN_TRUE(cn_reader_group_count(NULL) == 0 && cn_reader_group_name(NULL, 0)[0] == '\0');
    CN_TRUE(cn_reader_shapes(NULL, 1, &count) == NULL && cn_reader_solids(NULL, 1, &count) == NULL);
    CN_TRUE(cn_reader_shapes(o.reader, 1, NULL) == NULL);
    CN_TRUE(cn_reader_solids(o.reader, 1, NULL) == NULL);
    CN_TRUE(!cn_reader_mesh(NULL, 3, &mesh) && !cn_reader_mesh(o.reader, 3, NULL));
    CN_TRUE(cn_reader_inertia(NULL, 1, values) == 0 && cn_reader_inertia(o.reader, 1, NULL) == 0);
    CN_TRUE(cn_reader_body_name(NULL, 1) == NULL);
    CN_TRUE(cn_reader_mass(NULL, 1) == 0.0 && !cn_reader_is_fixed(NULL, 1));
    CN_TRUE(cn_reader_law_count(NULL) == 0 && cn_reader_law(NULL, 0) == NULL);
    CN_TRUE(isnan(cn_reader_state(NULL, &o.frame, 0, "x")));
    CN_TRUE(isnan(cn_reader_state(o.reader, NULL, 0, "x")));
    CN_TRUE(isnan(cn_reader_state(o.reader, &o.frame, 0, NULL)));
    CN_TRUE(cn_reader_column_count(NULL) == 0 && cn_reader_column_name(NULL, 0) == NULL);
    cn_frame_moments(NULL, values);
    cn_frame_moments(&o.frame, NULL);
    cn_stress_principal(NULL, values);
    cn_stress_principal(values, NULL);
    CN_TRUE(isnan(cn_stress_mises(NULL)) && values[0] == 7.0);
    destroy(&o);
}

CN_TEST(pictures_and_viewers)
{
    objects o = make();
    cn_render_def render = cn_render_def_default();
    cn_render_range range = {0};
    cn_plot_def plot = cn_plot_def_default("energy"), nothing = cn_plot_def_default(NULL);
    cn_chart_def chart = {0};
    cn_viewer_def def = {0};
    cn_viewer *viewer = NULL;
    REFUSES("reader", cn_render(NULL, &render, "x.png", e));
    REFUSES("def", cn_render(o.reader, NULL, "x.png", e));
    REFUSES("png_path", cn_render(o.reader, &render, NULL, e));
    REFUSES("reader", cn_render_measure(NULL, &render, &range, e));
    REFUSES("def", cn_render_measure(o.reader, NULL, &range, e));
    REFUSES("range", cn_render_measure(o.reader, &render, NULL, e));
    REFUSES("reader", cn_plot(NULL, &plot, "x.svg", e));
    REFUSES("def", cn_plot(o.reader, NULL, "x.svg", e));
    REFUSES("def->what", cn_plot(o.reader, &nothing, "x.svg", e));
    REFUSES("path", cn_plot(o.reader, &plot, NULL, e));
    REFUSES("csv_path", cn_plot_table(NULL, "a", NULL, "x.svg", e));
    REFUSES("what", cn_plot_table("a.csv", NULL, NULL, "x.svg", e));
    REFUSES("path", cn_plot_table("a.csv", "a", NULL, NULL, e));
    REFUSES("def", cn_chart(NULL, "x.svg", e));
    REFUSES("path", cn_chart(&chart, NULL, e));
    REFUSES("path", cn_viewer_start(NULL, &def, &viewer, e));
    REFUSES("def", cn_viewer_start("s.h5", NULL, &viewer, e));
    REFUSES("viewer", cn_viewer_start("s.h5", &def, NULL, e));
    CN_TRUE(cn_viewer_port(NULL) == 0 && !cn_plot_is_of_frames(NULL));
    destroy(&o);
}

CN_TEST(problems_and_solvers)
{
    objects o = make();
    cn_problem *p = cn_problem_file_problem(o.file);
    cn_problem_file *file = NULL;
    cn_problem_errors errors;
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    cn_residual residual;
    cn_solver *solver = NULL;
    cn_core core = cn_problem_core(p, 0);
    double u[64] = {0.0}, room[CN_BLOCK_ROOM];
    CN_DO(cn_solver_create(NULL, &solver, e));
    REFUSES("solver", cn_solver_create(NULL, NULL, e));
    REFUSES("p", cn_problem_solve(NULL, &def, solver, &report, e));
    REFUSES("def", cn_problem_solve(p, NULL, solver, &report, e));
    REFUSES("solver", cn_problem_solve(p, &def, NULL, &report, e));
    REFUSES("report", cn_problem_solve(p, &def, solver, NULL, e));
    char missed[8] = "x";
    CN_TRUE(cn_solver_missed(NULL, missed, sizeof missed) == missed && missed[0] == '\0');
    CN_TRUE(cn_solver_missed(&report, NULL, 8) == NULL);
    char *table;
    const cn_analyse_def stress = {.what = "stress"};
    REFUSES("reader", cn_analyse(NULL, &stress, &table, e));
    REFUSES("def", cn_analyse(o.reader, NULL, &table, e));
    REFUSES("table", cn_analyse(o.reader, &stress, NULL, e));
    const cn_fields_def fields = {.width = 1.0};
    REFUSES("reader", cn_fields(NULL, &fields, &table, e));
    REFUSES("def", cn_fields(o.reader, NULL, &table, e));
    REFUSES("text", cn_fields(o.reader, &fields, NULL, e));
    const cn_sample sample = {.dim = 2};
    const cn_grid grid = {.count = {1, 1, 1}};
    cn_field_values field;
    REFUSES("sample", cn_coarse_grain(NULL, 1.0, &grid, &field, e));
    REFUSES("grid", cn_coarse_grain(&sample, 1.0, NULL, &field, e));
    REFUSES("field", cn_coarse_grain(&sample, 1.0, &grid, NULL, e));
    REFUSES("sample->mass", cn_coarse_grain(&sample, 1.0, &grid, &field, e));
    CN_TRUE(cn_analysis_named(NULL) == NULL && isnan(cn_sample_volume(NULL, 0.0)));
    CN_TRUE(isnan(cn_content(NULL, NULL, 1)) && isnan(cn_reader_content(NULL, 1)));
    CN_TRUE(cn_sample_of_view(NULL).body_count == 0 && cn_sample_of_frame(NULL).body_count == 0);
    cn_problem folded;
    REFUSES("p", cn_problem_fold(NULL, solver, &folded, e));
    REFUSES("solver", cn_problem_fold(p, NULL, &folded, e));
    REFUSES("folded", cn_problem_fold(p, solver, NULL, e));
    REFUSES("p", cn_problem_velocity(NULL, solver, u, e));
    REFUSES("solver", cn_problem_velocity(p, NULL, u, e));
    REFUSES("u", cn_problem_velocity(p, solver, NULL, e));
    REFUSES("p", cn_problem_residual(NULL, u, solver, &residual, e));
    REFUSES("u", cn_problem_residual(p, NULL, solver, &residual, e));
    REFUSES("solver", cn_problem_residual(p, u, NULL, &residual, e));
    REFUSES("out", cn_problem_residual(p, u, solver, NULL, e));
    cn_misfit misfit;
    REFUSES("p", cn_problem_misfit(NULL, solver, NULL, &misfit, e));
    REFUSES("solver", cn_problem_misfit(p, NULL, NULL, &misfit, e));
    REFUSES("misfit", cn_problem_misfit(p, solver, NULL, NULL, e));
    REFUSES("path", cn_problem_file_read(NULL, &file, e));
    REFUSES("file", cn_problem_file_read("p.hdf5", NULL, e));
    REFUSES("file", cn_problem_file_check(NULL, p->r, NULL, &errors, e));
    REFUSES("r", cn_problem_file_check(o.file, NULL, NULL, &errors, e));
    REFUSES("errors", cn_problem_file_check(o.file, p->r, NULL, NULL, e));
    REFUSES("path", cn_problem_write(NULL, p, NULL, e));
    REFUSES("p", cn_problem_write("p.hdf5", NULL, NULL, e));
    CN_TRUE(cn_problem_file_info(NULL) == NULL && cn_problem_file_problem(NULL) == NULL);
    CN_TRUE(cn_problem_file_solution(NULL) == NULL && cn_problem_file_guess(NULL) == NULL);
    CN_TRUE(cn_solver_guess(NULL) == NULL && cn_solver_problem(NULL, p).contact_count == 0);
    CN_TRUE(cn_solver_problem(solver, NULL).contact_count == 0);
    CN_TRUE(cn_problem_factor(NULL, 0, 0, room) == NULL);
    CN_TRUE(cn_problem_factor(p, 0, 0, NULL) == NULL);
    CN_TRUE(cn_problem_core(NULL, 0).kind == CN_CORE_FREE);
    CN_TRUE(cn_core_solve(NULL, 2, u, u, u) == CN_STATUS_OPEN);
    CN_TRUE(cn_core_solve(&core, 2, NULL, u, u) == CN_STATUS_OPEN);
    CN_TRUE(cn_core_solve(&core, 2, u, NULL, u) == CN_STATUS_OPEN);
    CN_TRUE(cn_core_solve(&core, 2, u, u, NULL) == CN_STATUS_OPEN);
    cn_solver_destroy(solver);
    destroy(&o);
}

CN_TEST(limits)
{
    const cn_limit_def def = cn_limit_def_default();
    const cn_limit_model_def model_def = {0};
    const cn_limit_program program = {0};
    cn_scene *scene = NULL;
    cn_limit *limit = NULL;
    cn_limit_model *model = NULL;
    cn_limit_answer *answer = NULL;
    const cn_scene_source source = {
        .name = "l.yaml",
        .text = "cairn: 1\nmaterials: {m: {density: 1}}\nlaws: {l: {type: coulomb, friction: 1}}\n"
                "contacts: [{between: [any, any], law: l}]\nbodies:\n"
                "  g: {shape: {box: [4, 1]}, at: [0, -0.5], fixed: true}\n"
                "  b: {shape: {box: [1, 1]}, at: [0, 0.5], material: m}\n"
                "limit: [{name: x, load: {acceleration: [1, 0]}}]\n"};
    CN_DO(cn_scene_read(&source, NULL, NULL, &scene, e));
    CN_DO(cn_limit_model_create(scene, &model_def, &model, e));
    CN_DO(cn_limit_model_solve(model, 0, NULL, &answer, e));
    REFUSES("program", cn_limit_solve(NULL, &def, &limit, e));
    REFUSES("def", cn_limit_solve(&program, NULL, &limit, e));
    REFUSES("limit", cn_limit_solve(&program, &def, NULL, e));
    REFUSES("scene", cn_limit_model_create(NULL, &model_def, &model, e));
    REFUSES("def", cn_limit_model_create(scene, NULL, &model, e));
    REFUSES("model", cn_limit_model_create(scene, &model_def, NULL, e));
    REFUSES("model", cn_limit_model_solve(NULL, 0, &def, &answer, e));
    REFUSES("answer", cn_limit_model_solve(model, 0, &def, NULL, e));
    cn_limit_coulomb coulomb;
    REFUSES("program", cn_limit_coulomb_solve(NULL, &def, 0, 1, &coulomb, e));
    REFUSES("def", cn_limit_coulomb_solve(&program, NULL, 0, 1, &coulomb, e));
    REFUSES("found", cn_limit_coulomb_solve(&program, &def, 0, 1, NULL, e));
    REFUSES("model", cn_limit_model_coulomb(NULL, 0, 0, &coulomb, e));
    REFUSES("found", cn_limit_model_coulomb(model, 0, 0, NULL, e));
    cn_limit_share share;
    REFUSES("model", cn_limit_model_least(NULL, CN_LIMIT_LESS_JOINTS, &def, &share, e));
    REFUSES("def", cn_limit_model_least(model, CN_LIMIT_LESS_JOINTS, NULL, &share, e));
    REFUSES("share", cn_limit_model_least(model, CN_LIMIT_LESS_JOINTS, &def, NULL, e));
    cn_limit_curve curve;
    REFUSES("model", cn_limit_model_curve(NULL, 0, &def, &curve, e));
    REFUSES("def", cn_limit_model_curve(model, 0, NULL, &curve, e));
    REFUSES("curve", cn_limit_model_curve(model, 0, &def, NULL, e));
    CN_TRUE(!cn_limit_model_has_curve(NULL, 0) && !cn_limit_model_has_axles(NULL, 0));
    CN_TRUE(cn_limit_model_name(NULL, 0) == NULL && cn_limit_model_name(model, 99) == NULL);
    cn_limit_influence line;
    REFUSES("model", cn_limit_model_influence(NULL, 0, &def, &line, e));
    REFUSES("def", cn_limit_model_influence(model, 0, NULL, &line, e));
    REFUSES("line", cn_limit_model_influence(model, 0, &def, NULL, e));
    cn_limit_domain domain;
    REFUSES("model", cn_limit_model_domain(NULL, 0, &def, &domain, e));
    REFUSES("def", cn_limit_model_domain(model, 0, NULL, &domain, e));
    REFUSES("domain", cn_limit_model_domain(model, 0, &def, NULL, e));
    CN_TRUE(!cn_limit_model_has_domain(NULL, 0));
    cn_limit_domain_free(NULL);
    cn_limit_influence_free(NULL);
    cn_limit_curve_free(NULL);
    cn_patch_forces patches;
    char *table = NULL;
    REFUSES("contact", cn_patch_forces_find(NULL, 1, 2, &patches, e));
    REFUSES("patches", cn_patch_forces_find(answer->contact, 1, 2, NULL, e));
    cn_thrust *pieces = NULL;
    int count = 0;
    REFUSES("patches", cn_thrust_find(NULL, 0, &pieces, &count, e));
    REFUSES("pieces", cn_thrust_find(&patches, 0, NULL, &count, e));
    REFUSES("count", cn_thrust_find(&patches, 0, &pieces, NULL, e));
    REFUSES("reader", cn_patch_force_table(NULL, 0, &table, e));
    REFUSES("reader", cn_bond_table(NULL, 0, &table, e));
    REFUSES("reader", cn_crack_table(NULL, 0, &table, e));
    REFUSES("model", cn_limit_write(NULL, answer, "x.h5", NULL, e));
    REFUSES("answer", cn_limit_write(model, NULL, "x.h5", NULL, e));
    REFUSES("path", cn_limit_write(model, answer, NULL, NULL, e));
    CN_TRUE(cn_limit_model_count(NULL) == 0 && isnan(cn_limit_model_gap(NULL, 0)));
    CN_TRUE(cn_limit_joint_motion(NULL, 0) == CN_JOINT_STAYS);
    cn_limit_answer_destroy(answer);
    cn_limit_model_destroy(model);
    cn_scene_destroy(scene);
}

CN_TEST(studies_and_spreads)
{
    objects o = make();
    cn_study *study = NULL;
    cn_spread_def def = cn_spread_def_default();
    cn_spread *spread = NULL;
    double value[2];
    bool has_failed[2] = {false, false};
    REFUSES("path", cn_study_load(NULL, NULL, NULL, &study, e));
    REFUSES("study", cn_study_load("s.yaml", NULL, NULL, NULL, e));
    cn_fragility fit;
    REFUSES("capacity", cn_fragility_of_capacities(2, NULL, &fit, e));
    REFUSES("fit", cn_fragility_of_capacities(2, value, NULL, e));
    REFUSES("intensity", cn_fragility_of_outcomes(2, NULL, has_failed, &fit, e));
    REFUSES("has_failed", cn_fragility_of_outcomes(2, value, NULL, &fit, e));
    REFUSES("fit", cn_fragility_of_outcomes(2, value, has_failed, NULL, e));
    CN_TRUE(cn_study_fragility(NULL) == -1 && cn_fragility_at(NULL, 1.0) == 0.0);
    REFUSES("study", cn_study_measure(NULL, o.reader, value, has_failed, e));
    REFUSES("reader", cn_study_measure(o.study, NULL, value, has_failed, e));
    REFUSES("value", cn_study_measure(o.study, o.reader, NULL, has_failed, e));
    REFUSES("has_failed", cn_study_measure(o.study, o.reader, value, NULL, e));
    REFUSES("scene", cn_spread_measure(NULL, &def, &spread, e));
    REFUSES("def", cn_spread_measure(o.scene, NULL, &spread, e));
    REFUSES("spread", cn_spread_measure(o.scene, &def, NULL, e));
    REFUSES("spread", cn_spread_write(NULL, "x", e));
    REFUSES("folder", cn_spread_write(o.spread, NULL, e));
    REFUSES("spread", cn_spread_render(NULL, "s.h5", "x.png", e));
    REFUSES("result_path", cn_spread_render(o.spread, NULL, "x.png", e));
    REFUSES("png_path", cn_spread_render(o.spread, "s.h5", NULL, e));
    REFUSES("spread", cn_spread_histogram(NULL, "x.svg", e));
    REFUSES("path", cn_spread_histogram(o.spread, NULL, e));
    CN_TRUE(cn_study_title(NULL) == NULL && cn_study_scene(NULL) == NULL);
    CN_TRUE(cn_study_hash(NULL) == 0 && cn_study_param_count(NULL) == 0);
    CN_TRUE(cn_study_param(NULL, 0) == NULL && cn_study_param(o.study, 9) == NULL);
    CN_TRUE(cn_study_report_count(NULL) == 0 && cn_study_report(NULL, 0) == NULL);
    CN_TRUE(cn_study_line_count(NULL) == 0 && cn_study_run_max(NULL) == 0);
    CN_TRUE(cn_study_bisected(NULL) == -1 && !cn_study_next(NULL, 0, 0, has_failed, value));
    CN_TRUE(!cn_study_next(o.study, 0, 1, NULL, value));
    CN_TRUE(!cn_study_next(o.study, 0, 0, has_failed, NULL));
    CN_TRUE(!cn_study_bracket(NULL, 0, 0, has_failed, value));
    CN_TRUE(!cn_study_bracket(o.study, 0, 0, has_failed, value)); // none is bisected
    destroy(&o);
}

CN_TEST(geometry)
{
    cn_surface surface = {0};
    cn_surface_def def = cn_surface_def_default();
    cn_surface_check_def check = cn_surface_check_def_default();
    cn_surface_fix_def fix = cn_surface_fix_def_default();
    cn_surface_report report = {0};
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 1.0};
    cn_shape_mass mass;
    cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = 1.0};
    cn_solid_mass solid;
    cn_split split;
    cn_volume_def made = cn_volume_def_default();
    cn_volume *volume = NULL;
    double point[8] = {0.0};
    REFUSES("path", cn_surface_load(NULL, &def, &surface, e));
    REFUSES("def", cn_surface_load("x.stl", NULL, &surface, e));
    REFUSES("surface", cn_surface_load("x.stl", &def, NULL, e));
    REFUSES("name", cn_surface_parse(NULL, CN_SURFACE_STL, "x", 1, &def, &surface, e));
    REFUSES("bytes", cn_surface_parse("x.stl", CN_SURFACE_STL, NULL, 1, &def, &surface, e));
    REFUSES("def", cn_surface_parse("x.stl", CN_SURFACE_STL, "x", 1, NULL, &surface, e));
    REFUSES("surface", cn_surface_parse("x.stl", CN_SURFACE_STL, "x", 1, &def, NULL, e));
    REFUSES("surface", cn_surface_save(NULL, "x.stl", e));
    REFUSES("path", cn_surface_save(&surface, NULL, e));
    REFUSES("surface", cn_surface_check(NULL, &check, &report, e));
    REFUSES("def", cn_surface_check(&surface, NULL, &report, e));
    REFUSES("report", cn_surface_check(&surface, &check, NULL, e));
    REFUSES("surface", cn_surface_fix(NULL, &fix, NULL, e));
    REFUSES("def", cn_surface_fix(&surface, NULL, NULL, e));
    cn_block_list blocks = {0};
    cn_record record;
    cn_record_def read = cn_record_def_default();
    REFUSES("path", cn_record_load(NULL, &read, &record, e));
    REFUSES("def", cn_record_load("a", NULL, &record, e));
    REFUSES("record", cn_record_load("a", &read, NULL, e));
    REFUSES("name", cn_record_parse(NULL, "", 0, &read, &record, e));
    REFUSES("text", cn_record_parse("a", NULL, 0, &read, &record, e));
    REFUSES("def", cn_record_parse("a", "", 0, NULL, &record, e));
    REFUSES("record", cn_record_parse("a", "", 0, &read, NULL, e));
    const cn_record still = {0};
    double period = 1.0, displacement;
    REFUSES("record", cn_record_spectrum(NULL, 0.05, 1, &period, &displacement, e));
    REFUSES("period", cn_record_spectrum(&still, 0.05, 1, NULL, &displacement, e));
    REFUSES("displacement", cn_record_spectrum(&still, 0.05, 1, &period, NULL, e));
    CN_TRUE(!cn_block_has_point(NULL, (double[3]){0.0}));
    REFUSES("surface", cn_surface_blocks(NULL, true, &blocks, e));
    REFUSES("blocks", cn_surface_blocks(&surface, true, NULL, e));
    REFUSES("surface", cn_surface_split(NULL, NULL, 0, &split, e));
    REFUSES("cut", cn_surface_split(&surface, NULL, 1, &split, e));
    REFUSES("result", cn_surface_split(&surface, NULL, 0, NULL, e));
    REFUSES("surface", cn_surface_decompose(NULL, &split, e));
    REFUSES("result", cn_surface_decompose(&surface, NULL, e));
    REFUSES("def", cn_shape_measure(NULL, &mass, e));
    REFUSES("mass", cn_shape_measure(&disk, NULL, e));
    REFUSES("def", cn_solids_measure(NULL, 1, &solid, e));
    REFUSES("mass", cn_solids_measure(&sphere, 1, NULL, e));
    REFUSES("def", cn_volume_make(NULL, &volume, e));
    REFUSES("volume", cn_volume_make(&made, NULL, e));
    REFUSES("point", cn_volume_fill(2, 4, NULL, &volume, e));
    REFUSES("volume", cn_volume_fill(2, 4, point, NULL, e));
    REFUSES("name", cn_volume_parse(NULL, "x", 1, 2, 1.0, &volume, e));
    REFUSES("bytes", cn_volume_parse("x.msh", NULL, 1, 2, 1.0, &volume, e));
    REFUSES("volume", cn_volume_parse("x.msh", "x", 1, 2, 1.0, NULL, e));
    cn_box_vertices(1.0, 1.0, NULL);
    cn_box_corners(1.0, 1.0, 1.0, NULL);
    CN_TRUE(cn_surface_format_of(NULL) == CN_SURFACE_FORMAT_COUNT);
    CN_TRUE(cn_surface_error_count(NULL) == 0 && cn_surface_measure(NULL).volume == 0.0);
    CN_TRUE(cn_volume_mesh(NULL) == NULL && cn_volume_group_count(NULL) == 0);
    CN_TRUE(cn_volume_group_name(NULL, 0) == NULL && cn_volume_element_group(NULL) == NULL);
}

CN_MAIN(CN_RUN(what_is_freed_may_be_null); CN_RUN(worlds); CN_RUN(cells_and_imports);
        CN_RUN(bodies_joints_and_loads); CN_RUN(deformable_bodies); CN_RUN(views); CN_RUN(scenes);
        CN_RUN(writers_and_checkpoints); CN_RUN(readers); CN_RUN(pictures_and_viewers);
        CN_RUN(problems_and_solvers); CN_RUN(limits); CN_RUN(studies_and_spreads); CN_RUN(geometry);
        files_remove();)
