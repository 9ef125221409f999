// picture/paint_meshes.c -- deformable bodies in the plane: elements filled by group or by
// the mean of a field over their nodes, thin edges, principal stresses as crosses.
#include <math.h>

#include "picture/render.h"

enum { OUTLINE_MAX = 8 };

// Nodes of an element around it, middles between corners. Returns how many.
static int outline(const cn_mesh_def *mesh, int e, int node[OUTLINE_MAX])
{
    const int *from = mesh->element_node + mesh->element_start[e];
    int count = mesh->element_start[e + 1] - mesh->element_start[e];
    bool has_middles = mesh->type[e] == CN_TRI6 || mesh->type[e] == CN_QUAD8;
    int corners = has_middles ? count / 2 : count;
    for (int k = 0; k < count && k < OUTLINE_MAX; k++) {
        node[k] = has_middles ? from[k / 2 + (k % 2) * corners] : from[k];
    }
    return count < OUTLINE_MAX ? count : OUTLINE_MAX;
}

static double element_area(const cn_figure *f, int e)
{
    int node[OUTLINE_MAX], count = outline(&f->mesh, e, node);
    double area = 0.0;
    for (int k = 0; k < count; k++) {
        const double *a = f->x + 2 * node[k], *b = f->x + 2 * node[(k + 1) % count];
        area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
    }
    return fabs(area);
}

void cn_figure_measure_mesh(cn_figure *f)
{
    double area = 0.0;
    f->box[0] = f->box[1] = INFINITY;
    f->box[2] = f->box[3] = -INFINITY;
    for (int n = 0; n < f->nodes->node_count; n++) {
        for (int d = 0; d < 2; d++) {
            f->box[d] = fmin(f->box[d], f->x[2 * n + d]);
            f->box[2 + d] = fmax(f->box[2 + d], f->x[2 * n + d]);
        }
    }
    for (int e = 0; e < f->mesh.element_count; e++) {
        area += element_area(f, e);
    }
    f->size = sqrt(area);
    f->perimeter = 4.0 * f->size;
}

double cn_figure_node_value(cn_paint paint, const cn_figure *f, int n)
{
    int dim = f->mesh.dim;
    if (paint == CN_PAINT_DISPLACEMENT) {
        double sum = 0.0;
        for (int d = 0; d < dim; d++) {
            double u = f->nodes->x[dim * n + d] - f->mesh.node[dim * n + d];
            sum += u * u;
        }
        return sqrt(sum);
    }
    return f->nodes->stress != NULL ? cn_stress_mises(f->nodes->stress + 6 * n) : NAN;
}

double cn_figure_element_value(cn_paint paint, const cn_figure *f, int e)
{
    double sum = 0.0;
    int first = f->mesh.element_start[e], last = f->mesh.element_start[e + 1];
    for (int k = first; k < last; k++) {
        sum += cn_figure_node_value(paint, f, f->mesh.element_node[k]);
    }
    return sum / (last - first);
}

// Principal stresses of the mean over the nodes, and the direction of the first.
static void principal(const cn_figure *f, int e, double value[2], double *angle)
{
    double s[3] = {0.0};
    int first = f->mesh.element_start[e], last = f->mesh.element_start[e + 1];
    for (int k = first; k < last; k++) {
        const double *at = f->nodes->stress + 6 * f->mesh.element_node[k];
        s[0] += at[0] / (last - first);
        s[1] += at[1] / (last - first);
        s[2] += at[3] / (last - first);
    }
    double mean = 0.5 * (s[0] + s[1]), half = 0.5 * (s[0] - s[1]), radius = hypot(half, s[2]);
    value[0] = mean + radius;
    value[1] = mean - radius;
    *angle = 0.5 * atan2(s[2], half);
}

double cn_figure_stress_max(const cn_figure *f)
{
    double most = 0.0;
    for (int e = 0; f->nodes->stress != NULL && e < f->mesh.element_count; e++) {
        double value[2], angle;
        principal(f, e, value, &angle);
        most = fmax(most, fmax(fabs(value[0]), fabs(value[1])));
    }
    return most;
}

// Bars along the principal directions, as long as their stresses: pressure dark, tension in the
// colour of alarm.
static void paint_cross(const cn_render_plan *plan, const cn_figure *f, int e, cn_canvas *canvas)
{
    double value[2], angle, middle[2] = {0.0}, at[2];
    int node[OUTLINE_MAX], count = outline(&f->mesh, e, node);
    for (int k = 0; k < count; k++) {
        middle[0] += f->x[2 * node[k]] / count;
        middle[1] += f->x[2 * node[k] + 1] / count;
    }
    principal(f, e, value, &angle);
    cn_plan_pixel(plan, middle[0], middle[1], at);
    double length = 0.5 * sqrt(element_area(f, e)) * plan->scale;
    for (int k = 0; k < 2; k++, angle += 0.5 * CN_PI) {
        double reach = length * fabs(value[k]) / (plan->value_max > 0.0 ? plan->value_max : 1.0);
        double dx = reach * cos(angle), dy = -reach * sin(angle);
        cn_canvas_line(canvas, at[0] - dx, at[1] - dy, at[0] + dx, at[1] + dy, 1.3 * plan->ui,
                       value[k] > 0.0 ? cn_tone_alarm() : cn_tone_ink());
    }
}

void cn_paint_mesh(const cn_render_plan *plan, const cn_figure *f, cn_canvas *canvas)
{
    cn_paint paint = plan->def->paint;
    bool is_field = paint == CN_PAINT_DISPLACEMENT || paint == CN_PAINT_MISES;
    double shade = paint == CN_PAINT_PRINCIPAL ? 0.2 : 0.45; // crosses stand out
    double range = plan->value_max > 0.0 ? plan->value_max : 1.0;
    for (int pass = 0; pass < 2; pass++) { // all fills, then all edges
        for (int e = 0; e < f->mesh.element_count; e++) {
            int node[OUTLINE_MAX], count = outline(&f->mesh, e, node);
            double xy[2 * OUTLINE_MAX];
            for (int k = 0; k < count; k++) {
                cn_plan_pixel(plan, f->x[2 * node[k]], f->x[2 * node[k] + 1], xy + 2 * k);
            }
            cn_colour fill = cn_plan_fill(plan, f);
            if (is_field) {
                fill = cn_scale_at(&plan->colours, cn_figure_element_value(paint, f, e) / range);
            }
            if (pass == 0) {
                cn_canvas_polygon(canvas, count, xy, fill);
                continue;
            }
            double size = sqrt(element_area(f, e)) * plan->scale;
            cn_cover_polyline(canvas, count, xy, fmin(0.7 * plan->ui, 0.06 * size), true);
            cn_canvas_paint(canvas, cn_colour_mix(fill, cn_tone_ink(), shade));
        }
    }
    for (int e = 0;
         paint == CN_PAINT_PRINCIPAL && f->nodes->stress != NULL && e < f->mesh.element_count;
         e++) {
        paint_cross(plan, f, e, canvas);
    }
}
