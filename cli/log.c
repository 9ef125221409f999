// cli/log.c -- lines for people and for programs while a run goes. A line is due whenever another
// 5 % of the simulated time has passed, after 10 s of silence, and with -v at every frame.
#include "log.h"

#include "command.h"
#include "json.h"
#include "methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double line_share = 0.05;   // of the simulated time
static const double silence_max = 10.0;  // [s]
static const double live_every = 0.1;    // [s]
static const double overlap_soft = 1e-3; // of a body, what springs may give way without a word
static const double elastic_c_unique = 1000.0;   // steps of more hardness have several solutions
static const double penetration_rel_seen = 0.01; // of the smaller body: pictures show it [-]

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cn_log cn_log_open(FILE *out, bool is_quiet, bool is_verbose, bool is_json)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool is_terminal = isatty(fileno(out)) && (term == NULL || strcmp(term, "dumb") != 0);
    double now = wall_clock();
    return (cn_log){
        .out = out,
        .is_quiet = is_quiet,
        .is_verbose = is_verbose,
        .is_json = is_json,
        .is_live = is_terminal && !is_quiet && !is_json,
        .has_color = is_terminal && (no_color == NULL || no_color[0] == '\0'),
        .start = now,
        .line_last = now,
        .time_first = NAN,
        .step_last = -1,
        .elastic_c = INFINITY,
    };
}

static void print_header_json(cn_log *log, const cn_log_names *names)
{
    cn_json json = cn_json_begin(log->out);
    cn_json_text(&json, "event", "start");
    cn_json_text(&json, "version", cn_version());
    cn_json_integer(&json, "threads", names->threads);
    cn_json_text(&json, "scene", names->scene_path);
    cn_json_text(&json, "title", names->title);
    cn_json_hash(&json, "scene_hash", names->scene_hash);
    cn_json_text(&json, "result", names->result_path);
    cn_json_end(&json);
}

void cn_log_told(void *context, const char *line)
{
    cn_log *log = context;
    if (log->is_json) {
        cn_json json = cn_json_begin(log->out);
        cn_json_text(&json, "event", "note");
        cn_json_text(&json, "text", line);
        cn_json_end(&json);
    } else if (!log->is_quiet) {
        fprintf(log->out, "%s\n", cn_shown(line));
    }
}

void cn_log_header(cn_log *log, const cn_log_names *names)
{
    if (log->is_quiet) {
        return;
    }
    if (log->is_json) {
        print_header_json(log, names);
        return;
    }
    const char *bold = log->has_color ? "\033[1m" : "";
    const char *plain = log->has_color ? "\033[0m" : "";
    fprintf(log->out, "cairn %s, %d thread%s, scene %s, hash %016" PRIx64 "\n", cn_version(),
            names->threads, names->threads == 1 ? "" : "s", cn_shown(names->scene_path),
            names->scene_hash);
    if (names->title[0] != '\0') {
        fprintf(log->out, "%s%s%s\n", bold, cn_shown(names->title), plain);
    }
    if (names->restart_path != NULL) {
        fprintf(log->out, "continues from %s\n", cn_shown(names->restart_path));
    }
}

static void clear_live(cn_log *log)
{
    if (log->live_is_shown) {
        fputs("\r\033[K", log->out);
        log->live_is_shown = false;
    }
}

// Seconds as 12s, 3m04, 2h05.
static const char *format_wall(double seconds, char text[16])
{
    if (!(seconds < 359999.0)) {
        snprintf(text, 16, "-");
    } else if (seconds < 10.0) {
        snprintf(text, 16, "%.1fs", seconds);
    } else if (seconds < 100.0) {
        snprintf(text, 16, "%.0fs", seconds);
    } else if (seconds < 6000.0) {
        snprintf(text, 16, "%dm%02d", (int)seconds / 60, (int)seconds % 60);
    } else {
        snprintf(text, 16, "%dh%02d", (int)seconds / 3600, (int)seconds / 60 % 60);
    }
    return text;
}

// The pace is that of the last half to three quarters of the run so far, so that a slow beginning
// is forgotten soon.
static void move_marks(cn_log *log, const cn_progress *p, double now)
{
    if (now - log->pace_begin > 2.0 * (log->mark_next.wall - log->pace_begin)) {
        log->mark = log->mark_next;
        log->mark_next = (cn_log_mark){now, p->certificate->time};
    }
}

// Time left if the rest goes as fast as the last part did; an upper bound when a stage may end
// early. NaN before the second step.
static double time_left(const cn_log *log, const cn_progress *p, double now)
{
    double done = p->certificate->time - log->mark.time;
    double left = fmax(p->time_end - p->certificate->time, 0.0);
    return done > 0.0 ? (now - log->mark.wall) * left / done : NAN;
}

static void print_line_json(cn_log *log, const cn_progress *p, double now)
{
    const cn_certificate *c = p->certificate;
    cn_json json = cn_json_begin(log->out);
    cn_json_text(&json, "event", "step");
    cn_json_text(&json, "stage", p->stage);
    cn_json_integer(&json, "step", c->step);
    cn_json_number(&json, "time", c->time);
    cn_json_number(&json, "dt", c->h);
    cn_json_integer(&json, "contacts", c->contact_count);
    cn_json_integer(&json, "iters", c->solver.sweep_count);
    cn_json_number(&json, "residual", c->solver.residual.err_v);
    cn_json_number(&json, "residual_rigid", c->solver.rigid.err_v);
    cn_json_number(&json, "added_penetration_m", c->added_penetration);
    cn_json_number(&json, "gap_min", p->gap_min);
    cn_json_number(&json, "E_kin", p->ledger->kinetic);
    cn_json_number(&json, "wall", now - log->start);
    cn_json_number(&json, "ETA", time_left(log, p, now));
    cn_json_integer(&json, "nonconverged_steps", p->nonconverged_steps);
    if (p->missed != NULL) {
        cn_json_text(&json, "criterion", cn_criterion_name(c->solver.criterion));
        cn_json_text(&json, "missed", p->missed);
    }
    cn_json_end(&json);
}

static void print_columns(cn_log *log)
{
    fprintf(log->out, "%9s %11s %9s %9s %6s %9s %10s %10s %6s %6s\n", "step", "time", "dt",
            "contacts", "iters", "residual", "gap_min", "E_kin", "wall", "ETA");
}

static void print_line(cn_log *log, const cn_progress *p, double now)
{
    const cn_certificate *c = p->certificate;
    char wall[16], left[16], gap[16] = "-";
    if (isfinite(p->gap_min)) {
        snprintf(gap, sizeof gap, "%.2e", p->gap_min);
    }
    fprintf(log->out, "%9" PRId64 " %11.6g %9.3g %9d %6d %9.2e %10s %10.3e %6s %6s%s\n", c->step,
            c->time, c->h, c->contact_count, c->solver.sweep_count, c->solver.residual.err_v, gap,
            p->ledger->kinetic, format_wall(now - log->start, wall),
            format_wall(time_left(log, p, now), left),
            !c->solver.is_converged ? "  not converged" : "");
    // What the residual means, once and wherever it is too large.
    if (!c->solver.is_converged || (!log->is_explained && c->contact_count > 0)) {
        fprintf(log->out, "%9s this step may add %.1e m of penetration", "", c->added_penetration);
        if (c->joint_count > 0) {
            fprintf(log->out, ", joints are open by %.1e m", c->joint_gap);
        }
        fprintf(log->out, "\n");
        if (p->missed != NULL) {
            fprintf(log->out, "%9s %s\n", "", p->missed);
        }
        log->is_explained = true;
    }
}

static void print_due(cn_log *log, const cn_progress *p, double now)
{
    clear_live(log);
    if (log->is_json) {
        print_line_json(log, p, now);
    } else {
        print_line(log, p, now);
    }
    log->line_last = now;
    log->step_last = p->certificate->step;
    while (log->time_next <= p->certificate->time && p->time_end > log->time_first) {
        log->time_next += line_share * (p->time_end - log->time_first);
    }
}

static void print_live(cn_log *log, const cn_progress *p, double now)
{
    double share = (p->certificate->time - log->time_first) / (p->time_end - log->time_first);
    share = share >= 0.0 && share <= 1.0 ? share : 0.0;
    char bar[25], left[16];
    int filled = (int)(24.0 * share);
    for (int k = 0; k < 24; k++) {
        bar[k] = k < filled ? '#' : '.';
    }
    bar[24] = '\0';
    fprintf(log->out, "\r\033[K%s [%s] %3.0f%%  t %.5g s  %d contacts  residual %.1e  ETA %s",
            cn_shown(p->stage), bar, 100.0 * share, p->certificate->time,
            p->certificate->contact_count, p->certificate->solver.residual.err_v,
            format_wall(time_left(log, p, now), left));
    fflush(log->out);
    log->live_is_shown = true;
    log->live_last = now;
}

static void enter_stage(cn_log *log, const cn_progress *p)
{
    snprintf(log->stage, sizeof log->stage, "%s", p->stage);
    if (log->is_json) {
        return;
    }
    clear_live(log);
    if (log->step_last < 0) {
        print_columns(log);
    }
    fprintf(log->out, "stage %s\n", cn_shown(p->stage));
}

// Keeps what is missed by most; nothing is more than no solution.
static void keep_missed(cn_log *log, const cn_progress *p)
{
    const cn_solver_report *s = &p->certificate->solver;
    double ratio = s->asked > 0.0 ? s->value / s->asked : INFINITY;
    if (p->missed != NULL && (log->missed[0] == '\0' || ratio > log->missed_ratio)) {
        snprintf(log->missed, sizeof log->missed, "%s", p->missed);
        log->missed_ratio = ratio;
        log->missed_step = p->certificate->step;
    }
}

static void print_beat_json(cn_log *log, const cn_beat *b, const char *where)
{
    cn_json json = cn_json_begin(log->out);
    cn_json_text(&json, "event", "beat");
    cn_json_integer(&json, "step", b->step);
    cn_json_number(&json, "time", b->time);
    cn_json_number(&json, "seconds", b->seconds);
    cn_json_integer(&json, "contacts", b->contact_count);
    cn_json_text(&json, "method", b->is_solving ? cn_method_name(b->method) : "");
    cn_json_integer(&json, "iterations", b->iteration_count);
    cn_json_integer(&json, "sweeps", b->sweep_count);
    cn_json_number(&json, "error_over_asked", b->error);
    cn_json_text(&json, "worst", where);
    cn_json_end(&json);
}

void cn_log_beat(cn_log *log, const cn_beat *b, const char *where)
{
    if (log->is_quiet) {
        return;
    }
    clear_live(log);
    if (log->is_json) {
        print_beat_json(log, b, where);
    } else if (b->is_solving) {
        fprintf(log->out,
                "%9" PRId64 " goes on for %.0f s: %d contacts, %s, %d iterations, %d sweeps, error "
                "%.3g times what is asked%s%s\n",
                b->step, b->seconds, b->contact_count, cn_method_name(b->method),
                b->iteration_count, b->sweep_count, b->error, where[0] != '\0' ? ", worst at " : "",
                where);
    } else {
        fprintf(log->out, "%9" PRId64 " goes on for %.0f s: %d contacts\n", b->step, b->seconds,
                b->contact_count);
    }
    fflush(log->out);
    log->line_last = wall_clock();
}

void cn_log_step(cn_log *log, const cn_progress *p)
{
    keep_missed(log, p);
    const cn_solver_report *solver = &p->certificate->solver;
    log->added_penetration = fmax(log->added_penetration, p->certificate->added_penetration);
    log->elastic_c = fmin(log->elastic_c, solver->elastic_c);
    log->rigid_residual = fmax(log->rigid_residual, solver->rigid.err_v);
    if (isnan(log->time_first)) {
        log->time_first = p->certificate->time - p->certificate->h;
        log->time_next = log->time_first;
    }
    if (log->is_quiet) {
        return;
    }
    bool is_first = strncmp(log->stage, p->stage, sizeof log->stage - 1) != 0;
    if (is_first) {
        enter_stage(log, p);
    }
    double now = wall_clock();
    if (log->step_last < 0) { // set-up and the first step tell nothing of the others
        log->mark = log->mark_next = (cn_log_mark){now, p->certificate->time};
        log->pace_begin = now;
    }
    move_marks(log, p, now);
    if (is_first || p->certificate->time >= log->time_next || now - log->line_last > silence_max ||
        (log->is_verbose && p->is_frame)) {
        print_due(log, p, now);
    } else if (log->is_live && now - log->live_last > live_every) {
        print_live(log, p, now);
    }
}

static void print_summary_json(cn_log *log, const cn_log_names *names, const cn_run_report *r)
{
    cn_json json = cn_json_begin(log->out);
    cn_json_text(&json, "event", "end");
    cn_json_text(&json, "outcome", r->outcome);
    cn_json_integer(&json, "steps", r->steps);
    cn_json_number(&json, "time", r->time);
    cn_json_number(&json, "wall_seconds", r->wall_seconds);
    cn_json_number(&json, "cpu_seconds", r->processor_seconds);
    cn_json_number(&json, "output_seconds", r->output_seconds);
    cn_json_integer(&json, "not_entered", r->waiting_count);
    cn_json_number(&json, "residual_max", r->residual_max);
    cn_json_number(&json, "residual_rigid_max", log->rigid_residual);
    cn_json_number(&json, "added_penetration_max_m", log->added_penetration);
    cn_json_number(&json, "penetration_max_m", r->penetration_max);
    cn_json_number(&json, "penetration_max_rel", r->penetration_max_rel);
    cn_json_integer(&json, "overlap_looks", r->overlap.look_count);
    cn_json_integer(&json, "overlap_missed", r->overlap.missed_count);
    cn_json_number(&json, "overlap_max_m", r->overlap.worst.deepest.depth);
    cn_json_number(&json, "overlap_unseen_m", r->overlap.worst.unseen.depth);
    cn_json_number(&json, "overlap_phantom_m", r->overlap.worst.phantom.depth);
    cn_json_number(&json, "energy_error", r->energy_error);
    cn_json_text(&json, "penetration_bodies", r->deepest);
    cn_json_number(&json, "given_J", r->given);
    cn_json_number(&json, "drive_error_max_m", r->drive_error);
    cn_json_integer(&json, "rigid_steps", r->rigid_steps);
    cn_json_integer(&json, "cut_steps", r->cut_steps);
    cn_json_repeats(&json, r->repeats);
    cn_json_integer(&json, "nonconverged_steps", r->nonconverged_steps);
    cn_json_text(&json, "missed", r->missed);
    cn_json_integer(&json, "sweeps_total", r->sweeps);
    cn_methods_json(&json, r->iterations, r->seconds_by_method);
    cn_json_stages(&json, "seconds_by_stage", r->seconds_by_stage);
    cn_json_stages(&json, "cpu_seconds_by_stage", r->processor_by_stage);
    cn_json_hash(&json, "state_hash", r->state_hash);
    cn_json_text(&json, "result", names->result_path);
    cn_json_integer(&json, "problems", r->problem_count);
    cn_json_end(&json);
}

// Seconds of each stage of a step, of output and of the rest, on the wall and of all threads.
static void print_times(FILE *out, const cn_run_report *r)
{
    double wall = r->wall_seconds - r->output_seconds, used = r->processor_seconds;
    fprintf(out, "  wall time      %.3g s, processor time of all threads %.3g s\n", r->wall_seconds,
            r->processor_seconds);
    fprintf(out, "    stage       ");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        fprintf(out, " %8s", cn_stage_name((cn_stage)k));
        wall -= r->seconds_by_stage[k];
        used -= r->processor_by_stage[k];
    }
    fprintf(out, " %8s %8s\n    wall [s]    ", "output", "rest");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        fprintf(out, " %8.2g", r->seconds_by_stage[k]);
    }
    fprintf(out, " %8.2g %8.2g\n    all threads ", r->output_seconds, fmax(wall, 0.0));
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        fprintf(out, " %8.2g", r->processor_by_stage[k]);
    }
    fprintf(out, " %17.2g\n", fmax(used, 0.0));
}

// What the audit judges (theory 9.6 to 9.8), as far as there is something to tell.
static void print_judgement(const cn_log *log, const cn_run_report *r)
{
    if (r->given > 0.0) {
        fprintf(log->out, "  given          %.3g J by contacts: restitution, depth given back\n",
                r->given);
    }
    if (r->drive_error > 0.0) {
        fprintf(log->out, "  drives         %.1e m from what was imposed at worst\n",
                r->drive_error);
    }
    if (r->rigid_steps > 0) {
        fprintf(log->out,
                "  springs        %" PRId64 " steps were too long for some, which were held rigid: "
                "a shorter step resolves them\n",
                r->rigid_steps);
    }
    if (r->cut_steps > 0) {
        fprintf(log->out, "  cut            %" PRId64 " steps, where fast bodies meet\n",
                r->cut_steps);
    }
    char repeats[160];
    if (cn_repeats_text(r->repeats, repeats, sizeof repeats)) {
        fprintf(log->out, "  solved again   %s\n", repeats);
    }
}

void cn_json_stages(cn_json *json, const char *key, const double seconds[CN_STAGE_COUNT])
{
    cn_json_object_begin(json, key);
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        cn_json_number(json, cn_stage_name((cn_stage)k), seconds[k]);
    }
    cn_json_object_end(json);
}

void cn_json_repeats(cn_json *json, const int64_t repeats[CN_REPEAT_COUNT])
{
    cn_json_object_begin(json, "solved_again");
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        cn_json_integer(json, cn_repeat_name((cn_repeat)k), repeats[k]);
    }
    cn_json_object_end(json);
}

bool cn_repeats_text(const int64_t repeats[CN_REPEAT_COUNT], char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < CN_REPEAT_COUNT && used < size; k++) {
        if (repeats[k] > 0) {
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s %" PRId64, used > 0 ? ", " : "",
                                 cn_repeat_name((cn_repeat)k), repeats[k]);
        }
    }
    return used > 0;
}

static void print_nonconverged(const cn_log *log, const cn_run_report *r)
{
    const char *red = log->has_color && r->nonconverged_steps > 0 ? "\033[31m" : "";
    const char *plain = red[0] != '\0' ? "\033[0m" : "";
    fprintf(log->out, "  not converged  %s%" PRId64 " of %" PRId64 " steps%s\n", red,
            r->nonconverged_steps, r->steps, plain);
    if (log->missed[0] != '\0') {
        fprintf(log->out, "                 most in step %" PRId64 ": %s\n", log->missed_step,
                log->missed);
    }
    if (r->missed[0] != '\0') {
        red = log->has_color ? "\033[31m" : "";
        fprintf(log->out, "  MISSED         %s%s: exit code 6%s\n", red, r->missed,
                log->has_color ? "\033[0m" : "");
    }
}

// Bodies that a source could not bring in are not part of the answer.
static void print_waiting(const cn_log *log, const cn_run_report *r)
{
    if (r->waiting_count > 0) {
        fprintf(
            log->out,
            "  not entered    %d bod%s, %s first: there was no room, or their turn did not come\n",
            r->waiting_count, r->waiting_count == 1 ? "y" : "ies", r->waiting);
    }
}

// The elastic step solves another law: how far it is from the rigid one.
static void print_elastic(const cn_log *log, const cn_run_report *r)
{
    if (!isfinite(log->elastic_c)) {
        return;
    }
    fprintf(log->out, "  rigid law      residual %.2e at worst; contacts are springs, c = %.3g\n",
            log->rigid_residual, log->elastic_c);
    if (r->penetration_max_rel > overlap_soft) { // which falls as h^2
        fprintf(log->out,
                "                 that give way by %.1e of a body: steps %.2g times shorter would "
                "keep it below %.0e\n",
                r->penetration_max_rel, sqrt(r->penetration_max_rel / overlap_soft), overlap_soft);
    }
    if (log->elastic_c > elastic_c_unique) {
        fprintf(log->out,
                "                 so stiff that a step is practically rigid: where bodies "
                "slide it may have several solutions\n");
    }
}

static void print_penetration(cn_log *log, const cn_run_report *r)
{
    fprintf(log->out, "  penetration    %.2e m at worst, %.2e of the smaller body",
            r->penetration_max, r->penetration_max_rel);
    fprintf(log->out, r->deepest[0] != '\0' ? ": %s\n" : "%s\n", r->deepest);
    if (r->penetration_max_rel > penetration_rel_seen) {
        fprintf(log->out, "                 that can be seen: a shorter step makes it less, and "
                          "form: displacement in the law heals it\n");
    }
}

static void print_missed(const cn_log *log, const char *what, const cn_overlap_pair *pair,
                         const char *name)
{
    const char *red = log->has_color ? "\033[31m" : "", *plain = log->has_color ? "\033[0m" : "";
    if (pair->rel > CN_OVERLAP_MISSED) {
        fprintf(
            log->out,
            "                 %sMISSED: %s %s by %.2e m, %.2e of the smaller, near (%.4g, %.4g, "
            "%.4g)%s\n",
            red, what, name, pair->depth, pair->rel, pair->point[0], pair->point[1], pair->point[2],
            plain);
    }
}

// Overlaps that contacts do not know are faults of the program: nothing the user did is wrong.
static void print_overlap(const cn_log *log, const cn_run_overlap *o)
{
    if (o->look_count == 0) {
        return;
    }
    fprintf(log->out,
            "  overlap        %.2e m at worst%s%s; unseen by contacts %.2e m, phantom %.2e m\n",
            o->worst.deepest.depth, o->deepest_name[0] != '\0' ? " of " : "", o->deepest_name,
            o->worst.unseen.depth, o->worst.phantom.depth);
    print_missed(log, "no contact knows the overlap of", &o->worst.unseen, o->unseen_name);
    print_missed(log, "a contact pushes bodies that are apart,", &o->worst.phantom,
                 o->phantom_name);
    if (o->missed_count > 0) {
        fprintf(log->out,
                "                 the result cannot be trusted: try a shorter step or another mesh "
                "of these bodies, and report the scene\n");
    }
}

void cn_log_summary(cn_log *log, const cn_log_names *names, const cn_run_report *r,
                    cn_status status)
{
    clear_live(log);
    if (log->is_quiet) {
        return;
    }
    if (log->is_json) {
        print_summary_json(log, names, r);
        return;
    }
    if (status == CN_OK || status == CN_STOPPED) {
        fprintf(log->out, "%s\n",
                cn_shown(r->outcome)); // a failure is told as the error of the command
    }
    fprintf(log->out, "  steps          %" PRId64 " to t = %.6g s, %" PRId64 " sweeps\n", r->steps,
            r->time, r->sweeps);
    cn_methods_print(log->out, r->iterations, r->seconds_by_method);
    print_times(log->out, r);
    fprintf(log->out, "  residual       %.2e at worst: at most %.2e m of penetration per step\n",
            r->residual_max, log->added_penetration);
    print_elastic(log, r);
    print_penetration(log, r);
    print_overlap(log, &r->overlap);
    fprintf(log->out, "  energy         closes to %.1e\n", r->energy_error);
    print_judgement(log, r);
    print_nonconverged(log, r);
    print_waiting(log, r);
    fprintf(log->out, "  state hash     %016" PRIx64 "\n", r->state_hash);
    fprintf(log->out, "  result         %s\n", cn_shown(names->result_path));
    if (r->problem_count > 0) {
        fprintf(log->out, "  problems       %d recorded: cairn solve %s/*.hdf5\n", r->problem_count,
                cn_shown(names->problem_folder));
    } else if (names->has_asked_for_problems) {
        fprintf(log->out, "  problems       none: no step of those asked for has a contact\n");
    }
    if (status == CN_STOPPED) {
        fprintf(log->out, "next: cairn run %s -o %s --restart %s\n", cn_shown(names->scene_path),
                cn_shown(names->result_path), cn_shown(names->checkpoint_path));
    } else if (status == CN_OK) {
        fprintf(log->out, "next: cairn render %s\n", cn_shown(names->result_path));
    }
}
