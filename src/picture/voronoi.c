// picture/voronoi.c -- see voronoi.h. Each cell is the hull, cut by the bisectors with the other
// points, nearest along x first, until none can reach it any more.
#include "picture/voronoi.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void cn_cells_free(cn_cells *cells)
{
    CN_RELEASE(cells->start, cells->corner);
    *cells = (cn_cells){0};
}

// Twice the area of a triangle, positive if it turns to the left.
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Convex hull of points that ascend along x, counterclockwise; room for 2 count + 2 corners.
// Returns their number.
static int hull_of(int count, const double *xy, double *hull)
{
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        int first = n;
        for (int k = 0; k < count; k++) {
            const double *p = xy + 2 * (pass == 0 ? k : count - 1 - k);
            while (n >= first + 2 && turn(hull + 2 * (n - 2), hull + 2 * (n - 1), p) <= 0.0) {
                n--;
            }
            memcpy(hull + 2 * n++, p, 2 * sizeof *p);
        }
        n--; // the next pass begins there
    }
    return n;
}

static double area_of(int count, const double *corner)
{
    double sum = 0.0;
    for (int k = 1; k + 1 < count; k++) {
        sum += 0.5 * turn(corner, corner + 2 * k, corner + 2 * k + 2);
    }
    return sum;
}

double cn_cells_area(const cn_cells *cells, int k)
{
    return area_of(cells->start[k + 1] - cells->start[k], cells->corner + 2 * cells->start[k]);
}

// How much nearer x is to p than to q, times a constant.
static double nearer(const double *x, const double *p, const double *q)
{
    double middle[2] = {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])};
    return (x[0] - middle[0]) * (p[0] - q[0]) + (x[1] - middle[1]) * (p[1] - q[1]);
}

// Keeps what is nearer to p than to q; `room` takes the old corners.
static int cut(int count, double *corner, double *room, const double *p, const double *q)
{
    int kept = 0;
    memcpy(room, corner, 2 * sizeof *corner * (size_t)count);
    for (int k = 0; k < count; k++) {
        const double *a = room + 2 * k, *b = room + 2 * ((k + 1) % count);
        double da = nearer(a, p, q), db = nearer(b, p, q);
        if (da >= 0.0) {
            memcpy(corner + 2 * kept++, a, 2 * sizeof *a);
        }
        if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) {
            double t = da / (da - db);
            corner[2 * kept] = a[0] + t * (b[0] - a[0]);
            corner[2 * kept++ + 1] = a[1] + t * (b[1] - a[1]);
        }
    }
    return kept;
}

// Largest distance of the corners of a cell from its point.
static double reach_of(int count, const double *corner, const double *p)
{
    double reach = 0.0;
    for (int k = 0; k < count; k++) {
        reach = fmax(reach, hypot(corner[2 * k] - p[0], corner[2 * k + 1] - p[1]));
    }
    return reach;
}

// The cell of point i, which is the hull at first. Returns the number of its corners.
static int find_cell(int count, const double *xy, int i, int corners, double *corner, double *room)
{
    const double *p = xy + 2 * i;
    double reach = reach_of(corners, corner, p);
    bool is_open[2] = {true, true};
    for (int step = 1; is_open[0] || is_open[1]; step++) {
        for (int side = 0; side < 2; side++) {
            int j = side == 0 ? i - step : i + step;
            const double *q = xy + 2 * j;
            is_open[side] =
                is_open[side] && j >= 0 && j < count && fabs(q[0] - p[0]) <= 2.0 * reach;
            if (is_open[side] && hypot(q[0] - p[0], q[1] - p[1]) <= 2.0 * reach) {
                corners = cut(corners, corner, room, p, q);
                reach = reach_of(corners, corner, p);
            }
        }
    }
    return corners;
}

// All cells, with hull, work and old corners behind each other in `work`.
static cn_status find_cells(int count, const double *xy, double *work, cn_cells *cells,
                            cn_error *err)
{
    size_t width = 2 * (2 * (size_t)count + 2);
    double *corner = work + width, *room = work + 2 * width;
    int hull = hull_of(count, xy, work), total = 0;
    bool is_flat = hull < 3;
    for (int k = 0; k < count; k++) {
        cells->start[k] = total;
        if (is_flat) {
            continue;
        }
        memcpy(corner, work, 2 * sizeof *work * (size_t)hull);
        int corners = find_cell(count, xy, k, hull, corner, room);
        CN_TRY(cn_reserve(NULL, &cells->corner, &cells->corner_capacity,
                          2 * (size_t)(total + corners), err));
        memcpy(cells->corner + 2 * total, corner, 2 * sizeof *corner * (size_t)corners);
        total += corners;
    }
    cells->start[count] = total;
    return CN_OK;
}

cn_status cn_cells_find(int count, const double *xy, cn_cells *cells, cn_error *err)
{
    double *work = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, &cells->start, &cells->start_capacity, (size_t)count + 1, err));
    cn_status status = cn_reserve(NULL, &work, &capacity, 6 * (2 * (size_t)count + 2), err);
    CN_THEN(status, find_cells(count, xy, work, cells, err));
    cn_release(NULL, work);
    return status;
}
