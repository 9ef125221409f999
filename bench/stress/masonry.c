// tests/problems.c -- walls, towers and arches as bare contact problems.
#include "masonry.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *memory, size_t count, size_t size)
{
    void *bigger = realloc(memory, count > 0 ? count * size : 1);
    if (bigger == NULL) {
        fprintf(stderr, "no memory for a contact problem of masonry\n");
        exit(EXIT_FAILURE);
    }
    return bigger;
}

// Uniform in [0, 1), the same on every machine.
static double draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t x = (*state ^ (*state >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

#define GROW(array, count) ((array) = grow((array), (size_t)(count), sizeof *(array)))

made *made_create(int dim)
{
    made *m = grow(NULL, 1, sizeof *m);
    *m = (made){.dim = dim};
    return m;
}

void made_destroy(made *m)
{
    void *owned[] = {m->position, m->mass,      m->inertia,     m->v_free,
                     m->body,     m->point,     m->normal,      m->mu,
                     m->G,        m->row_start, m->dof_start,   m->u_free,
                     m->kind,     m->problem.r, m->block_start, m};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        free(owned[k]);
    }
}

static int add_body(made *m, const double center[3], double mass, const double inertia[3])
{
    if (m->body_count == m->body_capacity) {
        m->body_capacity = 2 * m->body_capacity + 16;
        GROW(m->position, 3 * m->body_capacity);
        GROW(m->mass, m->body_capacity);
        GROW(m->inertia, 3 * m->body_capacity);
    }
    memcpy(m->position + 3 * m->body_count, center, 3 * sizeof(double));
    memcpy(m->inertia + 3 * m->body_count, inertia, 3 * sizeof(double));
    m->mass[m->body_count] = mass;
    return m->body_count++;
}

int made_box(made *m, const double center[3], const double size[3], double density)
{
    double depth = m->dim == 3 ? size[1] : 1.0;
    double mass = density * size[0] * depth * size[2];
    double xx = size[0] * size[0], yy = size[1] * size[1], zz = size[2] * size[2];
    const double inertia[3] = {mass * (yy + zz) / 12.0, mass * (xx + zz) / 12.0,
                               mass * (xx + yy) / 12.0};
    return add_body(m, center, mass, inertia);
}

void made_contact(made *m, int i, int j, const double point[3], const double normal[3], double mu)
{
    if (m->contact_count == m->contact_capacity) {
        m->contact_capacity = 2 * m->contact_capacity + 64;
        GROW(m->body, 2 * m->contact_capacity);
        GROW(m->point, 3 * m->contact_capacity);
        GROW(m->normal, 3 * m->contact_capacity);
        GROW(m->mu, m->contact_capacity);
    }
    int a = m->contact_count++;
    m->body[2 * a] = i;
    m->body[2 * a + 1] = j;
    m->mu[a] = mu;
    memcpy(m->point + 3 * a, point, 3 * sizeof(double));
    memcpy(m->normal + 3 * a, normal, 3 * sizeof(double));
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// Normal, then tangents: in the plane the one in x and z.
static void frame_of(const made *m, int a, double frame[3][3])
{
    const double *n = m->normal + 3 * a;
    const double y[3] = {0.0, 1.0, 0.0};
    memcpy(frame[0], n, 3 * sizeof(double));
    cross(y, n, frame[1]); // no normal here is along y
    cross(n, frame[1], frame[2]);
}

// Writes G = A^-1/2 H of one side and adds H^T v_free to u.
static void fill_side(made *m, int a, int side)
{
    int body = m->body[2 * a + side], dof = m->dim == 3 ? 6 : 3;
    double *G = m->G + m->block_start[2 * a + side], *u = m->u_free + m->dim * a;
    if (body < 0) {
        return;
    }
    double frame[3][3], arm[3], sign = side == 0 ? 1.0 : -1.0;
    frame_of(m, a, frame);
    for (int d = 0; d < 3; d++) {
        arm[d] = m->point[3 * a + d] - m->position[3 * body + d];
    }
    const double *v = m->v_free + dof * body, *inertia = m->inertia + 3 * body;
    for (int k = 0; k < m->dim; k++) {
        double moment[3], H[6];
        cross(arm, frame[k], moment);
        if (m->dim == 3) {
            memcpy(H, frame[k], sizeof frame[k]);
            memcpy(H + 3, moment, sizeof moment);
        } else {
            H[0] = frame[k][0];
            H[1] = frame[k][2];
            H[2] = moment[1];
        }
        for (int d = 0; d < dof; d++) {
            double inert = d < m->dim ? m->mass[body] : inertia[m->dim == 3 ? d - 3 : 1];
            u[k] += sign * H[d] * v[d];
            G[dof * k + d] = sign * H[d] / sqrt(inert);
        }
    }
}

void made_finish(made *m, double push, double noise)
{
    int dof = m->dim == 3 ? 6 : 3, block = m->dim * dof;
    GROW(m->v_free, dof * m->body_count);
    GROW(m->dof_start, m->body_count + 1);
    GROW(m->row_start, m->contact_count + 1);
    GROW(m->block_start, 2 * m->contact_count);
    GROW(m->G, 2 * block * m->contact_count);
    GROW(m->u_free, m->dim * m->contact_count);
    GROW(m->kind, m->contact_count);
    GROW(m->problem.r, m->dim * m->contact_count);
    uint64_t random = 1;
    for (int i = 0; i < m->body_count; i++) {
        m->dof_start[i] = dof * i;
        for (int d = 0; d < dof; d++) {
            m->v_free[dof * i + d] = noise * (draw(&random) - 0.5) + (d == 0 ? push : 0.0) -
                                     (d == m->dim - 1 ? 1.0 : 0.0);
        }
    }
    m->dof_start[m->body_count] = dof * m->body_count;
    for (int a = 0; a < m->contact_count; a++) {
        m->row_start[a] = m->dim * a;
        m->kind[a] = CN_CORE_CONE;
        for (int k = 0; k < m->dim; k++) {
            m->u_free[m->dim * a + k] = m->problem.r[m->dim * a + k] = 0.0;
        }
        for (int side = 0; side < 2; side++) {
            m->block_start[2 * a + side] = block * (2 * a + side);
            fill_side(m, a, side);
        }
    }
    m->row_start[m->contact_count] = m->dim * m->contact_count;
    m->problem = (cn_problem){
        .dim = m->dim,
        .contact_count = m->contact_count,
        .row_start = m->row_start,
        .W.factors = {m->body_count, m->dof_start, m->body, m->block_start, m->G},
        .u_free = m->u_free,
        .kind = m->kind,
        .mu = m->mu,
        .v_floor = 1.0,
        .r = m->problem.r,
    };
}

void made_face(made *m, int i, int j, const double from[3], const double to[3],
               const double normal[3], double mu)
{
    for (int k = 0; k < 2; k++) {
        for (int l = 0; l < (m->dim == 3 ? 2 : 1); l++) {
            const double *end = k == 0 ? from : to;
            const double point[3] = {end[0], m->dim == 3 ? (l == 0 ? from[1] : to[1]) : 0.0,
                                     end[2]};
            made_contact(m, i, j, point, normal, mu);
        }
    }
}

// One course of a wall: ends of its bricks along x, and their bodies.
typedef struct course {
    int count;
    double end[512];
    int body[512];
} course;

static void lay_course(made *m, const wall_def *def, int k, const course *below, course *row)
{
    const double up[3] = {0.0, 0.0, 1.0}, along[3] = {1.0, 0.0, 0.0};
    bool is_shifted = k % 2 == 1;
    row->count = def->columns + (is_shifted ? 1 : 0);
    for (int i = 0; i <= row->count; i++) {
        row->end[i] = fmin(fmax(2.0 * i - (is_shifted ? 1.0 : 0.0), 0.0), 2.0 * def->columns);
    }
    for (int i = 0; i < row->count; i++) {
        double left = row->end[i], right = row->end[i + 1];
        const double center[3] = {0.5 * (left + right), 0.0, k + 0.5};
        const double size[3] = {right - left, 1.0, 1.0};
        row->body[i] = made_box(m, center, size, 0.5);
        for (int j = 0; j < (k == 0 ? 1 : below->count); j++) {
            double from = k == 0 ? left : fmax(left, below->end[j]);
            double to = k == 0 ? right : fmin(right, below->end[j + 1]);
            if (to - from > 1e-9) {
                made_face(m, row->body[i], k == 0 ? -1 : below->body[j], (double[3]){from, -0.5, k},
                          (double[3]){to, 0.5, k}, up, def->mu);
            }
        }
        if (i > 0 && def->has_heads) {
            made_face(m, row->body[i], row->body[i - 1], (double[3]){left, -0.5, k},
                      (double[3]){left, 0.5, k + 1.0}, along, def->mu);
        }
    }
}

made *made_wall(const wall_def *def)
{
    made *m = made_create(def->dim);
    const double up[3] = {0.0, 0.0, 1.0};
    static course rows[2];
    for (int k = 0; k < def->courses; k++) {
        lay_course(m, def, k, &rows[(k + 1) % 2], &rows[k % 2]);
    }
    if (def->lintel > 0.0) {
        double width = 2.0 * def->columns;
        const double center[3] = {0.5 * width, 0.0, def->courses + 0.5};
        const double size[3] = {width, 1.0, 1.0};
        int top = made_box(m, center, size, def->lintel / width);
        const course *below = &rows[(def->courses + 1) % 2];
        for (int j = 0; j < below->count; j++) {
            made_face(m, top, below->body[j], (double[3]){below->end[j], -0.5, def->courses},
                      (double[3]){below->end[j + 1], 0.5, def->courses}, up, def->mu);
        }
    }
    made_finish(m, def->push, def->noise);
    return m;
}

made *made_tower(int dim, int n, double top, double mu)
{
    made *m = made_create(dim);
    const double up[3] = {0.0, 0.0, 1.0}, size[3] = {1.0, 1.0, 1.0};
    for (int k = 0; k < n + (top > 0.0 ? 1 : 0); k++) {
        const double center[3] = {0.0, 0.0, k + 0.5};
        made_box(m, center, size, k == n ? top : 1.0);
        made_face(m, k, k - 1, (double[3]){-0.5, -0.5, k}, (double[3]){0.5, 0.5, k}, up, mu);
    }
    made_finish(m, 0.0, 0.0);
    return m;
}

made *made_arch(int dim, int n, double radius, double thickness, double mu)
{
    made *m = made_create(dim);
    double width = CN_PI * radius / n, depth = 1.5, mass = width * thickness * depth;
    double about = mass * (width * width + thickness * thickness) / 12.0;
    const double inertia[3] = {about, about, about};
    double inner = radius - 0.5 * thickness, outer = radius + 0.5 * thickness;
    for (int k = 0; k < n; k++) {
        double angle = CN_PI * (k + 0.5) / n;
        const double center[3] = {radius * cos(angle), 0.0, radius * sin(angle)};
        add_body(m, center, mass, inertia);
    }
    for (int k = 0; k <= n; k++) { // the last joint is with the far abutment, seen from the stone
        double angle = CN_PI * k / n, sign = k < n ? 1.0 : -1.0;
        const double normal[3] = {-sign * sin(angle), 0.0, sign * cos(angle)};
        const double from[3] = {inner * cos(angle), -0.5 * depth, inner * sin(angle)};
        const double to[3] = {outer * cos(angle), 0.5 * depth, outer * sin(angle)};
        made_face(m, k < n ? k : n - 1, k < n ? k - 1 : -1, from, to, normal, mu);
    }
    made_finish(m, 0.0, 0.0);
    return m;
}

made *made_kapla(int levels, double mu)
{
    made *m = made_create(3);
    const double up[3] = {0.0, 0.0, 1.0}, pitch = 6.0;
    for (int k = 0; k < levels; k++) {
        for (int n = -1; n <= 1; n++) {
            bool is_along_x = k % 2 == 0;
            double side = pitch * n;
            const double center[3] = {is_along_x ? 0.0 : side, is_along_x ? side : 0.0, k + 0.5};
            const double size[3] = {is_along_x ? 15.0 : 3.0, is_along_x ? 3.0 : 15.0, 1.0};
            int body = made_box(m, center, size, 1.0 / 45.0);
            for (int l = -1; l <= 1; l++) { // crossings with the planks below
                double x = is_along_x ? pitch * l : side, y = is_along_x ? side : pitch * l;
                made_face(m, body, k == 0 ? -1 : body - n - 3 + l, (double[3]){x - 1.5, y - 1.5, k},
                          (double[3]){x + 1.5, y + 1.5, k}, up, mu);
            }
        }
    }
    made_finish(m, 0.0, 0.02);
    return m;
}

made *made_table(int n, int height, double top, double mu)
{
    made *m = made_create(3);
    const double up[3] = {0.0, 0.0, 1.0}, unit[3] = {1.0, 1.0, 1.0}, pitch = 1.5;
    double width = pitch * n;
    const double center[3] = {0.5 * width, 0.5 * width, height + 0.5};
    const double size[3] = {width, width, 1.0};
    int slab = made_box(m, center, size, top / (width * width));
    for (int k = 0; k < n * n * height; k++) {
        int level = k % height, column = k / height;
        double x = pitch * (column % n + 0.5), y = pitch * (column / n + 0.5);
        const double at[3] = {x, y, level + 0.5};
        int body = made_box(m, at, unit, 1.0);
        const double from[3] = {x - 0.5, y - 0.5, level}, to[3] = {x + 0.5, y + 0.5, level};
        made_face(m, body, level == 0 ? -1 : body - 1, from, to, up, mu);
        if (level == height - 1) {
            made_face(m, slab, body, (double[3]){from[0], from[1], height},
                      (double[3]){to[0], to[1], height}, up, mu);
        }
    }
    made_finish(m, 0.1, 0.02);
    return m;
}
