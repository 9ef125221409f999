// base/radix.c -- sort by digits, the least significant first.
#include "base/radix.h"

#include <string.h>

#include "base/tasks.h"

// Few things are sorted by small digits: a large one costs a pass over all its values.
enum { DIGIT_BITS = 11, DIGIT_COUNT = 1 << DIGIT_BITS, SMALL_BITS = 8, FEW = 1024 };

enum { PART_MAX = 16, SHARED_MIN = 16384 };

// The array is cut into parts, one for each thread. Counts of all digits by part tell where each
// part puts its entries; as a sort of the whole would, whatever the number of parts.
typedef struct pass {
    int start[PART_MAX][DIGIT_COUNT];
    cn_keyed *from, *to;
    int count, shift, bits, parts;
} pass;

static int part_start(const pass *x, int part)
{
    return (int)((int64_t)x->count * part / x->parts);
}

static void count_digits(pass *x, int part)
{
    int *start = x->start[part], end = part_start(x, part + 1), shift = x->shift;
    const uint64_t mask = ((uint64_t)1 << x->bits) - 1;
    const cn_keyed *from = x->from;
    memset(start, 0, sizeof *start << x->bits);
    for (int k = part_start(x, part); k < end; k++) {
        start[from[k].key >> shift & mask]++;
    }
}

// From counts to places.
static void add_up(pass *x)
{
    for (int digit = 0, sum = 0; digit < 1 << x->bits; digit++) {
        for (int part = 0; part < x->parts; part++) {
            int here = x->start[part][digit];
            x->start[part][digit] = sum;
            sum += here;
        }
    }
}

static void place(pass *x, int part)
{
    int *start = x->start[part], end = part_start(x, part + 1), shift = x->shift;
    const uint64_t mask = ((uint64_t)1 << x->bits) - 1;
    const cn_keyed *from = x->from;
    cn_keyed *to = x->to;
    for (int k = part_start(x, part); k < end; k++) {
        to[start[from[k].key >> shift & mask]++] = from[k];
    }
}

static void sort_by_digit(pass *x)
{
    if (x->parts == 1) {
        count_digits(x, 0);
        add_up(x);
        place(x, 0);
        return;
    }
#pragma omp parallel num_threads(x->parts)
    {
#pragma omp for schedule(static, 1)
        for (int part = 0; part < x->parts; part++) {
            count_digits(x, part);
        }
#pragma omp single
        add_up(x);
#pragma omp for schedule(static, 1)
        for (int part = 0; part < x->parts; part++) {
            place(x, part);
        }
    }
}

void cn_radix_sort(cn_keyed *entry, int count, uint64_t by, cn_keyed *room, int thread_count)
{
    const int bits = count < FEW ? SMALL_BITS : DIGIT_BITS;
    int parts = cn_share(thread_count, count, SHARED_MIN);
    pass x; // not initialised: it is large, and each pass fills what it reads
    x.from = entry;
    x.to = room;
    x.count = count;
    x.bits = bits;
    x.parts = parts < PART_MAX ? parts : PART_MAX;
    for (int bit = 0; bit < 64; bit++) {
        if (by >> bit & 1) {
            x.shift = bit;
            sort_by_digit(&x);
            bit += bits - 1;
            cn_keyed *sorted = x.to;
            x.to = x.from;
            x.from = sorted;
        }
    }
    if (x.from != entry) {
        memcpy(entry, x.from, (size_t)count * sizeof *entry);
    }
}
