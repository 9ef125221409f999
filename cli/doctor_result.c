// cli/doctor_result.c -- what to change in the next run of a scene, told by the result of this one.
#include "doctor.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Shares and ratios from which on something is told. They are thresholds of advice only.
#define MISSED_SHARE 0.01 // of the steps: what a run itself calls missed
#define DEEP 1e-3         // penetration over the smaller body
#define LOOSE 1e-8        // closing error of the energy ledger
#define HEAVY 1e3         // ratio of masses in contact
#define MANY_SWEEPS 200.0 // per step
#define FRAMES_LOOKED_AT 20

typedef struct examination {
    cn_reader *reader;
    const cn_summary *s;
    int missed, advised;
} examination;

static void tell(const char *kind, const char *format, va_list list)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, list);
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        printf("  %-8s %.*s\n", line == text ? kind : "",
               (int)(end != NULL ? end - line : (long)strlen(line)), line);
        line = end != NULL ? end + 1 : NULL;
    }
}

CN_PRINTF(2, 3)
static void miss(examination *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell("missed", format, list);
    va_end(list);
    e->missed++;
}

CN_PRINTF(2, 3)
static void advise(examination *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell("advice", format, list);
    va_end(list);
    e->advised++;
}

// "'a' and 'b'", "body 7 and 'b'"; "" if nobody is known.
static const char *pair_name(const examination *e, const cn_body_id id[2], char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int side = 0; side < 2 && id[side] != 0; side++) {
        const char *name = cn_reader_body_name(e->reader, id[side]);
        const char *join = side > 0 ? " and " : "";
        int wrote =
            name != NULL
                ? snprintf(text + used, size - used, "%s'%.60s'", join, cn_shown(name))
                : snprintf(text + used, size - used, "%sbody %" PRIu64, join, (uint64_t)id[side]);
        used += wrote > 0 && (size_t)wrote < size - used ? (size_t)wrote : 0;
    }
    return text;
}

static double mean_step(const cn_summary *s)
{
    return s->steps > 0 ? s->time / (double)s->steps : 0.0;
}

static void examine_end(examination *e)
{
    const cn_summary *s = e->s;
    if (!s->is_complete) {
        miss(e,
             "the run did not end properly; its frames up to t = %g s are sound.\n"
             "Go on with 'cairn run SCENE --restart NAME.ckpt.h5'",
             s->time);
    }
}

static void examine_convergence(examination *e)
{
    const cn_summary *s = e->s;
    char where[200];
    if (s->nonconverged_steps == 0) {
        return;
    }
    bool is_missed = (double)s->nonconverged_steps > MISSED_SHARE * (double)s->steps;
    pair_name(e, s->missed, where, sizeof where);
    (is_missed ? miss : advise)(
        e,
        "%" PRId64 " of %" PRId64 " steps missed their accuracy, most of all step %" PRId64
        ": %s %.2g%s%s.\nTry half the step (%.2g s now): 'cairn run SCENE --step %.2g'; more "
        "sweeps, "
        "'solver: {sweep_max: ...}';\nor, if a rough answer will do, 'solver: {accuracy: flow}'",
        s->nonconverged_steps, s->steps, s->missed_step, cn_criterion_name(s->missed_criterion),
        s->missed_value, where[0] != '\0' ? " between " : "", where, mean_step(s),
        mean_step(s) / 2.0);
}

static void examine_depth(examination *e)
{
    const cn_summary *s = e->s;
    char where[200];
    if (s->overlap_missed > 0) {
        miss(e,
             "bodies overlap where contacts know nothing of it, or contacts push bodies that are "
             "apart\n(%" PRId64 " of %" PRId64 " looks): %s",
             s->overlap_missed, s->overlap_looks,
             cn_shown(s->overlap_name[1][0] != '\0' ? s->overlap_name[1] : s->overlap_name[2]));
    }
    if (s->penetration_max_rel > DEEP) {
        advise(e,
               "bodies enter each other by %.2g of the smaller one, deepest %s.\n"
               "A shorter step finds contacts earlier (%.2g s now); bodies that overlap in frame 0 "
               "are told by 'cairn check'",
               s->penetration_max_rel, pair_name(e, s->deepest, where, sizeof where), mean_step(s));
    }
    if (s->rigid_steps > 0) {
        advise(e,
               "%" PRId64 " steps were too long for the springs of some contacts, which were held "
               "rigid:\nshorten the step, or lower 'stiffness' of the law",
               s->rigid_steps);
    }
}

static void examine_energy(examination *e)
{
    if (e->s->energy_error > LOOSE) {
        advise(e,
               "the energy ledger closes to %.1e only (1e-10 is usual): tell the authors of cairn",
               e->s->energy_error);
    }
}

// Free bodies of the last frame that press each other: the largest ratio of their masses.
static void examine_masses(examination *e, const cn_frame *f)
{
    double worst = 1.0;
    cn_body_id id[2] = {0};
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        bool is_free = f->fixed[c->i] == 0 && f->fixed[c->j] == 0;
        double i = cn_reader_mass(e->reader, f->id[c->i]),
               j = cn_reader_mass(e->reader, f->id[c->j]);
        double ratio = fmax(i / j, j / i);
        if (is_free && c->r[0] > 0.0 && i > 0.0 && j > 0.0 && ratio > worst) {
            worst = ratio;
            id[0] = f->id[c->i];
            id[1] = f->id[c->j];
        }
    }
    char where[200];
    double sweeps = e->s->steps > 0 ? (double)e->s->sweeps_total / (double)e->s->steps : 0.0;
    if (worst > HEAVY && sweeps > MANY_SWEEPS) {
        advise(e,
               "masses differ by a factor of %.2g between %s, and steps take %.0f sweeps:\n"
               "hold or drive the heavy one ('fixed', 'drive') if its own motion does not matter",
               worst, pair_name(e, id, where, sizeof where), sweeps);
    }
}

// Laws that no contact of the frames looked at obeys.
static cn_status examine_laws(examination *e, cn_error *err)
{
    int law_count = cn_reader_law_count(e->reader), frames = e->s->frames;
    bool *is_met = calloc((size_t)law_count + 1, sizeof *is_met);
    cn_status status = is_met != NULL ? CN_OK : CN_NO_MEMORY;
    int count = frames < FRAMES_LOOKED_AT ? frames : FRAMES_LOOKED_AT;
    for (int k = 0; k < count && status == CN_OK; k++) {
        cn_frame f;
        int index = count > 1 ? (int)((long)k * (frames - 1) / (count - 1)) : frames - 1;
        status = cn_reader_frame(e->reader, index, &f, err);
        for (int a = 0; status == CN_OK && a < f.contact_count; a++) {
            int law = f.contact[a].law;
            is_met[law >= 0 && law < law_count ? law : law_count] = true;
        }
        if (status == CN_OK && k == count - 1) {
            examine_masses(e, &f);
        }
    }
    for (int k = 0; k < law_count && status == CN_OK; k++) {
        if (!is_met[k]) {
            advise(e,
                   "law %d of the scene (%s) met no contact in %d frames: is it where you want it "
                   "under 'contacts'?",
                   k + 1, cn_reader_law(e->reader, k)->name, count);
        }
    }
    free(is_met);
    return status;
}

// Where the time went, and what of it can be saved.
static void examine_time(examination *e)
{
    const cn_summary *s = e->s;
    double stages = 0.0;
    int most = 0;
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        stages += s->seconds_by_stage[k];
        most = s->seconds_by_stage[k] > s->seconds_by_stage[most] ? k : most;
    }
    if (s->steps == 0 || s->wall_seconds < 1.0) {
        return; // nobody waits for less
    }
    double sweeps = (double)s->sweeps_total / (double)s->steps;
    printf("  time     %.3g s, %.2g ms a step; %.0f %% of it in %s\n", s->wall_seconds,
           1e3 * s->wall_seconds / (double)s->steps,
           100.0 * s->seconds_by_stage[most] / s->wall_seconds, cn_stage_name((cn_stage)most));
    if (s->wall_seconds - stages > 0.3 * s->wall_seconds && s->frames > 100) {
        advise(e,
               "%.0f %% of the time went outside the steps, into %d frames and checkpoints:\n"
               "raise 'output: {every: ...}'",
               100.0 * (1.0 - stages / s->wall_seconds), s->frames);
    }
    if (most == CN_STAGE_SOLVE && sweeps > MANY_SWEEPS) {
        advise(e,
               "a step takes %.0f sweeps: a shorter step starts nearer to its answer, a lower "
               "'accuracy' asks for less",
               sweeps);
    }
}

cn_status cn_doctor_examine(cn_reader *reader, int *found, cn_error *err)
{
    examination e = {.reader = reader, .s = cn_reader_summary(reader)};
    printf("%s: %" PRId64 " steps to t = %g s, %d frames\n", cn_shown(e.s->title), e.s->steps,
           e.s->time, e.s->frames);
    examine_end(&e);
    examine_convergence(&e);
    examine_depth(&e);
    examine_energy(&e);
    cn_status status = examine_laws(&e, err);
    examine_time(&e);
    if (e.missed + e.advised == 0 && status == CN_OK) {
        printf("  fine     nothing to change\n");
    }
    *found = e.missed;
    return status;
}
