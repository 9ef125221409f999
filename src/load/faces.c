// load/faces.c -- see faces.h.
#include "load/faces.h"

#include <math.h>
#include <string.h>

#include "body/cell.h"
#include "body/deformable/deformables.h"
#include "load/load.h"

// Gaps of closed joints over the smaller shape; cosine from which two faces lie on each other;
// shapes that are wider than this times the mean are looked at for every face; corners that cuts by
// box, level and gap add; most of h^2 times the square of a frequency of the load alone [-].
static const double CLOSE = 1e-3, FACING = -0.5, WIDE = 8.0, STABLE = 4.0;
enum { CUT_CORNERS = 10 };

// ---- definitions

static cn_status check_body(const cn_bodies *b, cn_body_id id, cn_error *err)
{
    int i = cn_bodies_find(b, id);
    if (i < 0 || b->deformable[i] >= 0) {
        return cn_fail(err, CN_BAD_INPUT, "a load on free faces names body %llu, which %s",
                       (unsigned long long)id,
                       i < 0 ? "does not exist" : "is deformable: give a pressure on its sides");
    }
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        if (cn_face_count(b, s) == 0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a load on free faces names body %llu, which is no polygon, box or "
                           "polyhedron: only these have faces of an area that is known",
                           (unsigned long long)id);
        }
    }
    return CN_OK;
}

static cn_status check_numbers(const cn_bodies *b, const cn_face_load_def *def, cn_error *err)
{
    bool is_wind = def->kind == CN_FACE_WIND, is_box = true;
    double sum = is_wind ? def->windward + def->leeward : def->weight + def->ratio + def->surcharge;
    const double *d = def->direction;
    for (int k = 0; k < b->dim; k++) {
        is_box = is_box && def->low[k] < def->high[k];
    }
    if ((unsigned)def->kind > CN_FACE_WIND || !isfinite(sum) || !is_box ||
        (!is_wind && !(def->weight >= 0.0 && def->ratio >= 0.0)) || !(def->close >= 0.0) ||
        !isfinite(def->close)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a load on free faces takes a weight and a ratio of at least 0, a box whose "
                       "lower ends are below its upper ones, a gap of at least 0 m, and finite "
                       "factors");
    }
    double length = hypot(hypot(d[0], d[1]), b->dim == 3 ? d[2] : 0.0);
    if (is_wind && (!(length > 0.0) || !isfinite(length))) {
        return cn_fail(err, CN_BAD_INPUT, "wind needs a direction");
    }
    return CN_OK;
}

static cn_status check_def(const cn_bodies *b, const cn_face_load_def *def, cn_error *err)
{
    if (b->cell != NULL && b->cell->is_there) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a load on free faces is given in a periodic cell, which has no outside");
    }
    if (def->body_count < 0 || (def->body_count > 0 && def->body == NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "a load on free faces has a list of %d bodies",
                       def->body_count);
    }
    CN_TRY(check_numbers(b, def, err));
    for (int k = 0; k < def->body_count; k++) {
        CN_TRY(check_body(b, def->body[k], err));
    }
    return CN_OK;
}

static void set_direction(int dim, cn_face_load_def *def)
{
    double *d = def->direction;
    d[2] = dim == 3 ? d[2] : 0.0;
    double length = hypot(hypot(d[0], d[1]), d[2]);
    for (int k = 0; k < 3 && length > 0.0; k++) {
        d[k] /= length;
    }
}

cn_status cn_face_load_own(const cn_hooks *hooks, const cn_bodies *b, const cn_face_load_def *def,
                           double t, cn_face_load *a, cn_error *err)
{
    CN_TRY(check_def(b, def, err));
    size_t capacity = 0;
    cn_body_id *own = NULL;
    *a = (cn_face_load){.def = *def};
    a->def.t0 = isnan(def->t0) ? t : def->t0;
    set_direction(b->dim, &a->def);
    CN_TRY(cn_function_own(hooks, &a->def.f, err));
    cn_status status = cn_reserve(hooks, &own, &capacity, (size_t)def->body_count, err);
    if (status != CN_OK) {
        cn_function_free(hooks, &a->def.f);
        return status;
    }
    if (def->body_count > 0) {
        memcpy(own, def->body, sizeof *own * (size_t)def->body_count);
    }
    a->def.body = own;
    return CN_OK;
}

void cn_face_load_free(const cn_hooks *hooks, cn_face_load *a)
{
    cn_function_free(hooks, &a->def.f);
    cn_release(hooks, (void *)a->def.body);
    cn_release(hooks, a->sum);
    cn_release(hooks, a->pose);
    cn_release(hooks, a->box);
    cn_release(hooks, a->order);
    cn_release(hooks, a->room);
    cn_release(hooks, a->wide);
    cn_face_polygon *const polygon[] = {&a->part, &a->rest, &a->spare, &a->other};
    for (size_t k = 0; k < sizeof polygon / sizeof *polygon; k++) {
        cn_release(hooks, polygon[k]->corner);
    }
    cn_release(hooks, a->free.corner);
    cn_release(hooks, a->free.start);
    cn_release(hooks, a->next.corner);
    cn_release(hooks, a->next.start);
    *a = (cn_face_load){0};
}

void cn_face_load_forget(cn_face_load *a, cn_body_id id)
{
    int kept = 0;
    cn_body_id *list = (cn_body_id *)a->def.body;
    for (int k = 0; k < a->def.body_count; k++) {
        if (list[k] != id) {
            list[kept++] = list[k];
        }
    }
    a->def.body_count = kept;
}

// ---- where shapes are

static cn_status reserve(const cn_hooks *hooks, cn_face_load *a, const cn_bodies *b, cn_error *err)
{
    size_t bodies = (size_t)b->count, shapes = (size_t)b->shape_start[b->count];
    size_t corners = 0;
    for (int s = 0; s < b->shape_start[b->count]; s++) {
        size_t most = (size_t)cn_face_corners_most(b, s);
        corners = most > corners ? most : corners;
    }
    CN_TRY(cn_reserve(hooks, &a->sum, &a->capacity.sum, (size_t)a->def.body_count, err));
    CN_TRY(cn_reserve(hooks, &a->pose, &a->capacity.pose, bodies, err));
    CN_TRY(cn_reserve(hooks, &a->box, &a->capacity.box, shapes, err));
    CN_TRY(cn_reserve(hooks, &a->order, &a->capacity.order, shapes, err));
    CN_TRY(cn_reserve(hooks, &a->room, &a->capacity.room, shapes, err));
    CN_TRY(cn_reserve(hooks, &a->wide, &a->capacity.wide, shapes, err));
    cn_face_polygon *const polygon[] = {&a->part, &a->rest, &a->spare, &a->other};
    for (size_t k = 0; k < sizeof polygon / sizeof *polygon; k++) {
        CN_TRY(cn_reserve(hooks, &polygon[k]->corner, &polygon[k]->capacity, corners + CUT_CORNERS,
                          err));
    }
    return CN_OK;
}

static cn_box3 box_of(const cn_face_load *a, const cn_bodies *b, int s)
{
    const cn_body_pose *pose = &a->pose[cn_shape_body(b, s)];
    if (b->dim == 3) {
        const cn_posed3 p = {.solid = &b->solid[s], .x = pose->x, .R = pose->R};
        return cn_posed3_box(&p);
    }
    const cn_posed p = {.shape = &b->shape[s],
                        .x = cn_v2(pose->x.x, pose->x.y),
                        .c = pose->R.row[0].x,
                        .s = pose->R.row[1].x};
    cn_box2 box = cn_posed_box(&p);
    return (cn_box3){cn_v3(box.lo.x, box.lo.y, -0.5), cn_v3(box.hi.x, box.hi.y, 0.5)};
}

// Bits that are in the order of the numbers.
static uint64_t key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

// Places all shapes and sorts those of usual width along x.
static void place(cn_face_load *a, double dt, const cn_bodies *b)
{
    int shapes = b->shape_start[b->count], narrow = 0;
    double sum = 0.0, ahead[CN_Q_MAX];
    for (int i = 0; i < b->count; i++) {
        b->kind->advance(cn_body_q(b, b->q, i), cn_body_v(b, b->v, i), dt, ahead);
        a->pose[i] = b->kind->pose(ahead);
    }
    for (int s = 0; s < shapes; s++) {
        a->box[s] = box_of(a, b, s);
        double width = a->box[s].hi.x - a->box[s].lo.x;
        sum += isfinite(width) ? width : 0.0;
        narrow += isfinite(width);
    }
    a->order_count = a->wide_count = 0;
    a->width = 0.0;
    for (int s = 0; s < shapes; s++) {
        double width = a->box[s].hi.x - a->box[s].lo.x;
        if (width <= WIDE * sum / narrow) {
            a->order[a->order_count++] = (cn_keyed){key_of(a->box[s].lo.x), s};
            a->width = fmax(a->width, width);
        } else {
            a->wide[a->wide_count++] = s;
        }
    }
    cn_radix_sort(a->order, a->order_count, ~UINT64_C(0), a->room, 1);
}

// ---- what covers a face

// A face whose free part is looked for.
typedef struct facing {
    const cn_hooks *hooks;
    cn_face_load *a;
    const cn_bodies *b;
    int shape;
    cn_vec3 normal, centre;
    double value;
    cn_box3 box;
    cn_face_sum sum;
} facing;

static cn_box3 box_around(const cn_face_polygon *face)
{
    cn_box3 box = {face->corner[0], face->corner[0]};
    for (int k = 1; k < face->count; k++) {
        cn_vec3 x = face->corner[k];
        box.lo = cn_v3(fmin(box.lo.x, x.x), fmin(box.lo.y, x.y), fmin(box.lo.z, x.z));
        box.hi = cn_v3(fmax(box.hi.x, x.x), fmax(box.hi.y, x.y), fmax(box.hi.z, x.z));
    }
    return box;
}

static bool is_apart(const cn_box3 *a, const cn_box3 *b, double gap)
{
    return a->lo.x > b->hi.x + gap || b->lo.x > a->hi.x + gap || a->lo.y > b->hi.y + gap ||
           b->lo.y > a->hi.y + gap || a->lo.z > b->hi.z + gap || b->lo.z > a->hi.z + gap;
}

static double gap_to(const facing *f, int s)
{
    double close = f->a->def.close;
    return close > 0.0 ? close
                       : CLOSE * fmin(cn_shape_size(f->b, f->shape), cn_shape_size(f->b, s));
}

// Takes off what `other` covers, if it looks against the face.
static cn_status take_off(facing *f, cn_vec3 normal, double gap, cn_error *err)
{
    return cn_dot3(normal, f->normal) > FACING ? CN_OK
                                               : cn_face_cover(f->hooks, f->a, normal, gap, err);
}

// Faces of shapes that lie flat on others in ways that are not known here.
static bool is_unknown(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        return false; // what is round touches at points
    }
    cn_solid_kind kind = b->solid[s].kind;
    return kind == CN_SOLID_CYLINDER || kind == CN_SOLID_HOLLOW_CYLINDER ||
           kind == CN_SOLID_SURFACE;
}

static cn_status cover_by(facing *f, int s, cn_error *err)
{
    const cn_bodies *b = f->b;
    cn_face_load *a = f->a;
    double gap = gap_to(f, s);
    cn_vec3 normal;
    const cn_body_pose *pose = &a->pose[cn_shape_body(b, s)];
    if (s == f->shape || is_apart(&f->box, &a->box[s], gap)) {
        return CN_OK;
    }
    if (is_unknown(b, s)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu is loaded on its free faces and body %llu, whose shape is a %s, "
                       "may lie on them: what it covers is not known; give open joints, or make it "
                       "of polyhedra",
                       (unsigned long long)b->id[cn_shape_body(b, f->shape)],
                       (unsigned long long)b->id[cn_shape_body(b, s)],
                       cn_solid_kind_name(b->solid[s].kind));
    }
    if (cn_shape_is_unbounded(b, s)) {
        cn_vec3 at = b->dim == 3 ? b->solid[s].end[0]
                                 : cn_v3(b->shape[s].vertex[0].x, b->shape[s].vertex[0].y, 0.0);
        cn_vec3 out = b->dim == 3 ? b->solid[s].axis
                                  : cn_v3(b->shape[s].normal[0].x, b->shape[s].normal[0].y, 0.0);
        a->other.corner[0] = cn_add3(pose->x, cn_mat3_mul(&pose->R, at));
        a->other.count = 1;
        return take_off(f, cn_mat3_mul(&pose->R, out), gap, err);
    }
    for (int k = 0; k < cn_face_count(b, s); k++) {
        cn_face_place(b, s, k, pose, &a->other, &normal);
        CN_TRY(take_off(f, normal, gap, err));
    }
    return CN_OK;
}

// The first of the sorted shapes whose lower end is not below x.
static int first_from(const cn_face_load *a, double x)
{
    int lo = 0, hi = a->order_count;
    uint64_t key = key_of(x);
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (a->order[middle].key < key) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static cn_status cover(facing *f, cn_error *err)
{
    const cn_face_load *a = f->a;
    double close = a->def.close;
    double most = close > 0.0 ? close : CLOSE * cn_shape_size(f->b, f->shape);
    for (int k = 0; k < a->wide_count; k++) {
        CN_TRY(cover_by(f, a->wide[k], err));
    }
    for (int k = first_from(a, f->box.lo.x - most - a->width); k < a->order_count; k++) {
        int s = a->order[k].item;
        if (a->box[s].lo.x > f->box.hi.x + most) {
            break;
        }
        CN_TRY(cover_by(f, s, err));
    }
    return CN_OK;
}

// ---- sums

static cn_status sum_face(facing *f, int k, cn_error *err)
{
    cn_face_load *a = f->a;
    const cn_bodies *b = f->b;
    cn_face_place(b, f->shape, k, &a->pose[cn_shape_body(b, f->shape)], &a->part, &f->normal);
    cn_face_cut_to_load(a, b->dim, f->value);
    if (a->part.count < 3) {
        return CN_OK;
    }
    f->box = box_around(&a->part);
    CN_TRY(cn_face_begin(f->hooks, a, err));
    CN_TRY(a->def.has_open_joints ? CN_OK : cover(f, err));
    cn_face_press(a, b->dim, f->value, f->normal, f->centre, &f->sum);
    return CN_OK;
}

cn_status cn_face_load_sum(const cn_hooks *hooks, cn_face_load *a, double value, double dt,
                           const cn_bodies *b, cn_error *err)
{
    if (b->deformables->count > 0 && !a->def.has_open_joints) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a load is on free faces and there are deformable bodies, which may lie on "
                       "them: what these cover is not known; give open joints");
    }
    CN_TRY(reserve(hooks, a, b, err));
    place(a, dt, b);
    a->state = (cn_face_load_state){.value = value};
    for (int n = 0; n < a->def.body_count; n++) {
        int i = cn_bodies_find(b, a->def.body[n]);
        facing f = {.hooks = hooks, .a = a, .b = b, .centre = a->pose[i].x, .value = value};
        for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
            f.shape = s;
            for (int k = 0; k < cn_face_count(b, s); k++) {
                CN_TRY(sum_face(&f, k, err));
            }
        }
        a->sum[n] = f.sum;
        a->state.area += f.sum.area;
        const double force[3] = {f.sum.force.x, f.sum.force.y, f.sum.force.z};
        for (int d = 0; d < b->dim; d++) {
            a->state.force[d] += force[d];
        }
    }
    return CN_OK;
}

void cn_face_load_six(const cn_face_load *a, int n, double six[6])
{
    cn_vec3 f = a->sum[n].force, m = a->sum[n].moment;
    memcpy(six, (double[6]){f.x, f.y, f.z, m.x, m.y, m.z}, 6 * sizeof *six);
}

// A body that floats is a spring, of at most weight times area (3.26).
static cn_status check_step(const cn_face_load *a, int n, int i, double h, const cn_bodies *b,
                            cn_error *err)
{
    bool is_fill = a->def.kind == CN_FACE_FILL;
    double stiff = is_fill ? a->def.weight * fmax(1.0, a->def.ratio) * a->sum[n].area : 0.0;
    if (!cn_body_is_held(b, i) && h * h * stiff > STABLE * b->mass[i]) {
        return cn_fail(err, CN_BAD_INPUT,
                       "water or fill of %g N/m3 moves body %llu, %g kg, up and down faster than "
                       "steps of %g s can follow: take steps of %.2g s or heavier bodies",
                       a->def.weight, (unsigned long long)a->def.body[n], b->mass[i], h,
                       sqrt(STABLE * b->mass[i] / stiff));
    }
    return CN_OK;
}

cn_status cn_face_load_eval(const cn_hooks *hooks, cn_face_load *a, double t, double h,
                            double theta, cn_bodies *b, cn_error *err)
{
    if (a->def.body_count == 0) {
        return CN_OK; // all of them are gone
    }
    cn_load_value value;
    CN_TRY(cn_load_value_of(&a->def.f, a->def.body[0], t, h, a->def.t0, &value, err));
    CN_TRY(cn_face_load_sum(hooks, a, theta * value.f_1 + (1.0 - theta) * value.f_0,
                            (1.0 - theta) * h, b, err));
    for (int n = 0; n < a->def.body_count; n++) {
        int i = cn_bodies_find(b, a->def.body[n]);
        double six[6], *f = b->f + b->kind->dof * i;
        CN_TRY(check_step(a, n, i, h, b, err));
        cn_face_load_six(a, n, six);
        for (int d = 0; d < b->kind->dof; d++) {
            f[d] += six[b->kind->dof_name[d] - CN_DOF_X];
        }
    }
    return CN_OK;
}
