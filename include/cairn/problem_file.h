/// cairn/problem_file.h -- contact problems in files of the FCLIB layout (HDF5).
///
/// A file holds one problem without bodies or time:
///     local    u = W r + q                                        (u, r) obeys Coulomb's law
///     global   M v = H r + f,  u = H^T v + w                      the same, with its mass matrix
/// optionally with bilateral rows (local V, R, s; global G, b) and with rolling friction. Global
/// problems of rigid bodies keep their bodies, W = G^T G; others are reduced to stored rows of
/// W = H^T M^-1 H when they are read. docs/formats.md has the layout.
#pragma once

#include "cairn/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A problem that was read, with all its arrays.
typedef struct cn_problem_file cn_problem_file;

typedef struct cn_problem_info {
    const char *title;       ///< "" if there is none
    const char *description; ///< "" if there is none
    bool is_global;          ///< came with a mass matrix
    bool is_rolling;         ///< five rows per contact in space, three in the plane
    bool has_solution;       ///< /solution/r is there
    bool has_guess;          ///< /guesses/1/r is there
    int space_dim;           ///< as stored: rows per contact
    int contact_count;       ///< without the bilateral rows
    int bilateral_rows;      ///< they follow the contacts as constraints of up to CN_ROW_MAX rows
    int dof_count;           ///< degrees of freedom of M, 0 for a local problem
    int entry_count;         ///< stored entries of W, of H where bodies are kept
    double asymmetry;        ///< max |W - W^T| / max |W| [-]
} cn_problem_info;

/// Reads and checks a problem. CN_IO: missing, unreadable or not HDF5; CN_BAD_INPUT: damaged, not
/// finite, sizes or indices that do not fit, a mass matrix that is singular or too large for the
/// dense factors of this version. Nothing of the file is trusted.
CN_API cn_status cn_problem_file_read(const char *path, cn_problem_file **file, cn_error *err);
CN_API void cn_problem_file_destroy(cn_problem_file *file);

CN_API const cn_problem_info *cn_problem_file_info(const cn_problem_file *file);

/// The problem, impulses zero: stored block rows, or bodies if the file is global and its mass
/// matrix consists of 3 x 3 (plane) or 6 x 6 (space) blocks of which no constraint meets more than
/// two. Its r may be written; it belongs to the file.
CN_API cn_problem *cn_problem_file_problem(cn_problem_file *file);

/// The reference impulses stored with the problem (one per row), NULL if there are none.
CN_API const double *cn_problem_file_solution(const cn_problem_file *file);

/// The first guess stored with the problem (/guesses/1/r, one per row), NULL if there is none.
CN_API const double *cn_problem_file_guess(const cn_problem_file *file);

/// Errors of impulses r, computed from the matrices as they were stored, by code of its own:
/// nothing is shared with the solvers.
typedef struct cn_problem_errors {
    double natural;  ///< natural map over max(|q|, |r|, |u|); for global problems as Siconos
                     ///< defines it, with the residual of M v = H r + f [-]
    double miss;     ///< norm of all e_a (theory 8.8), undivided: at r = 0, what there is to solve;
                     ///< it does not depend on units as natural does [m/s]
    double rounding; ///< what rounding of u alone may add to it: large where impulses have grown
                     ///< until W r + q forgets q, as they do where there is no solution [m/s]
    double scaled;   ///< natural with velocities times d / trace(W_cc) [-]
    double velocity; ///< max_a e_a / v_ref (theory 8.9) [-]
    double approach[CN_MEASURE_COUNT]; ///< by measure: max(-u_n, 0) in place of e_a. At most
                                       ///< sqrt(1 + mu^2) times the error in exact numbers, so
                                       ///< that the error shows it unless mu is large [-]
    double left; ///< max(-u_n) over max |q_n|, of contacts and beyond rounding: what is left of the
                 ///< approach however large impulses are; 0 if nothing approaches [-]
    int worst;   ///< contact with the largest e_a, -1 if there is none
    int infeasible; ///< a contact whose normal row of W is zero while q_n < 0: no impulse can
                    ///< help; -1 if there is none
} cn_problem_errors;

/// u = W r + q (may be NULL) and the errors.
CN_API cn_status cn_problem_file_check(const cn_problem_file *file, const double *r, double *u,
                                       cn_problem_errors *errors, cn_error *err);

/// What is written beside a problem; texts may be NULL.
typedef struct cn_problem_note {
    const char *title, *description, *math_info;
    bool with_solution;  ///< also write p->r and its velocity as /solution
    bool as_global;      ///< keep bodies: M = 1 and H = G in place of W, much smaller; where the
                         ///< problem has more than bodies (rows of W, springs, bounds): local
    const double *guess; ///< impulses of a first guess, one per row, written as /guesses/1, or NULL
} cn_problem_note;

/// Writes a problem as an FCLIB file, replacing `path` once it is complete. Shifts, compliances and
/// offsets of the cores go into W and q, so that the r of the file is r + r0; parallel terms too,
/// and it is r + r0 + k u. Free constraints are
/// left out; bilateral ones become V, R and s (global: G and b). Cones with fewer rows than the
/// file has per contact (cables; contacts that do not roll) get empty ones. Each row of a bounded
/// constraint (a motor) becomes a contact of its own, whose normal impulse is the bound and whose
/// friction is 1. Resistance to spinning is CN_BAD_INPUT: the layout has no row for it.
CN_API cn_status cn_problem_write(const char *path, const cn_problem *p,
                                  const cn_problem_note *note, cn_error *err);

#ifdef __cplusplus
}
#endif
