/// cairn/analyse.h -- from bodies to the continuum: stress, fabric, solid fraction and the like of
/// a selection of bodies, at the end of a step or in a frame of a result (theory chapter 14).
#pragma once

#include "cairn/cell.h"
#include "cairn/law.h"
#include "cairn/result.h"
#include "cairn/view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CN_SAMPLE_ROOM 4

/// Bodies and contacts of one moment, some of the bodies selected. Arrays are borrowed.
typedef struct cn_sample {
    int dim;
    int body_count, contact_count;
    int q_size, v_size;  ///< entries of q and v of each body, as in cn_frame
    const double *q, *v; ///< as in cn_view
    const double *mass;  ///< of each body [kg]; NULL: not known, as what needs it is then (NaN)
    const double
        *content; ///< volume of each body [m3], in the plane its area [m2]; NULL: not known
    const cn_contact *contact;
    double h;           ///< step of the impulses [s]; 0: there was none, and no forces (NaN)
    const double *cell; ///< vectors of the periodic cell, as in cn_cell_state; NULL: none
    const cn_cell_state *cell_state; ///< of that cell, for how it moves; NULL: not known
    /// Where each body was in a reference, as if space had no period, and its way since [m], dim
    /// numbers each; way NaN: it was not there. NULL: not known
    const double *start, *way;
    const bool *is_in;   ///< body_count: those that are selected
    const double *param; ///< of the quantity, in the order of its table
    int *room;           ///< CN_SAMPLE_ROOM numbers for each body to work with
} cn_sample;

/// Bodies and contacts of a world or of a frame. What follows from other sources is left to the
/// caller: content, is_in, start, way, param and room, of a view also the cell_state, of a frame
/// the mass.
CN_API cn_sample cn_sample_of_view(const cn_view *view);
CN_API cn_sample cn_sample_of_frame(const cn_frame *frame);

/// The volume that a selection fills [m3], an area in the plane [m2]: what is given; for 0 that of
/// the periodic cell, else of the box along the axes whose sides other bodies press, NaN if one is
/// open.
CN_API double cn_sample_volume(const cn_sample *sample, double given);

/// Volume of the parts of a body together [m3], in the plane their area [m2]; NaN if it has none.
/// Either shapes or solids are given.
CN_API double cn_content(const cn_shape_def *shape, const cn_solid_def *solid, int count);

/// The same of a rigid body of a result.
CN_API double cn_reader_content(const cn_reader *reader, cn_body_id id);

/// A quantity of a sample: some numbers with names.
typedef struct cn_analysis {
    const char *name, *help;
    int param_count;
    const cn_param *param;     ///< what a user may choose, numbers with defaults
    bool takes_content;        ///< cn_sample.content is needed
    bool takes_way;            ///< cn_sample.start and way are needed
    const char *plane, *space; ///< names of its numbers, separated by blanks
    void (*find)(const cn_sample *sample, double *out);
} cn_analysis;

/// The quantities, k from 0 on; NULL beyond the last, or if none has the name.
CN_API const cn_analysis *cn_analysis_at(int k);
CN_API const cn_analysis *cn_analysis_named(const char *name);

#define CN_ANALYSIS_MOST 16      ///< numbers of a quantity at most
#define CN_ANALYSIS_PARAM_MOST 4 ///< likewise of what it may be given

typedef struct cn_analyse_def {
    const char *what; ///< name of a quantity
    const char *of;   ///< bodies as the scene names them; NULL: all that nothing holds or drives
    int param_count;
    const char *const *param; ///< "name=number" of what differs from the defaults
    int from; ///< frame that ways are counted from; below 0: from the last one backwards
} cn_analyse_def;

/// A quantity in every frame of a result, as a table of text: a header, then a line of comma
/// separated numbers each. *table belongs to the caller, who frees it.
CN_API cn_status cn_analyse(cn_reader *reader, const cn_analyse_def *def, char **table,
                            cn_error *err);

#ifdef __cplusplus
}
#endif
