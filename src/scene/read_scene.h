// scene/read_scene.h -- from files to a scene, and the parts of that work.
#pragma once

#include "scene/language/value.h"
#include "scene/model.h"

#define CN_BODY_MAX 10000000
#define CN_DATA_BYTES_MAX ((size_t)2 << 30)

// What to read and how; limits are for tests.
typedef struct cn_read_def {
    cn_scene_source source;
    cn_tell *told;
    void *context;
    bool no_files; // includes and data files are refused: work on memory only
    int body_max;  // more bodies than this are refused
    int cell_max;  // likewise cells of a generated mesh; 0: as many as meshes can have
} cn_read_def;

cn_status cn_scene_read_within(const cn_read_def *def, cn_scene **scene, cn_error *err);

// Work in progress: the scene whose parts are being filled in.
typedef struct cn_making {
    const cn_read_def *def;
    cn_scene *scene;
    const cn_value *root;
    cn_reading reading;
    uint64_t hash;    // of all bytes read
    bool has_include; // set by cn_compose
} cn_making;

// Reads a file that belongs to the scene, relative to the file that names it. False if it cannot be
// read, which is then reported at `at`.
bool cn_making_open(cn_making *m, cn_place at, const char *path, size_t most, cn_source *source);

// One tree of all files: includes merged in, `include` gone. NULL after problems.
// (scene/language/include.c)
const cn_node *cn_compose(cn_making *m, const cn_source *source);

// Evaluates params with overrides into the symbols of the reading and returns the tree with their
// values written in. NULL after problems. (scene/language/params.c)
const cn_node *cn_params_apply(cn_making *m, const cn_node *root);

// Parts of the scene; each reports its problems and returns false for lack of memory only.
bool cn_make_materials(cn_making *m); // scene/make/make_materials.c
bool cn_make_laws(cn_making *m);      // scene/make/make_contacts.c
bool cn_make_rules(cn_making *m);     // after bodies

// Rules of a stage, then those of the scene.
bool cn_make_stage_rules(cn_making *m, const cn_value *stage, cn_scene_stage *to);
bool cn_make_bodies(cn_making *m); // scene/make/make_bodies.c
bool cn_make_joints(cn_making *m); // scene/make/make_joints.c; after bodies
bool cn_make_stages(cn_making *m); // scene/make/make_stages.c; after joints
bool cn_make_cell(cn_making *m);   // scene/make/make_cell.c; before stages
bool cn_make_observers(cn_making *m);
bool cn_make_limits(cn_making *m);   // scene/make/make_limits.c; after bodies
bool cn_make_start(cn_making *m);    // scene/make/make_start.c; after bodies
bool cn_make_settings(cn_making *m); // scene/make/make_settings.c

// The path of a file that belongs to the scene, relative to the file that names it; NULL: no
// memory. (scene/language/include.c)
const char *cn_making_path(cn_making *m, cn_place at, const char *path);

// A place for messages after reading.
cn_line cn_making_line(const cn_making *m, cn_place at);

// Keys of a scheme that are about meshes; problems are reported. (scene/make/make_settings.c)
cn_deform_def cn_deform_of(cn_making *m, const cn_value *scheme);

// The joint of that name, -1 after a problem, which is reported. (scene/make/make_joints.c)
int cn_joint_named(cn_making *m, cn_place at, const char *name);

// The material of that name, NULL if there is none. (scene/make/make_materials.c)
const cn_scene_material *cn_material_named(const cn_scene *scene, const char *name);

// Bits 1 << cn_dof of the words of `fixed` or `fix`; NULL: none. (scene/make/make_bodies.c)
unsigned cn_fixed_of(const cn_value *words, int dim);

// Names that users give: a letter, then letters, digits, '_' and '-'; words of the language are
// taken.
bool cn_check_name(cn_making *m, cn_place at, const char *what, const char *name);
