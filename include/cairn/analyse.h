/// cairn/analyse.h -- from bodies to the continuum: stress, fabric and coordination of a selection
/// of bodies, at the end of a step or in a frame of a result (theory chapter 14).
#pragma once

#include "cairn/result.h"
#include "cairn/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies and contacts of one moment, some of the bodies selected. Arrays are borrowed.
typedef struct cn_sample {
    int dim;
    int body_count, contact_count;
    int q_size, v_size;  ///< entries of q and v of each body, as in cn_frame
    const double *q, *v; ///< as in cn_view
    const double *mass;  ///< of each body [kg]; NULL: not known, as what needs it is then (NaN)
    const cn_contact *contact;
    double h;           ///< step of the impulses [s]; 0: there was none, and no forces (NaN)
    const double *cell; ///< vectors of the periodic cell, as in cn_cell_state; NULL: none
    const bool *is_in;  ///< body_count: those that are selected
    double volume; ///< that the selection fills [m3], an area in the plane [m2]; 0: that of the
                   ///< periodic cell, else of the box along the axes whose sides other bodies
                   ///< press, NaN if one is open
    int *room;     ///< body_count numbers to work with
} cn_sample;

/// Bodies and contacts of a world or of a frame; is_in, volume and room are left to the caller, of
/// a frame also the mass.
CN_API cn_sample cn_sample_of_view(const cn_view *view);
CN_API cn_sample cn_sample_of_frame(const cn_frame *frame);

/// sample->volume, or that of the box.
CN_API double cn_sample_volume(const cn_sample *sample);

/// A quantity of a sample: some numbers with names.
typedef struct cn_analysis {
    const char *name, *help;
    const char *plane, *space; ///< names of its numbers, separated by blanks
    void (*find)(const cn_sample *sample, double *out);
} cn_analysis;

/// The quantities, k from 0 on; NULL beyond the last, or if none has the name.
CN_API const cn_analysis *cn_analysis_at(int k);
CN_API const cn_analysis *cn_analysis_named(const char *name);

#define CN_ANALYSIS_MOST 16 ///< numbers of a quantity at most

typedef struct cn_analyse_def {
    const char *what; ///< name of a quantity
    const char *of;   ///< bodies as the scene names them; NULL: all that nothing holds or drives
    double volume;    ///< as in cn_sample
} cn_analyse_def;

/// A quantity in every frame of a result, as a table of text: a header, then a line of comma
/// separated numbers each. *table belongs to the caller, who frees it.
CN_API cn_status cn_analyse(cn_reader *reader, const cn_analyse_def *def, char **table,
                            cn_error *err);

#ifdef __cplusplus
}
#endif
