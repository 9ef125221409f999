// analyse/pairs.c -- contacts by pairs of bodies, and tensors made of them.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

static bool is_same_pair(const cn_contact *a, const cn_contact *b)
{
    return a->i == b->i && a->j == b->j && memcmp(a->shift, b->shift, sizeof a->shift) == 0;
}

static cn_vec3 normal_of(const cn_sample *s, const cn_contact *c)
{
    return cn_v3(c->normal[0], c->normal[1], s->dim == 3 ? c->normal[2] : 0.0);
}

bool cn_sample_next_pair(const cn_sample *s, int *a, cn_sample_pair *pair)
{
    if (*a >= s->contact_count) {
        return false;
    }
    const cn_contact *first = &s->contact[*a];
    *pair = (cn_sample_pair){.i = first->i, .j = first->j, .is_sliding = true};
    memcpy(pair->shift, first->shift, sizeof pair->shift);
    cn_vec3 normal = cn_v3(0.0, 0.0, 0.0);
    for (; *a < s->contact_count && is_same_pair(first, &s->contact[*a]); ++*a) {
        const cn_contact *c = &s->contact[*a];
        pair->force = cn_add3(pair->force, cn_sample_force(s, c));
        if (cn_is_pressed(c)) {
            normal = cn_add_mul3(normal, c->r[0], normal_of(s, c));
            pair->is_pressed = true;
            pair->is_sliding = pair->is_sliding && c->status == CN_STATUS_SLIDE;
        }
    }
    double length = cn_norm3(normal);
    pair->normal = length > 0.0 ? cn_mul3(1.0 / length, normal) : normal_of(s, first);
    pair->f_n = cn_dot3(pair->force, pair->normal);
    pair->f_t = cn_norm3(cn_add_mul3(pair->force, -pair->f_n, pair->normal));
    cn_vec3 image = cn_add3(cn_sample_centre(s, first->j), cn_sample_image(s, first));
    pair->branch = cn_sub3(cn_sample_centre(s, first->i), image);
    return true;
}

bool cn_sample_next_inner(const cn_sample *s, int *a, cn_sample_pair *pair)
{
    while (cn_sample_next_pair(s, a, pair)) {
        if (pair->is_pressed && s->is_in[pair->i] && s->is_in[pair->j]) {
            return true;
        }
    }
    return false;
}

double cn_sample_mean_force(const cn_sample *s)
{
    cn_sample_pair p;
    double sum = 0.0;
    int count = 0;
    for (int a = 0; cn_sample_next_inner(s, &a, &p); count++) {
        sum += p.f_n;
    }
    return count > 0 ? sum / count : NAN;
}

void cn_add_dyad(double k, cn_vec3 a, cn_vec3 b, double M[3][3])
{
    const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[i][j] += k * x[i] * y[j];
        }
    }
}

void cn_deviator_of(const double M[3][3], int dim, double D[3][3])
{
    double mean = (M[0][0] + M[1][1] + (dim == 3 ? M[2][2] : 0.0)) / dim;
    memset(D, 0, 9 * sizeof(double));
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            D[i][j] = 0.5 * (M[i][j] + M[j][i]) - (i == j ? mean : 0.0);
        }
    }
}

double cn_contract(const double A[3][3], const double B[3][3])
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++) {
        sum += A[k / 3][k % 3] * B[k / 3][k % 3];
    }
    return sum;
}

void cn_quotient(const double B[3][3], const double X[3][3], double L[3][3])
{
    double I[3][3];
    double sum = X[0][0] + X[1][1] + X[2][2], det = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int n = 0; n < 3; n++) { // adjugate, cyclic so that signs take care of themselves
            int p = (n + 1) % 3, q = (n + 2) % 3;
            I[n][i] = X[j][p] * X[k][q] - X[j][q] * X[k][p];
        }
    }
    for (int k = 0; k < 3; k++) {
        det += X[0][k] * I[k][0];
    }
    bool is_flat = !(det > 1e-12 * sum * sum * sum);
    for (int k = 0; k < 9; k++) {
        int a = k / 3, b = k % 3;
        L[a][b] = is_flat ? NAN : (B[a][0] * I[0][b] + B[a][1] * I[1][b] + B[a][2] * I[2][b]) / det;
    }
}
