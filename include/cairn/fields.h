/// cairn/fields.h -- fields of the continuum by coarse graining: density, momentum and stress at
/// any point, made of bodies and contacts by a kernel, so that they obey the balance of momentum at
/// every point and for every width of the kernel (theory chapter 14).
#pragma once

#include "cairn/analyse.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Points of a regular grid: low + k step along each axis, x fastest. In the plane count[2] is 1.
typedef struct cn_grid {
    double low[3], step[3]; ///< [m]
    int count[3];
} cn_grid;

/// At one point; in the plane per area. Pressure positive. In a periodic cell velocities are those
/// relative to it.
typedef struct cn_field_values {
    double density;     ///< [kg/m3]
    double fraction;    ///< of the volume that is solid; NaN if volumes of bodies are not known [-]
    double momentum[3]; ///< density times velocity [kg/m2/s]
    double contact[9];  ///< stress of contacts, row by row [Pa]
    double kinetic[9];  ///< stress of what moves relative to the mean at the point [Pa]
    double wall[3];     ///< force of what is not selected, per volume [N/m3]
} cn_field_values;

/// Fills `field`, one entry for each point of the grid, with a Gaussian of this width (its standard
/// deviation) [m]. The sample needs mass, is_in, and cell_state if it has a cell; where it has no
/// forces, the stress of contacts and the force of walls are NaN. CN_BAD_INPUT if the width is not
/// > 0 or the grid has no points.
CN_API cn_status cn_coarse_grain(const cn_sample *sample, double width, const cn_grid *grid,
                                 cn_field_values *field, cn_error *err);

typedef struct cn_fields_def {
    const char *of; ///< bodies as the scene names them; NULL: all that nothing holds or drives
    double width;   ///< [m]; 0: 1.5 mean diameters of the bodies
    int count[3];   ///< points along each axis; 0: about two per width
    bool has_box;   ///< else that of the cell, or around the mass centres of the bodies
    double low[3], high[3]; ///< of the box, in whose equal parts the points are in the middle [m]
    int frame;              ///< of the result, negative from the end
    int frame_count;        ///< frames up to that one whose fields are averaged; 0: one
    bool is_image;          ///< VTK image data (.vti) instead of lines of comma-separated values
} cn_fields_def;

/// Fields of a result as text, which belongs to the caller, who frees it. CN_BAD_INPUT with a
/// remedy if there are no such bodies, or the grid or the width cannot be found.
CN_API cn_status cn_fields(cn_reader *reader, const cn_fields_def *def, char **text, cn_error *err);

#ifdef __cplusplus
}
#endif
