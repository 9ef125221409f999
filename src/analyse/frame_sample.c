// analyse/frame_sample.c
#include "analyse/frame_sample.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

double cn_reader_content(const cn_reader *reader, cn_body_id id)
{
    int count = 0;
    const cn_shape_def *shape = cn_reader_shapes(reader, id, &count);
    if (count > 0) {
        return cn_content(shape, NULL, count);
    }
    const cn_solid_def *solid = cn_reader_solids(reader, id, &count);
    return cn_content(NULL, solid, count);
}

cn_status cn_frame_sample_begin(cn_frame_sample *f, cn_reader *reader, const char *of,
                                cn_error *err)
{
    *f = (cn_frame_sample){.reader = reader, .group = -1};
    for (int k = 0; of != NULL && k < cn_reader_group_count(reader); k++) {
        if (strcmp(cn_reader_group_name(reader, k), of) == 0) {
            f->group = k;
        }
    }
    return of == NULL || f->group >= 0
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "no bodies are called '%.60s'", of);
}

// Bodies may come and go between frames.
static cn_status reserve(cn_frame_sample *f, int count, cn_error *err)
{
    size_t bodies = (size_t)count;
    CN_TRY(cn_reserve(NULL, &f->is_in, &f->in_capacity, bodies, err));
    CN_TRY(cn_reserve(NULL, &f->mass, &f->mass_capacity, bodies, err));
    CN_TRY(cn_reserve(NULL, &f->content, &f->content_capacity, bodies, err));
    return cn_reserve(NULL, &f->room, &f->room_capacity, CN_SAMPLE_ROOM * bodies, err);
}

cn_status cn_frame_sample_count_from(cn_frame_sample *f, int frame, cn_error *err)
{
    int frames = cn_reader_summary(f->reader)->frames, k = frame < 0 ? frames + frame : frame;
    if (k < 0 || k >= frames) {
        return cn_fail(err, CN_BAD_INPUT, "there is no frame %d to count from: the result has %d",
                       frame, frames);
    }
    CN_TRY(cn_reader_frame(f->reader, k, &f->frame, err));
    const cn_frame *x = &f->frame;
    size_t bodies = (size_t)x->body_count, numbers = bodies * (size_t)x->dim;
    CN_TRY(cn_reserve(NULL, &f->known, &f->known_capacity, bodies, err));
    CN_TRY(cn_reserve(NULL, &f->known_at, &f->known_at_capacity, numbers, err));
    f->known_count = x->body_count;
    for (int i = 0; i < x->body_count; i++) {
        f->known[i] = x->id[i];
        memcpy(f->known_at + x->dim * i, x->q + x->q_size * i, sizeof(double) * (size_t)x->dim);
    }
    return CN_OK;
}

// Place of a body in the reference, -1: it was not there. Bodies keep their order.
static int find_known(const cn_frame_sample *f, cn_body_id id, int near)
{
    for (int n = 0; n < f->known_count; n++) {
        int k = (near + n) % f->known_count;
        if (f->known[k] == id) {
            return k;
        }
    }
    return -1;
}

static cn_status find_ways(cn_frame_sample *f, cn_error *err)
{
    const cn_frame *x = &f->frame;
    size_t numbers = (size_t)x->body_count * (size_t)x->dim;
    CN_TRY(cn_reserve(NULL, &f->start, &f->start_capacity, numbers, err));
    CN_TRY(cn_reserve(NULL, &f->way, &f->way_capacity, numbers, err));
    for (int i = 0, k = 0; i < x->body_count; i++) {
        int at = find_known(f, x->id[i], k);
        for (int d = 0; d < x->dim; d++) {
            double start = at >= 0 ? f->known_at[x->dim * at + d] : NAN;
            f->start[x->dim * i + d] = start;
            f->way[x->dim * i + d] = x->q[x->q_size * i + d] - start;
        }
        k = at >= 0 ? at + 1 : k;
    }
    f->sample.start = f->start;
    f->sample.way = f->way;
    return CN_OK;
}

cn_status cn_frame_sample_read(cn_frame_sample *f, int frame, bool takes_content, cn_error *err)
{
    CN_TRY(cn_reader_frame(f->reader, frame, &f->frame, err));
    CN_TRY(reserve(f, f->frame.body_count, err));
    for (int i = 0; i < f->frame.body_count; i++) {
        // a wall that moves along one axis only is no part of what it presses
        f->is_in[i] = f->group >= 0 ? f->frame.group[i] == f->group : f->frame.fixed[i] == 0;
        f->mass[i] = cn_reader_mass(f->reader, f->frame.id[i]);
        f->content[i] =
            f->is_in[i] && takes_content ? cn_reader_content(f->reader, f->frame.id[i]) : NAN;
    }
    f->sample = cn_sample_of_frame(&f->frame);
    f->sample.is_in = f->is_in;
    f->sample.mass = f->mass;
    f->sample.room = f->room;
    f->sample.content = f->content;
    return f->known_count > 0 && f->frame.cell == NULL ? find_ways(f, err) : CN_OK;
}

void cn_frame_sample_end(cn_frame_sample *f)
{
    CN_RELEASE(f->is_in, f->mass, f->content, f->room, f->known, f->known_at, f->start, f->way);
}
