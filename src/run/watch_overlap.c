// run/watch_overlap.c -- overlaps that contacts do not know: looked for after steps of a run, the
// worst kept and named.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "run/run.h"

static void keep_worst(const cn_overlap *found, cn_overlap *worst)
{
    if (found->deepest.depth > worst->deepest.depth) {
        worst->deepest = found->deepest;
    }
    if (found->unseen.rel > worst->unseen.rel) {
        worst->unseen = found->unseen;
    }
    if (found->phantom.rel > worst->phantom.rel) {
        worst->phantom = found->phantom;
    }
    worst->pair_count += found->pair_count;
    worst->point_count += found->point_count;
}

cn_status cn_run_look(cn_run *run, cn_error *err)
{
    cn_run_overlap *total = &run->report.overlap;
    cn_overlap found;
    if (run->def->audit == CN_AUDIT_OFF) {
        return CN_OK;
    }
    CN_TRY(cn_world_overlap(run->world, &found, err));
    total->look_count++;
    total->missed_count += cn_overlap_is_missed(&found);
    keep_worst(&found, &total->worst);
    return CN_OK;
}

static void name_pair(const cn_scene *scene, const cn_overlap_pair *pair,
                      char name[CN_PAIR_NAME_SIZE])
{
    char i[96], j[96];
    name[0] = '\0';
    if (pair->i > 0 && pair->j <= (cn_body_id)scene->body_count) {
        cn_scene_body_name(scene, (int)pair->i - 1, i);
        cn_scene_body_name(scene, (int)pair->j - 1, j);
        snprintf(name, CN_PAIR_NAME_SIZE, "'%s' and '%s'", i, j);
    }
}

void cn_run_name_overlaps(cn_run *run)
{
    cn_run_overlap *total = &run->report.overlap;
    name_pair(run->scene, &total->worst.deepest, total->deepest_name);
    name_pair(run->scene, &total->worst.unseen, total->unseen_name);
    name_pair(run->scene, &total->worst.phantom, total->phantom_name);
}

static void pack_pair(const cn_overlap_pair *pair, double *to)
{
    const double numbers[] = {(double)pair->i, (double)pair->j, pair->depth,   pair->rel,
                              pair->point[0],  pair->point[1],  pair->point[2]};
    memcpy(to, numbers, sizeof numbers);
}

static cn_overlap_pair unpack_pair(const double *n)
{
    return (cn_overlap_pair){(cn_body_id)n[0], (cn_body_id)n[1], n[2], n[3], {n[4], n[5], n[6]}};
}

void cn_run_pack_overlap(const cn_run *run, double numbers[CN_RUN_OVERLAP_COUNT])
{
    const cn_run_overlap *total = &run->report.overlap;
    numbers[0] = (double)total->look_count;
    numbers[1] = (double)total->missed_count;
    pack_pair(&total->worst.deepest, numbers + 2);
    pack_pair(&total->worst.unseen, numbers + 9);
    pack_pair(&total->worst.phantom, numbers + 16);
}

void cn_run_unpack_overlap(const double numbers[CN_RUN_OVERLAP_COUNT], cn_run *run)
{
    cn_run_overlap *total = &run->report.overlap;
    total->look_count = (int64_t)numbers[0];
    total->missed_count = (int64_t)numbers[1];
    total->worst.deepest = unpack_pair(numbers + 2);
    total->worst.unseen = unpack_pair(numbers + 9);
    total->worst.phantom = unpack_pair(numbers + 16);
}
