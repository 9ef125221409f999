// import/importing.h -- a DATBOX folder on its way to a scene: what the stages of the importer hand
// on to each other.
#pragma once

#include <stdio.h>

#include "cairn/import.h"
#include "import/datbox.h"

// A rigid body as LMGC90 places it when the run starts.
typedef struct cn_rigid {
    const cn_dat_body *body;
    double mass;       // [kg]
    double inertia[6]; // about the mass centre in the frame of the contactors: xx yy zz yz zx xy
    double at[3];      // mass centre [m]
    double angle;      // in the plane
    double first[3];   // mass centre and angle by BODIES.DAT alone, before DOF.INI
    double first_angle;
    double axes[9];              // in space: the frame of the contactors, as columns
    double centre[3];            // mass centre in the frame of the contactors [m]
    bool has_centre;             // it is not the centroid of the parts
    double velocity[3], rate[3]; // axes of the world
    const cn_dat_drive *velocity_of[6], *force_of[6]; // of each degree of freedom, NULL: none
    int set;                                          // of contactors, -1: only points
    bool is_listed;                                   // in a table of bodies
    char name[96];                                    // of the body of the scene
} cn_rigid;

// A mesh, and the group of its sides.
typedef struct cn_mesh_entry {
    const cn_dat_body *body;
    int set; // -1: no side is a contactor
} cn_mesh_entry;

// Nodes of a mesh with equal drives, and a node of such a set.
typedef struct cn_node_set {
    int body; // number of the mesh
    char name[24];
    const cn_dat_drive *const *drive;
    int drive_count;
} cn_node_set;

typedef struct cn_set_node {
    int set, node;
} cn_set_node;

// Contactors of equal kinds and colours: a group of the scene.
typedef struct cn_dat_set {
    char name[64];
    cn_dat_kind kind;
    const cn_dat_contactor **contactor; // one of each kind and colour
    int count;
} cn_dat_set;

// Sentences about what became of the model, those of one kind together.
typedef struct cn_import_note {
    const char *format; // tells kinds apart
    char *first;        // with place
    int count;
    bool is_lost; // or changed
} cn_import_note;

// A file beside the scene, in memory until all is known.
typedef struct cn_import_file {
    char *path; // relative to the scene
    FILE *file;
    char *text;
    size_t length;
} cn_import_file;

typedef struct cn_importing {
    const cn_import_def *def;
    cn_datbox box;
    cn_arena arena;
    cn_report report; // what is wrong with the files
    int dim;
    cn_import_settings set; // given, or read from the script
    CN_DAT_LIST(cn_rigid) rigid;
    CN_DAT_LIST(cn_dat_set) sets;
    CN_DAT_LIST(cn_mesh_entry) meshes;
    CN_DAT_LIST(cn_node_set) node_sets;
    CN_DAT_LIST(cn_set_node) set_nodes;
    CN_DAT_LIST(cn_import_note) notes;
    bool *is_law_used;
    const char *script; // that was read, NULL: none
    double overlap;     // deepest at the start over the size of the smaller body
    CN_DAT_LIST(cn_import_file *) files;
    FILE *scene; // text of the scene
    cn_error *err;
    cn_status status;
} cn_importing;

// Reads the command script, if there is one, for what is not given (command_script.c).
cn_status cn_import_read_script(cn_importing *m);

// Notes what cannot be taken over, or is taken over changed. Notes with one format are counted.
void cn_import_lost(cn_importing *m, cn_place at, const char *format, ...) CN_PRINTF(3, 4);
void cn_import_changed(cn_importing *m, cn_place at, const char *format, ...) CN_PRINTF(3, 4);

// Places and masses of all rigid bodies by the rules of LMGC90 (rigid_bodies.c), area or volume,
// moments about its own centroid and centroid of one contactor (measure_contactor.c).
void cn_import_rigid(cn_importing *m);

typedef struct cn_dat_measure {
    double content;   // area or volume
    double moment[6]; // volume moments about the centroid, xx yy zz yz zx xy; in the plane zz
    double centre[3]; // in the frame of the body
} cn_dat_measure;

bool cn_dat_measure_contactor(cn_importing *m, int dim, const cn_dat_contactor *c,
                              cn_dat_measure *out);

// Points of wires have no extent.
bool cn_dat_is_point(const cn_dat_contactor *c);

// Sets of contactors, and the lines of `contacts` and `laws` that the see table becomes.
void cn_import_sets(cn_importing *m);
void cn_import_write_contacts(cn_importing *m);

// The line of the see table that holds for two contactors, NULL if they do not see each other.
const cn_dat_see *cn_import_see(const cn_importing *m, cn_dat_kind x_kind,
                                const cn_dat_contactor *x, cn_dat_kind y_kind,
                                const cn_dat_contactor *y);

// The law that a line names, by its number; -1 is complained of.
int cn_import_law(cn_importing *m, const cn_dat_see *see);

// Wires and rods between points become joints.
void cn_import_write_joints(cn_importing *m);

// Entries of `bodies`, and the tables they refer to.
void cn_import_write_bodies(cn_importing *m);

// What drives and loads bodies: lines of the stage.
void cn_import_write_drives(cn_importing *m);

// Finds the drives and forces of each rigid body, and the sets of driven nodes of meshes.
void cn_import_sort_drives(cn_importing *m);
void cn_import_mesh_drives(cn_importing *m);

// Meshes: lines of `materials` and `bodies`, files beside the scene (write_meshes.c); their sets
// that are held, a key of the body, and driven or loaded, lines of the stage (mesh_drives.c).
void cn_import_write_materials(cn_importing *m);
void cn_import_write_meshes(cn_importing *m);
void cn_import_write_held_sets(cn_importing *m, int body);
void cn_import_write_set_drives(cn_importing *m, bool is_force, bool *is_open);

// The value of a drive as a function of time since the start of the stage.
void cn_import_write_function(cn_importing *m, const cn_dat_drive *d);

// Whether a drive imposes nothing but zero.
bool cn_dat_is_zero(const cn_dat_drive *d);

// The periods of the model, if there are any, as a cell.
void cn_import_write_cell(cn_importing *m);

// Opens a file beside the scene; NULL without memory. Its path is kept.
FILE *cn_import_open(cn_importing *m, const char *name, const char **path);

// Frees what the scene was made of, which has been written: the lists of bodies, but not how many
// there were, and the files beside the scene, but not their names; or all.
void cn_import_forget(cn_importing *m);
void cn_import_free(cn_importing *m);

// Writes the text of the scene into memory, which the caller frees (write_scene.c).
cn_status cn_import_compose(cn_importing *m, char **text, size_t *length, cn_error *err);

// Adds the depth that bodies may have in each other to the text of a scene.
cn_status cn_import_add_overlap(double depth, char **text, size_t *length, cn_error *err);

// A number as short as it can be without loss.
const char *cn_import_number(double value, char text[32]);
void cn_import_vector(FILE *out, const double *value, int count);

// A word of LMGC90 as a name of the scene.
void cn_import_word(const char *word, char *name, size_t size);
