// detect/images.c -- the boxes of what a periodic cell repeats, theory 15.7.
//
// A pair (a, c + C s) is also the pair (c, a - C s), so only images with a positive s are entered,
// in the order z, y, x: the last component that is not 0 decides. Every pair is then found once.
#include "detect/images.h"

#include "body/cell.h"

// All positive shifts along the periodic axes.
static int list_shifts(const cn_cell *c, signed char shift[13][3])
{
    int count = 0;
    for (int z = 0; z <= 1; z++) {
        for (int y = z == 0 ? 0 : -1; y <= 1; y++) {
            for (int x = z == 0 && y == 0 ? 1 : -1; x <= 1; x++) {
                bool is_there = (c->is_periodic[0] || x == 0) && (c->is_periodic[1] || y == 0) &&
                                (c->is_periodic[2] || z == 0);
                if (is_there) {
                    shift[count][0] = (signed char)x;
                    shift[count][1] = (signed char)y;
                    shift[count++][2] = (signed char)z;
                }
            }
        }
    }
    return count;
}

static cn_box3 moved(cn_box3 box, cn_vec3 by)
{
    return (cn_box3){cn_add3(box.lo, by), cn_add3(box.hi, by)};
}

cn_box3 cn_box_merge(cn_box3 a, cn_box3 b)
{
    return (cn_box3){{fmin(a.lo.x, b.lo.x), fmin(a.lo.y, b.lo.y), fmin(a.lo.z, b.lo.z)},
                     {fmax(a.hi.x, b.hi.x), fmax(a.hi.y, b.hi.y), fmax(a.hi.z, b.hi.z)}};
}

static bool overlap(const cn_box3 *a, const cn_box3 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

// The box of everything that is repeated.
static cn_box3 bounds(const cn_detect *d, const cn_bodies *b)
{
    cn_box3 all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int s = 0; s < d->shape_count; s++) {
        if (cn_cell_repeats(b, cn_shape_body(b, s))) {
            all = cn_box_merge(all, d->box[s]);
        }
    }
    return all;
}

// Where an image is relative to the shape: at q_mid and, if that may count, at q.
static cn_box3 box_of_image(const cn_detect *d, const cn_cell *c, const cn_image *image)
{
    cn_box3 box = moved(d->box[image->shape], cn_cell_offset(c->C_mid, image->shift));
    cn_box3 at_start = moved(d->box[image->shape], cn_cell_offset(c->C, image->shift));
    return cn_box_merge(box, at_start);
}

cn_status cn_images_place(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    const cn_cell *c = b->cell;
    signed char shift[13][3];
    int shifts = list_shifts(c, shift);
    cn_box3 all = bounds(d, b);
    d->image_count = 0;
    for (int s = 0; s < d->shape_count; s++) {
        for (int k = 0; k < shifts && cn_cell_repeats(b, cn_shape_body(b, s)); k++) {
            cn_image image = {s, {shift[k][0], shift[k][1], shift[k][2]}};
            cn_box3 box = box_of_image(d, c, &image);
            if (!overlap(&box, &all)) {
                continue;
            }
            size_t count = (size_t)d->image_count + 1;
            CN_TRY(cn_reserve(d->hooks, &d->image, &d->image_capacity, count, err));
            CN_TRY(cn_reserve(d->hooks, &d->box, &d->box_capacity, (size_t)d->shape_count + count,
                              err));
            d->image[d->image_count] = image;
            d->box[d->shape_count + d->image_count++] = box;
        }
    }
    return CN_OK;
}

int cn_image_shape(const cn_detect *d, int box)
{
    return box < d->shape_count ? box : d->image[box - d->shape_count].shape;
}

bool cn_images_may_pair(const cn_detect *d, const cn_bodies *b, int a, int c)
{
    int i = cn_shape_body(b, cn_image_shape(d, a)), j = cn_shape_body(b, cn_image_shape(d, c));
    bool is_image = a >= d->shape_count || c >= d->shape_count;
    return !(a >= d->shape_count && c >= d->shape_count) &&
           (!is_image || (cn_cell_repeats(b, i) && cn_cell_repeats(b, j)));
}

void cn_images_name(cn_detect *d)
{
    for (size_t n = 0; n < d->broad.pair_count; n++) {
        cn_pair *pair = &d->broad.pair[n];
        if (pair->b >= d->shape_count) {
            const cn_image *image = &d->image[pair->b - d->shape_count];
            for (int k = 0; k < 3; k++) {
                pair->shift[k] = image->shift[k];
            }
            pair->b = image->shape;
        }
    }
}
