// import/datbox.h -- what the files of a DATBOX folder of LMGC90 say, as they say it.
//
// Lists are flat; a body or contactor has a range of them. Every entry knows the line it comes
// from, for what the importer has to say about it.
#pragma once

#include "import/dat_lines.h"

enum { CN_DAT_NAME = 8, CN_DAT_PARAM_MAX = 16, CN_DAT_NODE_MAX = 20 };

typedef struct cn_dat_range {
    int first, count;
} cn_dat_range;

typedef enum cn_dat_kind { CN_DAT_RIGID2, CN_DAT_RIGID3, CN_DAT_MESH, CN_DAT_KINDS } cn_dat_kind;

// A contactor of a rigid body, or a side of a mesh.
typedef struct cn_dat_contactor {
    char kind[CN_DAT_NAME], colour[CN_DAT_NAME];
    cn_place at;
    double size[3];        // radius; half axes; half height and radius [m]
    double shift[3];       // of its centre in the frame of the body [m]
    double axes[9];        // its own, as columns
    bool is_turned;        // axes are given
    cn_dat_range vertex;   // of `vertex`, 3 numbers each
    cn_dat_range triangle; // of `triangle`, 3 vertices from 0 each
    cn_dat_range facet;    // of `facet`: nodes of the sides of a mesh
} cn_dat_contactor;

typedef struct cn_dat_facet {
    int node[4], count; // from 1
} cn_dat_facet;

typedef struct cn_dat_element {
    char kind[CN_DAT_NAME], model[CN_DAT_NAME], material[CN_DAT_NAME];
    int node[CN_DAT_NODE_MAX], node_count; // from 1
    cn_place at;
} cn_dat_element;

typedef struct cn_dat_body {
    cn_dat_kind kind;
    int number; // from 1 among its kind, by order
    cn_place at;
    char material[CN_DAT_NAME];
    double radius, gyration; // avrd, gyrd: of the disk or ball that gives the mass; 0: contactors
    double inertia[3];       // volume moments I1 I2 I3; 0: contactors
    double place[3];         // of the node [m]; in the plane the third is an angle
    cn_dat_range contactor, element, node; // nodes of a mesh: 3 coordinates each
} cn_dat_body;

// A bulk behaviour or contact law.
typedef struct cn_dat_law {
    char name[CN_DAT_NAME], type[CN_DAT_WORD], anisotropy[CN_DAT_WORD];
    cn_place at;
    int count;
    cn_dat_item param[CN_DAT_ITEMS];
} cn_dat_law;

typedef struct cn_dat_see {
    char body[2][CN_DAT_NAME], kind[2][CN_DAT_NAME], colour[2][CN_DAT_NAME], law[CN_DAT_NAME];
    double alert; // [m]
    cn_place at;
} cn_dat_see;

// [ct + amp cos(omega t + phi)] min(1, rampi + ramp t), or an evolution file.
typedef struct cn_dat_drive {
    cn_dat_kind kind;
    int body, node, dof;     // from 1; node 1 of a rigid body
    bool is_force, is_other; // force, velocity; or of another physics
    double ct, amp, omega, phi, rampi, ramp;
    char file[64]; // of the evolution; empty: none
    cn_place at;
} cn_dat_drive;

typedef struct cn_dat_state {
    cn_dat_kind kind;
    int body, node;           // from 1
    double moved[6], rate[6]; // X, V
    double axes[9];           // a b g as columns
    bool has_axes;
    cn_place at;
} cn_dat_state;

typedef struct cn_dat_option {
    char name[CN_DAT_NAME], value[CN_DAT_WORD];
} cn_dat_option;

typedef struct cn_dat_model {
    char name[CN_DAT_NAME], physics[CN_DAT_NAME], element[CN_DAT_NAME];
    cn_dat_range option;
    cn_place at;
} cn_dat_model;

// A growing list of one type.
#define CN_DAT_LIST(type)                                                                          \
    struct {                                                                                       \
        type *item;                                                                                \
        size_t count, capacity;                                                                    \
    }

typedef CN_DAT_LIST(cn_dat_law) cn_dat_laws;

typedef struct cn_datbox {
    char folder[512]; // with a slash
    CN_DAT_LIST(cn_dat_body) body;
    CN_DAT_LIST(cn_dat_contactor) contactor;
    CN_DAT_LIST(double) vertex;
    CN_DAT_LIST(int) triangle;
    CN_DAT_LIST(cn_dat_facet) facet;
    CN_DAT_LIST(cn_dat_element) element;
    CN_DAT_LIST(double) node;
    cn_dat_laws bulk, law;
    CN_DAT_LIST(cn_dat_see) see;
    CN_DAT_LIST(cn_dat_drive) drive;
    CN_DAT_LIST(cn_dat_state) state;
    CN_DAT_LIST(cn_dat_model) model;
    CN_DAT_LIST(cn_dat_option) option;
    int count_of[CN_DAT_KINDS]; // bodies of each kind
    double gravity[3];
    double time;       // of DOF.INI [s]
    bool has_contacts; // Vloc_Rloc.INI lists some
    bool has_stresses; // GPV.INI lists some
    cn_arena *arena;   // of the texts
    cn_report *report;
} cn_datbox;

// Reads all files of a folder. Problems are told; the status is about them, memory and files.
// `state` is a file to be read instead of DOF.INI, or NULL.
cn_status cn_datbox_read(const char *folder, const char *state, cn_arena *arena, cn_report *report,
                         cn_datbox *box, cn_error *err);
void cn_datbox_free(cn_datbox *box);

// A file as a source, by its path or as one of the folder; NULL without an error if it is not
// there.
cn_status cn_datbox_load(cn_datbox *box, const char *path, const cn_source **source, cn_error *err);
cn_status cn_datbox_open(cn_datbox *box, const char *name, const cn_source **source, cn_error *err);

// The readers of single files; the report has what is wrong with them.
cn_status cn_read_bodies(cn_datbox *box, const cn_source *source, cn_error *err);
cn_status cn_read_bulk(cn_datbox *box, const cn_source *source, cn_error *err);
cn_status cn_read_laws(cn_datbox *box, const cn_source *source, cn_error *err);
cn_status cn_read_drives(cn_datbox *box, const cn_source *source, cn_error *err);
cn_status cn_read_states(cn_datbox *box, const cn_source *source, cn_error *err);
cn_status cn_read_models(cn_datbox *box, const cn_source *source, cn_error *err);

// Whether a file lists anything after its $steps: contacts, stresses.
bool cn_dat_has_entries(const cn_source *source);

// Appends an element to a list of the box.
#define CN_DAT_ADD(list, value, err)                                                               \
    (cn_reserve(NULL, &(list).item, &(list).capacity, (list).count + 1, (err)) == CN_OK            \
         ? ((list).item[(list).count++] = (value), CN_OK)                                          \
         : CN_NO_MEMORY)

// A word cut to the five letters of a name, as LMGC90 does.
void cn_dat_name(char name[CN_DAT_NAME], const char *word);

// The kind of a line such as " RBDY2      1"; false: none.
bool cn_dat_body_kind(const char *word, cn_dat_kind *kind);

// The body of a kind by its number; NULL if there is none.
const cn_dat_body *cn_datbox_body(const cn_datbox *box, cn_dat_kind kind, int number);

// 2 in the plane, 3 in space; meshes by their nodes.
int cn_datbox_dim(const cn_datbox *box);
