// limit/hinges.c -- conjugate gradients of the least correction that closes all hinges (16.22).
#include "limit/hinges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"

static const double STAYS = 1e-3; // of the largest velocity: points that move slower stay together
static const double CLOSED = 1e-14; // of the smallest body: hinges that are closed
enum { AXES = 6, ROUNDS = 6, MORE_THAN_DOFS = 20 };

static cn_vec3 turned(int dim, const double *q, const double arm[3])
{
    if (dim == 2) {
        double c = cos(q[2]), s = sin(q[2]);
        return cn_v3(c * arm[0] - s * arm[1], s * arm[0] + c * arm[1], 0.0);
    }
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    return cn_mat3_mul(&R, cn_v3(arm[0], arm[1], arm[2]));
}

static void turned_back(int dim, const double *q, cn_vec3 arm, double local[3])
{
    double back[CN_PLACE] = {0.0, 0.0, dim == 2 ? -q[2] : 0.0, q[3], -q[4], -q[5], -q[6]};
    cn_vec3 x = turned(dim, back, (double[3]){arm.x, arm.y, arm.z});
    local[0] = x.x;
    local[1] = x.y;
    local[2] = x.z;
}

static cn_vec3 centre(int dim, const double *q)
{
    return cn_v3(q[0], q[1], dim == 3 ? q[2] : 0.0);
}

cn_status cn_hinges_find(const cn_limit_model *model, const cn_limit_answer *answer, double close,
                         double speed, const double *q, cn_hinges *hinges, cn_error *err)
{
    int dim = model->scene->dim;
    hinges->count = 0;
    hinges->body_count = model->view.body_count;
    if (hinges->room == NULL) {
        hinges->room = calloc(4 * AXES * (size_t)hinges->body_count + 1, sizeof *hinges->room);
    }
    CN_TRY(cn_reserve(NULL, &hinges->hinge, &hinges->capacity,
                      (size_t)answer->limit->contact_count + 1, err));
    if (hinges->room == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for hinges of %d bodies", hinges->body_count);
    }
    for (int a = 0; a < answer->limit->contact_count; a++) {
        const cn_contact *x = &answer->contact[a];
        double u = hypot(hypot(x->u[0], x->u[1]), dim == 3 ? x->u[2] : 0.0);
        if (x->gap > close || u > STAYS * speed) {
            continue;
        }
        cn_hinge *h = &hinges->hinge[hinges->count++];
        h->body[0] = x->i;
        h->body[1] = x->j;
        for (int side = 0; side < 2; side++) {
            const double *at = q + CN_PLACE * h->body[side];
            cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
            turned_back(dim, at, cn_sub3(point, centre(dim, at)), h->arm[side]);
        }
    }
    return CN_OK;
}

void cn_hinges_free(cn_hinges *hinges)
{
    CN_RELEASE(hinges->hinge, hinges->room);
    *hinges = (cn_hinges){0};
}

// ---- the least correction

// From the point of the second body to that of the first.
static cn_vec3 apart(int dim, const cn_hinge *h, const double *q)
{
    const double *i = q + CN_PLACE * h->body[0], *j = q + CN_PLACE * h->body[1];
    cn_vec3 at = cn_add3(centre(dim, i), turned(dim, i, h->arm[0]));
    return cn_sub3(at, cn_add3(centre(dim, j), turned(dim, j, h->arm[1])));
}

// What a hinge closes by under motions d, rotations counted as `size` times the angle.
static cn_vec3 closing(const cn_limit_model *m, const cn_hinge *h, const double *q, const double *d)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        const double *at = q + CN_PLACE * h->body[side], *of = d + AXES * h->body[side];
        cn_vec3 arm = turned(m->scene->dim, at, h->arm[side]);
        cn_vec3 turn = cn_mul3(1.0 / m->size, cn_v3(of[3], of[4], of[5]));
        cn_vec3 way = cn_add3(cn_v3(of[0], of[1], of[2]), cn_cross3(turn, arm));
        sum = side == 0 ? way : cn_sub3(sum, way);
    }
    return sum;
}

// Its transpose: adds what a force between the points does to the motions that are free.
static void pull(const cn_limit_model *m, const cn_hinge *h, const double *q, cn_vec3 force,
                 double *d)
{
    for (int side = 0; side < 2; side++) {
        int body = h->body[side];
        const double *at = q + CN_PLACE * body;
        cn_vec3 f = side == 0 ? force : cn_mul3(-1.0, force);
        cn_vec3 moment =
            cn_mul3(1.0 / m->size, cn_cross3(turned(m->scene->dim, at, h->arm[side]), f));
        const double six[AXES] = {f.x, f.y, f.z, moment.x, moment.y, moment.z};
        for (int n = 0; n < AXES; n++) {
            d[AXES * body + n] += (m->held[body] & 1u << n) == 0 ? six[n] : 0.0;
        }
    }
}

static double square(const double *x, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * x[k];
    }
    return sum;
}

// out = A^T A d, or with `is_miss` -A^T of what hinges are apart.
static void gradient(const cn_limit_model *m, const cn_hinges *all, const double *q,
                     const double *d, bool is_miss, double *out)
{
    int dim = m->scene->dim;
    memset(out, 0, AXES * (size_t)all->body_count * sizeof *out);
    for (int k = 0; k < all->count; k++) {
        const cn_hinge *h = &all->hinge[k];
        if (h->is_used) {
            cn_vec3 x = is_miss ? cn_mul3(-1.0, apart(dim, h, q)) : closing(m, h, q, d);
            pull(m, h, q, x, out);
        }
    }
}

// Conjugate gradients from zero: of all motions that close the hinges, the least.
static void correct(const cn_limit_model *m, cn_hinges *all, double *q)
{
    int count = AXES * all->body_count;
    double *d = all->room, *left = d + count, *way = left + count, *image = way + count;
    memset(d, 0, (size_t)count * sizeof *d);
    gradient(m, all, q, NULL, true, left);
    memcpy(way, left, (size_t)count * sizeof *way);
    double now = square(left, count), first = now;
    for (int n = 0; n < count + MORE_THAN_DOFS && now > 1e-28 * first; n++) {
        gradient(m, all, q, way, false, image);
        double work = 0.0;
        for (int k = 0; k < count; k++) {
            work += way[k] * image[k];
        }
        if (!(work > 0.0)) {
            break;
        }
        for (int k = 0; k < count; k++) {
            d[k] += now / work * way[k];
            left[k] -= now / work * image[k];
        }
        double next = square(left, count), ratio = next / now;
        for (int k = 0; k < count; k++) {
            way[k] = left[k] + ratio * way[k];
        }
        now = next;
    }
    for (int i = 0; i < all->body_count; i++) {
        double *v = d + AXES * i, to[CN_PLACE] = {0.0};
        for (int n = 3; n < AXES; n++) {
            v[n] /= m->size;
        }
        cn_model_carry(m->scene->dim, q + CN_PLACE * i, v, 1.0, to);
        memcpy(q + CN_PLACE * i, to, sizeof to);
    }
}

void cn_hinges_close(const cn_limit_model *model, double most, cn_hinges *hinges, double *q)
{
    int dim = model->scene->dim;
    for (int k = 0; k < hinges->count; k++) {
        cn_hinge *h = &hinges->hinge[k];
        h->is_used = cn_norm3(apart(dim, h, q)) <= most;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double worst = 0.0;
        for (int k = 0; k < hinges->count; k++) {
            const cn_hinge *h = &hinges->hinge[k];
            worst = fmax(worst, h->is_used ? cn_norm3(apart(dim, h, q)) : 0.0);
        }
        if (!(worst > CLOSED * model->size)) {
            break;
        }
        correct(model, hinges, q);
    }
}
