// detect/detect.c -- boxes and points, theory 4.5 and 6.1.
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/cell.h"
#include "body/deformable/deformables.h"
#include "body/rigid.h"
#include "cairn/world.h"
#include "detect/alert.h"
#include "detect/images.h"

enum { SHARED_BODIES = 1024, SHARED_PAIRS = 256 }; // per thread

// Change of its gap between q and q_mid with which a fast pair only slides, of the size, and the
// least cosine between its normals there (6.1) [-].
static const double SLIDING = 0.05, ALONG = 0.5;

void cn_detect_init(cn_detect *d, const cn_hooks *hooks)
{
    *d = (cn_detect){.hooks = hooks, .broad = {.hooks = hooks}, .cache = {.hooks = hooks}};
}

void cn_detect_free(cn_detect *d)
{
    cn_broad_free(&d->broad);
    cn_narrow_cache_free(&d->cache);
    cn_incidence_free(&d->touching, d->hooks);
    cn_slices_free(&d->parts, d->hooks);
    cn_ccd_free(&d->ccd, d->hooks);
    cn_release(d->hooks, d->motion);
    cn_release(d->hooks, d->drift);
    cn_release(d->hooks, d->ball);
    cn_release(d->hooks, d->box);
    cn_release(d->hooks, d->half);
    cn_release(d->hooks, d->image);
    cn_release(d->hooks, d->point);
    cn_release(d->hooks, d->owner);
    cn_release(d->hooks, d->hull);
    cn_release(d->hooks, d->hull_vertex);
    cn_release(d->hooks, d->hull_normal);
    cn_release(d->hooks, d->hull_offset);
    cn_release(d->hooks, d->hit);
    cn_release(d->hooks, d->anchor);
    cn_detect_init(d, d->hooks);
}

static cn_box3 grow(cn_box3 a, double by)
{
    cn_vec3 all = cn_v3(by, by, by);
    return (cn_box3){cn_sub3(a.lo, all), cn_add3(a.hi, all)};
}

// Box of shape s at q_mid, or at q.
static cn_box3 box_of(const cn_bodies *b, int s, bool is_at_start)
{
    if (b->dim == 3) {
        cn_posed3 p = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
        return cn_posed3_box(&p);
    }
    cn_posed p = is_at_start ? cn_body_posed(b, s, b->q) : cn_body_posed_mid(b, s);
    cn_box2 box = cn_posed_box(&p);
    return (cn_box3){{box.lo.x, box.lo.y, 0.0}, {box.hi.x, box.hi.y, 0.0}};
}

// A half-plane or half-space at q_mid.
static cn_half place_half(const cn_bodies *b, int s)
{
    cn_half half = {.shape = s};
    cn_vec3 base;
    if (b->dim == 3) {
        cn_posed3 p = cn_body_posed3_mid(b, s);
        base = cn_posed3_point(&p, b->solid[s].end[0]);
        half.normal = cn_mat3_mul(&p.R, b->solid[s].axis);
    } else {
        cn_posed p = cn_body_posed_mid(b, s);
        cn_vec2 n = cn_posed_normal(&p, 0), x = cn_posed_vertex(&p, 0);
        base = cn_v3(x.x, x.y, 0.0);
        half.normal = cn_v3(n.x, n.y, 0.0);
    }
    half.height = cn_dot3(half.normal, base);
    return half;
}

// All of them, which are among shapes first .. last, where they may move within the step.
static cn_status list_halves(cn_detect *d, const cn_bodies *b, int first, int last, cn_error *err)
{
    d->half_count = 0;
    for (int s = first; s <= last; s++) {
        if (cn_shape_is_unbounded(b, s)) {
            size_t need = (size_t)d->half_count + 1;
            CN_TRY(cn_reserve(d->hooks, &d->half, &d->half_capacity, need, err));
            d->half[d->half_count] = place_half(b, s);
            d->half[d->half_count++].height += d->motion[cn_shape_body(b, s)];
        }
    }
    return CN_OK;
}

// Whether a box is above a half-plane or half-space, so that they do not meet in the step: a side
// of its own, as the sides of boxes are for others. Rounding does not decide.
static bool is_above(const cn_detect *d, int shape, const cn_box3 *box)
{
    int lo = 0, hi = d->half_count - 1;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        lo = d->half[middle].shape < shape ? middle + 1 : lo;
        hi = d->half[middle].shape < shape ? hi : middle;
    }
    const cn_half *half = &d->half[lo];
    cn_vec3 n = half->normal;
    cn_vec3 low = {n.x > 0.0 ? box->lo.x : box->hi.x, n.y > 0.0 ? box->lo.y : box->hi.y,
                   n.z > 0.0 ? box->lo.z : box->hi.z};
    double size = fabs(low.x) + fabs(low.y) + fabs(low.z) + fabs(half->height);
    return cn_dot3(n, low) > half->height + 1e-14 * size;
}

typedef struct pair_filter {
    const cn_detect *d;
    const cn_bodies *b;
    const cn_rules *rules;
} pair_filter;

static int law_of(const cn_bodies *b, const cn_rules *rules, int i, int j)
{
    return rules->law[rules->group_count * b->group[i] + b->group[j]];
}

// Whether a pair is in the sorted list of pairs that never touch.
static bool is_apart(const cn_rules *rules, int i, int j)
{
    uint64_t pair = cn_pair_apart(i, j);
    int lo = 0, hi = rules->apart_count;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (rules->apart[middle] < pair) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < rules->apart_count && rules->apart[lo] == pair;
}

// Shapes of one body, bodies that cannot move and bodies that ignore each other never meet.
static bool may_pair(const void *context, int a, int c)
{
    const pair_filter *filter = context;
    const cn_bodies *b = filter->b;
    const cn_box3 *box = filter->d->box;
    if ((cn_shape_is_unbounded(b, a) && is_above(filter->d, a, &box[c])) ||
        (cn_shape_is_unbounded(b, c) && is_above(filter->d, c, &box[a]))) {
        return false;
    }
    int i = cn_shape_body(b, a), j = cn_shape_body(b, c);
    return i != j && !(cn_body_is_held(b, i) && cn_body_is_held(b, j)) &&
           law_of(b, filter->rules, i, j) != CN_LAW_NO_CONTACT && !is_apart(filter->rules, i, j);
}

// The same where there are nodes and facets, too.
static bool may_pair_any(const void *context, int a, int c)
{
    const pair_filter *filter = context;
    const cn_bodies *b = filter->b;
    int shapes = filter->d->shape_count;
    if (a < shapes && c < shapes) {
        return may_pair(context, a, c);
    }
    if (!cn_skins_may_pair(filter->d, b, a, c)) {
        return false;
    }
    int i = cn_skins_slot(filter->d, b, a), j = cn_skins_slot(filter->d, b, c);
    return law_of(b, filter->rules, i, j) != CN_LAW_NO_CONTACT && !is_apart(filter->rules, i, j);
}

// The same where there are images: of a body with itself, too.
static bool may_pair_images(const void *context, int a, int c)
{
    const pair_filter *filter = context;
    const cn_bodies *b = filter->b;
    int s = cn_image_shape(filter->d, a), t = cn_image_shape(filter->d, c);
    int i = cn_shape_body(b, s), j = cn_shape_body(b, t);
    if (!cn_images_may_pair(filter->d, b, a, c)) {
        return false;
    }
    return i == j ? a != s || c != t ? !cn_body_is_held(b, i) &&
                                           law_of(b, filter->rules, i, i) != CN_LAW_NO_CONTACT
                                     : false
                  : may_pair(context, s, t);
}

// A body that moves far compared with its thickness must be boxed where it is and where it goes.
static bool is_fast_body(const cn_detect *d, const cn_bodies *b, int i)
{
    return d->motion[i] > 0.25 * b->size[i];
}

cn_status cn_detect_broad(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err)
{
    int shapes = b->count > 0 ? b->shape_start[b->count] : 0;
    int threads = cn_share(d->thread_count, shapes, SHARED_BODIES);
    int first_half = shapes, last_half = -1;
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(min
                                              : first_half) reduction(max
                                                                      : last_half)),
                  s, shapes, {
                      int i = cn_shape_body(b, s);
                      if (cn_shape_is_unbounded(b, s)) {
                          first_half = s < first_half ? s : first_half;
                          last_half = s > last_half ? s : last_half;
                      }
                      cn_box3 box = box_of(b, s, false);
                      if (is_fast_body(d, b, i)) {
                          box = cn_box_merge(box, box_of(b, s, true));
                      }
                      d->box[s] = grow(box, d->motion[i]);
                  });
    CN_TRY(list_halves(d, b, first_half, last_half, err));
    pair_filter filter = {d, b, rules};
    d->broad.thread_count = d->thread_count;
    d->shape_count = shapes;
    if (cn_cell_is_there(b)) {
        CN_TRY(cn_images_place(d, b, err));
        CN_TRY(cn_broad_find(&d->broad, b->dim, shapes + d->image_count, d->box, may_pair_images,
                             &filter, err));
        cn_images_name(d);
        return CN_OK;
    }
    if (b->deformables->count == 0) {
        return cn_broad_find(&d->broad, b->dim, shapes, d->box, may_pair, &filter, err);
    }
    CN_TRY(cn_skins_boxes(d, b, err));
    int boxes = shapes + d->node_count + d->facet_count + d->hull_count;
    return cn_broad_find(&d->broad, b->dim, boxes, d->box, may_pair_any, &filter, err);
}

static bool is_pair_of_hulls(const cn_bodies *b, int s, int t)
{
    return b->dim == 3 && b->solid[s].kind == CN_SOLID_HULL && b->solid[t].kind == CN_SOLID_HULL;
}

// What is listed of a pair: points with gaps up to `reach`, which neighbours that push may close
// (5.1); of those that do not touch yet only what the motion of the two, `sweep`, may close [m].
typedef struct alert {
    double reach, sweep;
} alert;

// Whether two bodies are where they were when contacts were looked for last.
static bool is_unmoved(const cn_detect *d, int i, int j)
{
    const cn_narrow_cache *cache = &d->cache;
    return i < cache->body_count && j < cache->body_count && cache->is_unmoved[i] &&
           cache->is_unmoved[j];
}

// What is found on the way through a part of the pairs.
typedef struct look {
    bool is_still;          // a check without motion: what lies inside a surface counts as well
    bool is_image;          // the pair is across the cell, the other shape being at
    cn_vec3 offset;         // from its place
    bool is_unmoved;        // neither body has moved since the last look
    cn_narrow_cache *cache; // threads may keep hints of different pairs at the same time
    size_t corner_tests, edge_tests;
} look;

// Contact points of two polyhedra, beginning where they were found last; `of` names the shapes.
static int find_hull_touches(look *d, const cn_asked *of, const cn_posed3 *x, const cn_posed3 *y,
                             const alert *near, cn_touch3 touch[CN_TOUCH3_MAX])
{
    if (d->is_image) { // hints are of pairs, which may have several images
        cn_hint none = {0};
        return cn_narrow3_warm(x, y, near->reach, near->sweep, &none, touch);
    }
    cn_hint hint = cn_narrow_cache_find(d->cache, of->s, of->t);
    int found = cn_narrow3_warm(x, y, near->reach, near->sweep, &hint, touch);
    cn_narrow_cache_keep(d->cache, of, &hint);
    d->corner_tests += (size_t)hint.corner_tests;
    d->edge_tests += (size_t)hint.edge_tests;
    return found;
}

int cn_narrow_flat(const cn_posed *x, const cn_posed *y, double reach, cn_touch3 *touch)
{
    cn_touch flat[CN_TOUCH_MAX];
    int found = cn_narrow(x, y, reach, flat);
    for (int k = 0; k < found; k++) {
        touch[k] = (cn_touch3){.point = {flat[k].point.x, flat[k].point.y, 0.0},
                               .normal = {flat[k].normal.x, flat[k].normal.y, 0.0},
                               .gap = flat[k].gap,
                               .feature = flat[k].feature};
    }
    return found;
}

// Contact points of shapes s and t placed at q_mid or at q, in three coordinates in either
// dimension.
static int find_touches(look *d, const cn_bodies *b, int s, int t, bool is_at_start,
                        const alert *near, cn_touch3 touch[CN_TOUCH3_MAX])
{
    bool is_hulls = is_pair_of_hulls(b, s, t);
    cn_asked of = {s, t, is_at_start ? NAN : near->reach, near->sweep};
    if (is_hulls && d->is_unmoved && !is_at_start) {
        int again = cn_narrow_cache_again(d->cache, &of, touch);
        if (again >= 0) {
            return again;
        }
    }
    if (b->dim == 3) {
        cn_posed3 x = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
        cn_posed3 y = is_at_start ? cn_body_posed3(b, t, b->q) : cn_body_posed3_mid(b, t);
        y.x = d->is_image ? cn_add3(y.x, d->offset) : y.x;
        if (d->is_still && cn_surface_sunk(&x, &y, touch)) {
            return 1;
        }
        return is_hulls ? find_hull_touches(d, &of, &x, &y, near, touch)
                        : cn_narrow3(&x, &y, near->reach, touch);
    }
    cn_posed x = is_at_start ? cn_body_posed(b, s, b->q) : cn_body_posed_mid(b, s);
    cn_posed y = is_at_start ? cn_body_posed(b, t, b->q) : cn_body_posed_mid(b, t);
    y.x = d->is_image ? cn_add2(y.x, cn_v2(d->offset.x, d->offset.y)) : y.x;
    return cn_narrow_flat(&x, &y, near->reach, touch);
}

static double shape_reach(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].reach : b->solid[s].reach;
}

static cn_vec3 centre_mid(const cn_bodies *b, int i)
{
    const double *q = cn_body_q(b, b->q_mid, i);
    return cn_v3(q[0], q[1], b->dim == 3 ? q[2] : 0.0);
}

static double height_above(const cn_bodies *b, int s, cn_vec3 at)
{
    cn_half half = place_half(b, s);
    return cn_dot3(half.normal, at) - half.height;
}

// Whether no point of shape s can be within reach of shape t at q_mid, from the balls around the
// mass centres that hold them: a look at shapes of which nothing would be listed is saved. Rounding
// does not decide.
static bool is_beyond(const cn_bodies *b, int s, int t, int i, int j, double reach)
{
    cn_vec3 x = centre_mid(b, i), y = centre_mid(b, j), apart = cn_sub3(x, y);
    double rounding = 1e-14 * (cn_dot3(x, x) + cn_dot3(y, y));
    if (cn_shape_is_unbounded(b, s) || cn_shape_is_unbounded(b, t)) {
        bool is_first = cn_shape_is_unbounded(b, s);
        double height = height_above(b, is_first ? s : t, is_first ? y : x);
        double ball = 1.000001 * (reach + shape_reach(b, is_first ? t : s));
        return height > 0.0 && height * height > ball * ball + rounding;
    }
    double balls = 1.000001 * (reach + shape_reach(b, s) + shape_reach(b, t));
    return cn_dot3(apart, apart) > balls * balls + rounding;
}

// Whether the balls around the mass centres that hold two shapes are apart at q_mid by more than
// both bodies move, which is short of their sizes: most pairs of boxes are, and all else that is
// asked of a pair takes longer. Half-planes have no such ball. The dimension is a literal.
static inline bool is_far(const cn_detect *d, const cn_bodies *b, int dim, const cn_pair *pair)
{
    double size[2], reach[2], apart2 = 0.0, rounding = 0.0;
    int body[2];
    for (int k = 0; k < 2; k++) {
        int s = k == 0 ? pair->a : pair->b;
        body[k] = dim == 2 ? b->shape[s].body : b->solid[s].body;
        size[k] = dim == 2 ? b->shape[s].size : b->solid[s].size;
        reach[k] = dim == 2 ? b->shape[s].reach : b->solid[s].reach;
    }
    const double *x = b->q_mid + cn_rigid_q_size(dim) * body[0];
    const double *y = b->q_mid + cn_rigid_q_size(dim) * body[1];
    for (int k = 0; k < dim; k++) {
        apart2 += (x[k] - y[k]) * (x[k] - y[k]);
        rounding += x[k] * x[k] + y[k] * y[k];
    }
    double motion = d->motion[body[0]] + d->motion[body[1]]; // at least the reach of the pair
    double balls = 1.000001 * (motion + reach[0] + reach[1]);
    return 2.002 * motion <= (size[0] < size[1] ? size[0] : size[1]) &&
           apart2 > balls * balls + 1e-14 * rounding;
}

// Whether touches at q_mid show a body that is still inside a hollow: it follows the wall as far as
// it likes in a step, and only at q_mid does the normal tell where the wall leads (6.7).
static bool is_inside(const cn_bodies *b, int s, int t, double size, const cn_touch3 *touch,
                      int found)
{
    bool is_in = found > 0;
    for (int k = 0; k < found; k++) {
        cn_vec3 p = touch[k].point, n = touch[k].normal;
        is_in = is_in && touch[k].gap > -0.25 * size &&
                (cn_shape_surrounds(b, t, p, n) || cn_shape_surrounds(b, s, p, cn_neg3(n)));
    }
    return is_in;
}

static const cn_touch3 *deepest(const cn_touch3 *touch, int count)
{
    const cn_touch3 *least = touch;
    for (int k = 1; k < count; k++) {
        least = touch[k].gap < least->gap ? &touch[k] : least;
    }
    return least;
}

// Whether a fast pair only slides (6.1): its gap and normal where the step starts are nearly those
// at q_mid.
static bool slides(const cn_touch3 *start, int start_count, const cn_touch3 *mid, int mid_count,
                   double most)
{
    if (start_count == 0 || mid_count == 0) {
        return false;
    }
    const cn_touch3 *x = deepest(start, start_count), *y = deepest(mid, mid_count);
    return cn_dot3(x->normal, y->normal) > ALONG && fabs(y->gap - x->gap) <= most;
}

// Two shapes that may touch: the body of s has the smaller id.
typedef struct meeting {
    int s, t, law;
    signed char shift[3]; // periodic cell of t relative to s
} meeting;

// Touches of a fast pair of which q_mid shows `found`: these where it follows the wall of a hollow
// or only slides, else those where the step starts.
static int look_at_start(look *here, const cn_bodies *b, const meeting *of, const alert *near,
                         int found, cn_touch3 *touch, bool *is_at_start)
{
    cn_touch3 start[CN_TOUCH3_MAX];
    double size = fmin(cn_shape_size(b, of->s), cn_shape_size(b, of->t));
    *is_at_start = here->is_image || !is_inside(b, of->s, of->t, size, touch, found);
    if (!*is_at_start) {
        return found;
    }
    here->offset = cn_cell_image(b, of->shift, true);
    int count = find_touches(here, b, of->s, of->t, true, near, start);
    *is_at_start = !slides(start, count, touch, found, SLIDING * size);
    if (!*is_at_start) {
        return found;
    }
    memcpy(touch, start, sizeof *start * (size_t)count);
    return count;
}

static cn_status add_points(const cn_detect *d, const cn_bodies *b, const meeting *of, look *here,
                            cn_slice *points, cn_error *err)
{
    int s = of->s, t = of->t, i = cn_shape_body(b, s), j = cn_shape_body(b, t);
    here->is_image = (of->shift[0] | of->shift[1] | of->shift[2]) != 0;
    here->offset = cn_cell_image(b, of->shift, false);
    here->is_unmoved = !here->is_image && !here->is_still && is_unmoved(d, i, j);
    double closing = cn_detect_closing(d, i, j);
    double own = cn_shape_size(b, s), other = cn_shape_size(b, t);
    double size = own < other ? own : other;
    bool is_fast = cn_detect_is_fast(d, b, i, j, closing, size),
         is_hulls = is_pair_of_hulls(b, s, t);
    alert near = {cn_detect_reach_at(d, b, i, j, closing),
                  is_hulls ? cn_detect_sweep(d, b, i, j) : 0.0};
    if (is_fast) { // seen from q, the way of the step and that to q_mid lie ahead
        near = (alert){2.0 * near.reach, 2.0 * near.sweep};
    } else if (!is_hulls && !here->is_still && !here->is_image &&
               is_beyond(b, s, t, i, j, near.reach)) {
        return CN_OK; // hulls keep hints of pairs that are apart, too
    }
    cn_touch3 touch[CN_TOUCH3_MAX];
    int found = find_touches(here, b, s, t, false, &near, touch);
    if (is_fast) {
        found = look_at_start(here, b, of, &near, found, touch, &is_fast);
    }
    CN_TRY(cn_slice_room(points, (size_t)found, err));
    cn_point *list = points->item;
    uint64_t shapes = (uint64_t)(s - b->shape_start[i]) << 48 | (uint64_t)(t - b->shape_start[j])
                                                                    << 32;
    for (int k = 0; k < found; k++) {
        list[points->count++] = (cn_point){
            .i = i,
            .j = j,
            .law = of->law,
            .feature = shapes | touch[k].feature,
            .shift = {of->shift[0], of->shift[1], of->shift[2]},
            .is_fast = is_fast,
            .point = touch[k].point,
            .normal = touch[k].normal,
            .gap = touch[k].gap,
            .anchor = {-1, -1},
        };
    }
    return CN_OK;
}

// Pairs of polyhedra that the broad phase found.
static size_t count_hulls(const cn_detect *d, const cn_bodies *b)
{
    size_t count = 0, pairs = b->dim == 3 ? d->broad.pair_count : 0;
    int threads = cn_share(d->thread_count, (int64_t)pairs, SHARED_PAIRS);
    CN_SHARED_FOR(threads, (schedule(static) reduction(+ : count)), k, CN_SEGMENTS, {
        size_t end = pairs * (size_t)(k + 1) / CN_SEGMENTS;
        for (size_t n = pairs * (size_t)k / CN_SEGMENTS; n < end; n++) {
            const cn_pair *pair = &d->broad.pair[n];
            count += pair->b < d->shape_count && is_pair_of_hulls(b, pair->a, pair->b);
        }
    });
    return count;
}

// Law of a pair of bodies that came into reach; no rule for it is an error.
static cn_status find_law(const cn_bodies *b, const cn_rules *rules, int i, int j, int *law,
                          cn_error *err)
{
    *law = law_of(b, rules, i, j);
    if (*law == CN_LAW_UNKNOWN) {
        return cn_fail(err, CN_BAD_INPUT,
                       "bodies %llu and %llu come into reach but no rule says which law they obey",
                       (unsigned long long)b->id[i], (unsigned long long)b->id[j]);
    }
    return CN_OK;
}

// The narrow phase as a whole, for the parts of it.
typedef struct narrow {
    cn_detect *d;
    const cn_bodies *b;
    const cn_rules *rules;
    look look[CN_SLICE_MAX];
} narrow;

// Points of part k of the pairs.
static inline cn_status find_points(narrow *all, int dim, int k, int count, cn_slice *points,
                                    cn_error *err)
{
    const cn_detect *d = all->d;
    const cn_bodies *b = all->b;
    size_t first = d->broad.pair_count * (size_t)k / (size_t)count;
    size_t end = d->broad.pair_count * ((size_t)k + 1) / (size_t)count;
    bool is_still = d->h == 0.0;
    all->look[k] = (look){.is_still = is_still, .cache = &all->d->cache};
    for (size_t n = first; n < end; n++) {
        if (cn_stop_is_asked(d->stop)) {
            return cn_fail(err, CN_STOPPED, "stopped on request while contacts were found");
        }
        const cn_pair *pair = &d->broad.pair[n];
        int s = pair->a, t = pair->b;
        if (t >= d->shape_count) { // a < b: a node or facet
            continue;
        }
        int law;
        CN_TRY(find_law(b, all->rules, cn_shape_body(b, s), cn_shape_body(b, t), &law, err));
        // Hulls keep hints of pairs that are apart, too.
        bool is_image = (pair->shift[0] | pair->shift[1] | pair->shift[2]) != 0;
        if (!is_still && !is_image && !is_pair_of_hulls(b, s, t) && is_far(d, b, dim, pair)) {
            continue;
        }
        meeting of = {s, t, law, {pair->shift[0], pair->shift[1], pair->shift[2]}};
        if (b->id[cn_shape_body(b, s)] >
            b->id[cn_shape_body(b, t)]) { // order does not depend on slots
            of = (meeting){t,
                           s,
                           law,
                           {(signed char)-pair->shift[0], (signed char)-pair->shift[1],
                            (signed char)-pair->shift[2]}};
        }
        CN_TRY(add_points(d, b, &of, &all->look[k], points, err));
    }
    return CN_OK;
}

static cn_status find_points2(void *context, int k, int count, cn_slice *points, cn_error *err)
{
    return find_points(context, 2, k, count, points, err);
}

static cn_status find_points3(void *context, int k, int count, cn_slice *points, cn_error *err)
{
    return find_points(context, 3, k, count, points, err);
}

// Pairs with nodes and facets of deformable bodies, after those of shapes.
static cn_status meet_skins(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err)
{
    d->hit_count = d->anchor_count = 0;
    for (size_t n = 0; n < d->broad.pair_count; n++) {
        const cn_pair *pair = &d->broad.pair[n];
        if (pair->b >= d->shape_count) {
            int law, i = cn_skins_slot(d, b, pair->a), j = cn_skins_slot(d, b, pair->b);
            CN_TRY(find_law(b, rules, i, j, &law, err));
            CN_TRY(cn_skins_meet(d, b, pair->a, pair->b, law,
                                 cn_detect_reach_at(d, b, i, j, cn_detect_closing(d, i, j)), err));
        }
    }
    return cn_skins_choose(d, b, rules, err);
}

static bool has_law_with_ccd(const cn_rules *rules)
{
    bool some = false;
    for (int k = 0; k < rules->entry_count; k++) {
        some = some || cn_law_needs_ccd(&rules->entry[k]);
    }
    return some;
}

// How far shapes s and t may come closer; what is fast is met ahead of the surface by (6.1).
static double way_before_ccd(const cn_detect *d, const cn_bodies *b, int s, int t)
{
    int i = cn_shape_body(b, s), j = cn_shape_body(b, t);
    double closing = cn_detect_closing(d, i, j);
    double size = fmin(cn_shape_size(b, s), cn_shape_size(b, t));
    return cn_detect_is_fast(d, b, i, j, closing, size) ? 0.0 : d->h * closing;
}

// Keeps the pairs of shapes of which one can enter the other, for the look after the solve.
static cn_status keep_turning(cn_detect *d, const cn_bodies *b, const cn_rules *rules,
                              cn_error *err)
{
    cn_ccd *a = &d->ccd;
    a->pair_count = a->look = 0;
    bool some;
    CN_TRY(cn_ccd_mark(a, b, d->shape_count, d->hooks, &some, err));
    if (!some && !has_law_with_ccd(rules)) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(d->hooks, &a->pair, &a->pair_capacity, d->broad.pair_count, err));
    for (size_t n = 0; n < d->broad.pair_count; n++) {
        const cn_pair *pair = &d->broad.pair[n];
        if (pair->b >= d->shape_count) {
            continue;
        }
        bool is_exchanged = b->id[cn_shape_body(b, pair->a)] > b->id[cn_shape_body(b, pair->b)];
        int s = is_exchanged ? pair->b : pair->a, t = is_exchanged ? pair->a : pair->b;
        int i = cn_shape_body(b, s), j = cn_shape_body(b, t), law = law_of(b, rules, i, j);
        bool needs_ccd = cn_law_needs_ccd(&rules->entry[law]);
        if (cn_ccd_may_enter(a, b, s, t, needs_ccd ? way_before_ccd(d, b, s, t) : 0.0)) {
            int sign = is_exchanged ? -1 : 1;
            cn_turning *to = &a->pair[a->pair_count++];
            *to = (cn_turning){.s = s, .t = t, .law = law};
            for (int k = 0; k < 3; k++) {
                to->shift[k] = (signed char)(sign * pair->shift[k]);
            }
        }
    }
    return CN_OK;
}

// Points `first` and following of shapes s and t of bodies i and j, and how many they are.
static int list_touches(const cn_detect *d, const cn_bodies *b, int first, const meeting *of,
                        cn_touch3 touch[CN_TOUCH3_MAX])
{
    int i = cn_shape_body(b, of->s), j = cn_shape_body(b, of->t), count = 0;
    for (int n = first; n < d->point_count; n++, count++) {
        const cn_point *x = &d->point[n];
        if (x->i != i || x->j != j || memcmp(x->shift, of->shift, sizeof x->shift) != 0 ||
            cn_feature_shape_i(b, i, x->feature) != of->s ||
            cn_feature_shape_j(b, j, x->feature) != of->t || count == CN_TOUCH3_MAX) {
            break;
        }
        touch[count] = (cn_touch3){x->point, x->normal, x->gap, (uint32_t)x->feature};
    }
    return count;
}

// Keeps the points of polyhedra that have not moved, for the next look. Points stand in the order
// of the pairs.
static cn_status keep_points(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    int at = 0;
    cn_narrow_cache_begin_points(&d->cache);
    for (size_t n = 0; n < d->broad.pair_count; n++) {
        const cn_pair *pair = &d->broad.pair[n];
        int s = pair->a, t = pair->b;
        if (t >= d->shape_count) {
            continue;
        }
        bool is_exchanged = b->id[cn_shape_body(b, s)] > b->id[cn_shape_body(b, t)];
        int sign = is_exchanged ? -1 : 1;
        const meeting of = {.s = is_exchanged ? t : s,
                            .t = is_exchanged ? s : t,
                            .shift = {(signed char)(sign * pair->shift[0]),
                                      (signed char)(sign * pair->shift[1]),
                                      (signed char)(sign * pair->shift[2])}};
        int count = list_touches(d, b, at, &of, touch);
        bool is_fast = count > 0 && d->point[at].is_fast;
        bool is_kept = is_pair_of_hulls(b, s, t) && !is_fast &&
                       is_unmoved(d, cn_shape_body(b, s), cn_shape_body(b, t));
        if (is_kept && (pair->shift[0] | pair->shift[1] | pair->shift[2]) == 0) {
            CN_TRY(cn_narrow_cache_keep_points(&d->cache, of.s, of.t, touch, count, err));
        }
        at += count;
    }
    return CN_OK;
}

cn_status cn_detect_narrow(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err)
{
    size_t hulls = count_hulls(d, b);
    CN_TRY(cn_narrow_cache_begin(&d->cache, hulls, err));
    d->cache.body_count = hulls > 0 ? d->cache.body_count : 0;
    if (hulls > 0) {
        CN_TRY(cn_narrow_cache_see(&d->cache, b, err));
    }
    narrow all = {.d = d, .b = b, .rules = rules};
    int threads = cn_share(d->thread_count, (int64_t)d->broad.pair_count, SHARED_PAIRS);
    size_t found = 0;
    cn_list points = {(void **)&d->point, sizeof *d->point, &found, &d->point_capacity};
    d->point_count = 0;
    cn_slice_fill *find_points_of = b->dim == 2 ? find_points2 : find_points3;
    CN_TRY(cn_slices_fill(&d->parts, d->hooks, threads, find_points_of, &all, points, err));
    d->point_count = (int)found;
    if (hulls > 0 && d->h > 0.0) {
        CN_TRY(keep_points(d, b, err));
    }
    CN_TRY(keep_turning(d, b, rules, err));
    d->corner_tests = d->edge_tests = 0;
    for (int k = 0; k < cn_slices_count(threads); k++) {
        d->corner_tests += all.look[k].corner_tests;
        d->edge_tests += all.look[k].edge_tests;
    }
    return b->deformables->count > 0 ? meet_skins(d, b, rules, err) : CN_OK;
}
