// viewer/series.c -- curves of the step history, thin enough to be drawn.
#include <math.h>

#include "base/memory.h"
#include "result/reader.h"
#include "viewer/viewer_scene.h"

#define POINTS_MAX 8000 // of a curve: more than a screen is wide

// The lowest and the highest of each bucket, in the order in which they come.
static size_t thin(const double *time, const double *value, int64_t count, float *points)
{
    int64_t buckets = POINTS_MAX / 2;
    size_t used = 0;
    for (int64_t b = 0; b < buckets; b++) {
        int64_t first = count * b / buckets, last = count * (b + 1) / buckets;
        int64_t low = first, high = first;
        for (int64_t k = first; k < last; k++) {
            low = value[k] < value[low] || isnan(value[low]) ? k : low;
            high = value[k] > value[high] || isnan(value[high]) ? k : high;
        }
        int64_t pair[2] = {low < high ? low : high, low < high ? high : low};
        for (int n = 0; n < 2; n++, used++) {
            points[2 * used] = (float)time[pair[n]];
            points[2 * used + 1] = (float)value[pair[n]];
        }
    }
    return used;
}

cn_status cn_viewer_series(cn_reader *reader, int k, cn_blocks *blocks, cn_error *err)
{
    if (k < 0 || k >= cn_reader_column_count(reader)) {
        return cn_fail(err, CN_BAD_INPUT, "there is no series %d; there are %d", k,
                       cn_reader_column_count(reader));
    }
    cn_column time, value;
    CN_TRY(cn_reader_column(reader, "time", &time, err));
    CN_TRY(cn_reader_column(reader, cn_reader_column_name(reader, k), &value, err));
    CN_TRY(cn_blocks_begin(blocks, err));
    bool is_long = value.count > POINTS_MAX;
    float *point;
    CN_TRY(cn_blocks_add(blocks, "points", CN_BLOCK_FLOAT, 2, is_long ? POINTS_MAX : value.count,
                         &point, err));
    if (is_long) {
        thin(time.value, value.value, value.count, point);
        return CN_OK;
    }
    for (int64_t n = 0; n < value.count; n++) {
        point[2 * n] = (float)time.value[n];
        point[2 * n + 1] = (float)value.value[n];
    }
    return CN_OK;
}
