/// cairn/picture.h -- pictures of results without any display: PNG renders, SVG and PNG plots.
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cn_paint {
    CN_PAINT_GROUP = 0, ///< one quiet colour per group
    CN_PAINT_VELOCITY,  ///< speed of the mass centre
    CN_PAINT_PRESSURE,  ///< sum of normal forces on the body over its perimeter or surface
    CN_PAINT_OPENING,   ///< joints that were closed in frame 0 by how far they have opened, on pale
                        ///< bodies and without forces; joints wider than half a body are left out
    CN_PAINT_DAMAGE,    ///< joints of laws that bond by their damage, 1 where nothing holds any
                        ///< more, likewise; of rigid bodies
    CN_PAINT_DISPLACEMENT, ///< of the nodes of deformable bodies
    CN_PAINT_MISES,        ///< von Mises stress of deformable bodies
    CN_PAINT_PRINCIPAL,    ///< principal stresses of deformable bodies as crosses: in every element
                           ///< in the plane, on every face of the surface in space
    CN_PAINT_SPREAD,       ///< forces as thick as their mean over several solutions and coloured by
                           ///< their range, on pale bodies; needs `spread`
    CN_PAINT_COUNT
} cn_paint;

/// Normal forces of the contacts of a frame over several solutions (cairn/spread.h).
typedef struct cn_force_spread {
    int count;           ///< contacts of the frame
    const double *mean;  ///< [N]
    const double *range; ///< largest less least [N]
} cn_force_spread;

typedef struct cn_render_def {
    int frame;         ///< negative: from the end
    int width, height; ///< [pixel]; height 0 follows from the view
    cn_paint paint;
    bool with_forces;   ///< lines of thickness proportional to the impulse along each normal
    bool with_thrust;   ///< the line of thrust of bodies pressed on two sides, in place of them
    bool with_legend;   ///< title, time, colour bar with range and unit, scale bar
    bool has_view;      ///< else free bodies, drums and near ground with a margin
    double view[6];     ///< x_min, y_min, x_max, y_max; in space x_min, y_min, z_min, x_max, y_max,
                        ///< z_max, which the camera takes in from where it stands [m]
    double azimuth;     ///< in space, where the camera stands: 0 in +x, pi/2 in +y [rad]
    double elevation;   ///< in space, of the camera above the horizon [rad]
    double view_angle;  ///< in space, of the height of the picture; 0: parallel rays [rad]
    bool is_turning;    ///< in space: pictures from every azimuth have one scale and one centre
    double value_max;   ///< at the dark end of the colours; 0: the largest of the frame [m/s, ...]
    double force_scale; ///< thickness in metres per newton; 0: the largest is 1/3 (in space 1/5)
                        ///< of a mean body
    const cn_force_spread *spread; ///< for CN_PAINT_SPREAD
    double magnify; ///< of the way of the nodes of deformable bodies from where they were at rest;
                    ///< 1: none; forces are left out else [-]
} cn_render_def;

CN_API cn_render_def cn_render_def_default(void);
CN_API const char *cn_paint_name(cn_paint paint);
CN_API cn_status cn_render(cn_reader *reader, const cn_render_def *def, const char *png_path,
                           cn_error *err);

/// What the pictures of a sequence share, so that neither the view, the colours nor the size jump.
typedef struct cn_render_range {
    bool has_view;
    double view[6]; ///< as in cn_render_def
    double value_max;
    int height; ///< [pixel]
} cn_render_range;

/// Widens `range` (zero before the first frame) by what a picture of frame def->frame would show.
CN_API cn_status cn_render_measure(cn_reader *reader, const cn_render_def *def,
                                   cn_render_range *range, cn_error *err);

#define CN_PLOT_RADIUS 3 ///< axis of a profile over the distance from the z axis

typedef enum cn_curve_style {
    CN_CURVE_LINE = 0,
    CN_CURVE_DASHED, ///< references and tolerances
    CN_CURVE_DOTS    ///< measured points
} cn_curve_style;

/// Plain x-y chart for reports of our own (validation figures, benchmarks). A value that is not
/// finite, or not positive on a logarithmic axis, leaves a gap. Long curves are thinned to what the
/// picture can show, keeping every peak; .csv files keep all values.
typedef struct cn_curve {
    const char *name;
    int count;
    const double *x, *y;
    cn_curve_style style;
} cn_curve;

typedef struct cn_chart_def {
    const char *title, *x_label, *y_label; ///< labels with their unit, e.g. "energy [J]"
    int curve_count;
    const cn_curve *curve;
    bool log_y, log_x;
    double x_range[2], y_range[2]; ///< equal ends: what the curves need
    int width, height;             ///< 0: 960 x 540
} cn_chart_def;

/// How a chart looks where it is not to be as usual: all zero changes nothing.
typedef struct cn_chart_look {
    const char *title, *x_label, *y_label; ///< NULL: the usual ones
    double x_range[2], y_range[2];         ///< equal ends: what the curves need
    bool log_x, log_y;
    int width, height; ///< pixels, also of SVG; 0: 960 x 540
} cn_chart_look;

/// A number with a name, for formulas.
typedef struct cn_plot_number {
    const char *name;
    double value;
} cn_plot_number;

/// What a plot shows. Curves of the step history against time, or against another column:
///   "energy", "residual", "sweeps", "penetration", "contacts", or a comma-separated list of
///   columns and of formulas of them, "axial.fy / width", in the grammar of scenes. Observers may
///   leave out the "series/" of their columns.
/// What frames hold (cn_plot_is_of_frames):
///   "forces"          distribution of normal contact forces over their mean, with its tail;
///   "rose"            orientations of contact normals, as petals or on the hemisphere; both
///                     without contacts of walls, which are rigid bodies of which a translation is
///                     held or driven;
///   "profile"         mean velocity of bodies (by mass) in slices across the axis, or in rings;
///   "fraction"        solid fraction of the same, disks or balls of the content of each body cut
///                     exactly; layers reach as far as the cell does, else as the bodies;
///   "reaction"        force of contacts and joints on a body over its displacement, from frame 0;
///   "pressure"        in the plane: normal forces on the bodies of a group, each over half the
///                     distances to its neighbours along x (or y, if they spread more along it),
///                     one curve for every group that touches it [Pa]; in space: a map of the
///                     forces between two bodies, each over the part of the hull of their points
///                     that is nearest to it [Pa], or of forces where points make no area [N].
typedef struct cn_plot_def {
    const char *what;
    double from, until;  ///< of the history [s]
    const char *against; ///< column or formula instead of time, e.g. a displacement under a force;
                         ///< NULL: time
    const char *beside; ///< CSV file of curves to draw dashed (not with a rose): names in its first
                        ///< line, x in its first column; NULL: none
    int frame;          ///< the last one of those taken together, negative: from the end
    int frame_count;    ///< frames up to it
    int bins;           ///< 0: a suitable number
    int axis;           ///< of profile, fraction and reaction: 0 x, 1 y, 2 z; -1: the vertical one;
                        ///< of the first two CN_PLOT_RADIUS, too; of a map of pressures the one
                        ///< along which it is seen, -1: that of most force
    const char *body; ///< name of bodies in the scene: for profile those that count (NULL: all that
                      ///< are free), for reaction the driven one, for pressure those pressed
    bool with_walls;  ///< forces and rose count contacts of walls, too
    cn_chart_look look; ///< of all but a rose and a map of pressures
    int number_count;   ///< names that formulas may use besides columns
    const cn_plot_number *number;
    /// Gets the chart in place of a file, e.g. to draw it by other means: `path` is not read then.
    /// What it points to lasts as long as the call. Not for a rose nor for a map of pressures.
    void (*take)(void *context, const cn_chart_def *chart);
    void *take_context;
    int run_count; ///< further results, drawn into the same chart (plots of the history only)
    cn_reader *const *run;
    const char *const *run_name; ///< 1 + run_count names of curves, that of `reader` first; NULL:
                                 ///< titles of the runs
} cn_plot_def;

/// The whole history, the last frame, the vertical axis.
CN_API cn_plot_def cn_plot_def_default(const char *what);

/// The ending of `path` (.svg, .png or .csv) decides the format.
CN_API cn_status cn_plot(cn_reader *reader, const cn_plot_def *def, const char *path,
                         cn_error *err);

CN_API bool cn_plot_is_of_frames(const char *what);

/// The names of plots of the history besides columns, NULL at the end.
CN_API const char *const *cn_plot_names(void);

/// Columns of a table (.csv with a line of names, such as that of a study) against another of its
/// columns (NULL: the first), as points. Fields that are no numbers leave gaps.
CN_API cn_status cn_plot_table(const char *csv_path, const char *what, const char *against,
                               const char *path, cn_error *err);

/// The ending of `path` (.svg, .png or .csv) decides the format.
CN_API cn_status cn_chart(const cn_chart_def *def, const char *path, cn_error *err);

#ifdef __cplusplus
}
#endif
