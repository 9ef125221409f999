/// cairn/result.h -- result files (HDF5), checkpoints, exports and comparison.
///
/// A result file holds the scene as read, the shapes once, one frame per output time and one line
/// of history per step (docs/formats.md). It is flushed after each frame, so that a run killed at
/// any time leaves a readable file; readers use committed frames only.
#pragma once

#include "cairn/base.h"
#include "cairn/cell.h"
#include "cairn/file.h"
#include "cairn/view.h"
#include "cairn/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a run comes from; strings are copied into the file.
typedef struct cn_provenance {
    const char *title;
    const char *scene_path;
    const char *scene_text; ///< as read, includes resolved
    const char *command_line;
    uint64_t seed;
    double step;     ///< first time step [s]
    bool has_stress; ///< frames hold the stresses at the nodes of deformable bodies
    bool is_thinned; ///< the history does not have a row for each step, but
    int64_t history; ///< for every so many, and for those of frames; 0: for those of frames alone.
                     ///< A row then stands for all steps since the one before (docs/formats.md)
    int64_t contacts_every; ///< frames hold contacts: every N-th from frame 0 on, and the last one;
                            ///< 0: each, -1: the last one alone
    bool is_reduced;        ///< numbers of bodies and contacts in frames are rounded: velocities to
                            ///< 4 digits, all else to 6 (docs/formats.md)
    const char *body_names; ///< one per line, of bodies with the ids 1, 2, ...; NULL: not written
} cn_provenance;

typedef struct cn_writer cn_writer;

/// Creates the file (replacing one of that name only once the new one is complete enough to be
/// read) and writes frame 0, the initial state. `series` names the observed scalars, NULL if none.
/// CN_IO: another writer has the file (cairn/file.h), to its end.
CN_API cn_status cn_writer_create(const char *path, const cn_provenance *provenance,
                                  const cn_world *w, int series_count, const char *const *series,
                                  cn_writer **writer, cn_error *err);

/// Continues the file of an earlier run from `step` on, that of the checkpoint it restarts from;
/// frames and steps after it are dropped. CN_BAD_INPUT: the file ends before that step (call
/// cn_writer_sync before writing a checkpoint).
CN_API cn_status cn_writer_reopen(const char *path, int64_t step, cn_writer **writer,
                                  cn_error *err);

/// Buffers the certificate, ledger and series values of the last step; written with the next frame,
/// or when many have gathered. After a failed write (CN_IO, e.g. a full disk) the file keeps what
/// is committed and the writer can only be closed or abandoned.
CN_API cn_status cn_writer_step(cn_writer *writer, const cn_world *w, const double *series,
                                cn_error *err);

/// Commits the buffered steps without a frame.
CN_API cn_status cn_writer_sync(cn_writer *writer, cn_error *err);

/// Writes a frame, flushes, then commits it.
CN_API cn_status cn_writer_frame(cn_writer *writer, const cn_world *w, cn_error *err);

/// Names of the pairs of bodies that overlap worst in the run, for the end of the file: only the
/// scene knows them. Up to 199 characters of each are kept.
CN_API void cn_writer_name_overlaps(cn_writer *writer, const char *deepest, const char *unseen,
                                    const char *phantom);

/// Writes what is buffered, a frame of the end state if the last one is older, and the totals;
/// closes and frees in any case. `outcome` is one line such as "reached the end" or "stopped: wall
/// moved".
CN_API cn_status cn_writer_close(cn_writer *writer, const cn_world *w, const char *outcome,
                                 double wall_seconds, cn_error *err);

/// Closes after a failure without touching committed data. NULL is allowed.
CN_API void cn_writer_abandon(cn_writer *writer);

/// Nodes of a deformable body in a frame, dim numbers each.
typedef struct cn_frame_mesh {
    int body; ///< its place in the arrays of the frame
    int node_count;
    const double *x;      ///< positions [m]
    const double *v;      ///< velocities [m/s]
    const double *stress; ///< xx yy zz xy yz zx of each node [Pa]; NULL: not written
    const double *strain; ///< likewise, shears doubled [-]; NULL: not written
    const double *r; ///< force of contacts and supports, mean of the step [N]; NULL: not written
    double volume;   ///< [m3]; NaN, like the mean: not written
    double mean[6];  ///< stress over that volume: xx yy zz xy yz zx [Pa]
} cn_frame_mesh;

/// One frame in memory. Arrays belong to the reader and stay valid until the next frame is read.
typedef struct cn_frame {
    int index;
    double time; ///< [s]
    int64_t step;
    double h; ///< step that led to this frame, to turn impulses into forces; 0 for frame 0 [s]
    int dim;  ///< 2 or 3
    int q_size, v_size; ///< entries of q and v per body: 3 and 3, in space 7 and 6
    int body_count;
    const cn_body_id *id;
    const int *group;
    const unsigned *fixed; ///< bits of held or driven degrees of freedom
    const double *q; ///< x y angle [m, m, rad]; in space x y z and the unit quaternion w x y z of
                     ///< the principal frame [m, -]
    const double *v; ///< [m/s, m/s, rad/s]; in space velocity and angular velocity, world axes
    bool lacks_contacts; ///< the file leaves those of this frame out: they are not known, not none
    int contact_count;
    const cn_contact *contact;
    const int *state_start; ///< contact_count + 1: law state of contact a in `state`; no entries
                            ///< for contacts whose law keeps none, or of files of version 1
    const double *state;    ///< in the order of cn_law_info
    const double *cell;     ///< vectors of the periodic cell, as in cn_cell_state; NULL: none
    const cn_cell_state *cell_state; ///< of it, axes that repeat, vectors, gradient and volume;
                                     ///< NULL: none, or the file does not tell
    int joint_count;                 ///< none in files of versions 1 and 2
    const cn_joint_state *joint;
    int mesh_count; ///< deformable bodies; none in files of versions 1 to 3
    const cn_frame_mesh *mesh;
    double kinetic, potential, storage; ///< [J]
    double energy_error;                ///< of the whole run so far [-]
    uint64_t state_hash;
} cn_frame;

/// A law of the run, as far as results need it.
typedef struct cn_law_info {
    const char *name; ///< of its type, e.g. "coulomb"
    int state_count;  ///< of each contact
    const char *const *state_name;
} cn_law_info;

/// Per-step history: `name` is one of the columns listed in docs/formats.md, e.g. "residual",
/// "sweeps", "energy_error", "total_friction", "kinetic", or "series/NAME".
typedef struct cn_column {
    const char *name;
    int64_t count;
    const double *value;
} cn_column;

/// By how much constraints may miss their laws in a step (theory 8.24 to 8.27).
typedef struct cn_promise {
    double mean_m, worst_m; ///< rms and largest h e_a; 0: not known, or not asked for
    double force_mean_N;    ///< rms |z_a| / h
    double outlier_share;   ///< constraints that miss more than ten times the mean
} cn_promise;

typedef struct cn_summary {
    char title[256], outcome[256], scene_path[512], version[32];
    int64_t steps;
    double time;
    int dim, bodies, frames;
    int64_t contacts_max;
    double residual_max;       ///< err_v
    double residual_rms_max;   ///< err_v_rms
    cn_body_id worst[2];       ///< bodies of the constraint with residual_max; 0: not known
    cn_accuracy accuracy;      ///< word of the last step
    cn_promise asked, reached; ///< what the steps were asked for, and the most that they missed
    double penetration_max_m, penetration_max_rel;
    double creep_max_m;                ///< of sticking contacts (theory 8.31)
    cn_body_id creep[2];               ///< their bodies; 0: none, or not known
    cn_body_id deepest[2];             ///< bodies of the latter; 0: not known
    cn_criterion missed_criterion;     ///< what was missed by most, CN_CRITERION_NONE: nothing
    double missed_value, missed_asked; ///< of it, see cn_solver_report
    int64_t missed_step;               ///< when
    cn_body_id missed[2];              ///< bodies it is at; 0: none in particular
    double drive_error_max_m;          ///< miss of imposed motions (theory 9.6)
    int64_t rigid_steps, cut_steps;    ///< as in cn_run_report
    int64_t repeats[CN_REPEAT_COUNT];  ///< likewise
    int64_t joints_max;
    double joint_gap_max_m;
    int64_t overlap_looks;     ///< steps after which overlaps were looked for
    int64_t overlap_missed;    ///< of them those where something was missed: cn_overlap_is_missed
    cn_overlap overlap;        ///< the worst found; places and counts are not kept
    char overlap_name[3][200]; ///< bodies of the deepest, unseen and phantom pair; empty: not known
    double energy_error;
    int64_t nonconverged_steps, sweeps_total;
    int64_t iterations[CN_METHOD_NAME_COUNT]; ///< of each method of the solver; 0 in older files
    int64_t painleve_steps;                   ///< steps with a non-unique local solution
    double wall_seconds;
    double seconds_by_stage[CN_STAGE_COUNT];
    double energy_total[CN_ENERGY_ROW_COUNT];
    uint64_t seed, state_hash;
    int indeterminate; ///< of the last step; -1: not computed
    bool is_complete;  ///< closed properly
} cn_summary;

typedef struct cn_reader cn_reader;

/// CN_IO: missing or not HDF5; CN_BAD_INPUT: not a cairn result, other version, truncated.
CN_API cn_status cn_reader_open(const char *path, cn_reader **reader, cn_error *err);
CN_API void cn_reader_close(cn_reader *reader);
CN_API const cn_summary *cn_reader_summary(const cn_reader *reader);
CN_API const char *cn_reader_scene_text(const cn_reader *reader);
CN_API int cn_reader_group_count(const cn_reader *reader);
CN_API const char *cn_reader_group_name(const cn_reader *reader, int group);

/// Name of a body in the scene of the run, such as "wall[3,2]"; NULL if the file does not tell, as
/// those before version 0.2.
CN_API const char *cn_reader_body_name(const cn_reader *reader, cn_body_id id);

/// Shapes of a body as of the frame that was read last (bodies that wear change theirs), placed in
/// the frame of the body; in space its solids, placed in its principal frame. Each has none in
/// results of the other dimension.
CN_API const cn_shape_def *cn_reader_shapes(const cn_reader *reader, cn_body_id id, int *count);
CN_API const cn_solid_def *cn_reader_solids(const cn_reader *reader, cn_body_id id, int *count);

/// The mesh of a deformable body in its reference position, as far as it is known: nodes (in the
/// world, before anything moved), types and nodes of elements. False: the body is rigid.
CN_API bool cn_reader_mesh(const cn_reader *reader, cn_body_id id, cn_mesh_def *mesh);

/// Moment tensors M_ij = sum x_i r_j over the forces r of contacts (and supports of deformable
/// bodies) on each body of a frame, x from its mass centre (theory 11.31): rows first, nine numbers
/// per body [N m].
CN_API void cn_frame_moments(const cn_frame *frame, double *moment);

/// Principal values of xx yy zz xy yz zx, largest first.
CN_API void cn_stress_principal(const double stress[6], double value[3]);

/// Von Mises stress of xx yy zz xy yz zx [Pa].
CN_API double cn_stress_mises(const double stress[6]);

/// Inertia about the mass centre [kg m2]: one number, in space the three principal ones. Returns
/// how many, 0 if there is no such body.
CN_API int cn_reader_inertia(const cn_reader *reader, cn_body_id id, double inertia[3]);

/// Mass, and whether all degrees of freedom were held or driven, when the body appeared; never of a
/// deformable body.
CN_API double cn_reader_mass(const cn_reader *reader, cn_body_id id);
CN_API bool cn_reader_is_fixed(const cn_reader *reader, cn_body_id id);

/// Reads frame `index` (negative: from the end, -1 is the last).
CN_API cn_status cn_reader_frame(cn_reader *reader, int index, cn_frame *frame, cn_error *err);

/// CN_BAD_INPUT where the file leaves the contacts of a frame out: what follows from contact forces
/// is not known then. The message names frames that have them.
CN_API cn_status cn_reader_need_contacts(cn_reader *reader, const cn_frame *frame, cn_error *err);

/// Laws by their number in cn_contact; none in files of version 1. NULL: no such law.
CN_API int cn_reader_law_count(const cn_reader *reader);
CN_API const cn_law_info *cn_reader_law(const cn_reader *reader, int law);

/// A law state of contact `a` by its name, e.g. "slid"; NaN if the contact has none of this name.
CN_API double cn_reader_state(const cn_reader *reader, const cn_frame *frame, int a,
                              const char *name);

/// Columns of the step history; time is the column "time". Values stay valid until the reader is
/// closed.
CN_API int cn_reader_column_count(const cn_reader *reader);
CN_API cn_status cn_reader_column(cn_reader *reader, const char *name, cn_column *column,
                                  cn_error *err);
CN_API const char *cn_reader_column_name(const cn_reader *reader, int k);

/// Where an export goes: into a folder that is made if missing; existing files of its names are
/// replaced. `told` (may be NULL) is given the path of each file that a user opens: for ParaView
/// the .pvd collections, not the files of single frames.
typedef struct cn_export_def {
    const char *folder;
    int frame; ///< of formats that hold one frame; negative: from the end
    cn_tell *told;
    void *context;
} cn_export_def;

/// A format of exports.
typedef struct cn_export_format {
    const char *name; ///< "paraview", "csv", "obj", "xyz", "compas"
    const char *help;
    cn_status (*write)(cn_reader *reader, const cn_export_def *def, cn_error *err);
} cn_export_format;

/// The formats that exist; NULL outside 0 .. count - 1.
CN_API int cn_export_format_count(void);
CN_API const cn_export_format *cn_export_format_at(int k);

/// Exports to a format by its name. CN_BAD_INPUT: there is none of this name.
CN_API cn_status cn_export(cn_reader *reader, const char *format, const cn_export_def *def,
                           cn_error *err);

/// The same for single formats; that of one frame takes the path of its file.
CN_API cn_status cn_export_paraview(cn_reader *reader, const char *folder, cn_tell *told,
                                    void *context, cn_error *err);
CN_API cn_status cn_export_csv(cn_reader *reader, const char *folder, cn_tell *told, void *context,
                               cn_error *err);
CN_API cn_status cn_export_obj(cn_reader *reader, int frame, const char *path, cn_error *err);

/// Reads all that is committed and checks it against the checksums of the file, which those before
/// version 6 do not have. Every dataset that is damaged is told, one line each, and counted.
CN_API cn_status cn_reader_verify(cn_reader *reader, cn_tell *told, void *context, int *damaged,
                                  cn_error *err);

/// Compares all frames and the history of two results. A quantity that differs by more than rtol of
/// the range of all values of its unit is told, one line with the worst place, and counted in
/// *differences; rtol 0 asks for equal bits, law states included (some are switches, which rounding
/// may turn).
CN_API cn_status cn_result_compare(cn_reader *a, cn_reader *b, double rtol, cn_tell *told,
                                   void *context, int *differences, cn_error *err);

/// Checkpoints: full state, written to a temporary name, synced, renamed; the last two are kept
/// (path and path.old). `extra` are parts of the caller (stage, observers), returned on reading.
CN_API cn_status cn_checkpoint_write(const char *path, cn_world *w, const cn_state_part *extra,
                                     int extra_count, cn_error *err);

/// The same for one who keeps the claim on the file between checkpoints (cairn/file.h).
CN_API cn_status cn_checkpoint_write_claimed(cn_claim *claim, cn_world *w,
                                             const cn_state_part *extra, int extra_count,
                                             cn_error *err);

typedef struct cn_checkpoint cn_checkpoint;
CN_API cn_status cn_checkpoint_open(const char *path, cn_checkpoint **checkpoint, cn_error *err);
CN_API cn_status cn_checkpoint_restore(const cn_checkpoint *checkpoint, cn_world *w, cn_error *err);

/// A part of the caller, NULL if it is not there.
CN_API const cn_state_part *cn_checkpoint_part(const cn_checkpoint *checkpoint, const char *name);
CN_API void cn_checkpoint_close(cn_checkpoint *checkpoint);

#ifdef __cplusplus
}
#endif
