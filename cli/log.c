// cli/log.c -- lines for people and for programs while a run goes. A line is due whenever another
// 5 % of the simulated time has passed, after 10 s of silence, and with -v at every frame.
#include "log.h"

#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double line_share = 0.05;           // of the simulated time
static const double silence_max = 10.0;          // [s]
static const double live_every = 0.1;            // [s]
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
            names->threads, names->threads == 1 ? "" : "s", names->scene_path, names->scene_hash);
    if (names->title[0] != '\0') {
        fprintf(log->out, "%s%s%s\n", bold, names->title, plain);
    }
    if (names->restart_path != NULL) {
        fprintf(log->out, "continues from %s\n", names->restart_path);
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

// Time left if the rest goes as fast as the part done; an upper bound when a stage may end early.
static double time_left(const cn_log *log, const cn_progress *p, double now)
{
    double done = p->certificate->time - log->time_first;
    double left = fmax(p->time_end - p->certificate->time, 0.0);
    return done > 0.0 ? (now - log->start) * left / done : NAN;
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
            c->status == CN_NOT_CONVERGED ? "  not converged" : "");
    // What the residual means, once and wherever it is too large.
    if (c->status == CN_NOT_CONVERGED || (!log->is_explained && c->contact_count > 0)) {
        fprintf(log->out, "%9s this step may add %.1e m of penetration", "", c->added_penetration);
        if (c->joint_count > 0) {
            fprintf(log->out, ", joints are open by %.1e m", c->joint_gap);
        }
        fprintf(log->out, "\n");
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
            p->stage, bar, 100.0 * share, p->certificate->time, p->certificate->contact_count,
            p->certificate->solver.residual.err_v, format_wall(time_left(log, p, now), left));
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
    fprintf(log->out, "stage %s\n", p->stage);
}

void cn_log_step(cn_log *log, const cn_progress *p)
{
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
    cn_json_number(&json, "residual_max", r->residual_max);
    cn_json_number(&json, "residual_rigid_max", log->rigid_residual);
    cn_json_number(&json, "added_penetration_max_m", log->added_penetration);
    cn_json_number(&json, "penetration_max_m", r->penetration_max);
    cn_json_number(&json, "penetration_max_rel", r->penetration_max_rel);
    cn_json_number(&json, "energy_error", r->energy_error);
    cn_json_integer(&json, "nonconverged_steps", r->nonconverged_steps);
    cn_json_integer(&json, "sweeps_total", r->sweeps);
    cn_json_object_begin(&json, "seconds_by_stage");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        cn_json_number(&json, cn_stage_name((cn_stage)k), r->seconds_by_stage[k]);
    }
    cn_json_object_end(&json);
    cn_json_hash(&json, "state_hash", r->state_hash);
    cn_json_text(&json, "result", names->result_path);
    cn_json_integer(&json, "problems", r->problem_count);
    cn_json_end(&json);
}

// The stages of a step that took the most time, largest first; the rest is output and the like.
static void print_times(FILE *out, const cn_run_report *r)
{
    double stages = 0.0;
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        stages += r->seconds_by_stage[k];
    }
    double total = fmax(r->wall_seconds, stages);
    fprintf(out, "  time spent     ");
    bool is_told[CN_STAGE_COUNT] = {false};
    for (int n = 0; n < 4 && total > 0.0; n++) {
        int most = -1;
        for (int k = 0; k < CN_STAGE_COUNT; k++) {
            if (!is_told[k] && (most < 0 || r->seconds_by_stage[k] > r->seconds_by_stage[most])) {
                most = k;
            }
        }
        is_told[most] = true;
        fprintf(out, "%s %.0f %%, ", cn_stage_name((cn_stage)most),
                100.0 * r->seconds_by_stage[most] / total);
    }
    fprintf(out, "output and rest %.0f %%\n",
            total > 0.0 ? 100.0 * fmax(total - stages, 0.0) / total : 0.0);
}

static void print_nonconverged(const cn_log *log, const cn_run_report *r)
{
    const char *red = log->has_color && r->nonconverged_steps > 0 ? "\033[31m" : "";
    const char *plain = red[0] != '\0' ? "\033[0m" : "";
    fprintf(log->out, "  not converged  %s%" PRId64 " of %" PRId64 " steps%s\n", red,
            r->nonconverged_steps, r->steps, plain);
}

// The elastic step solves another law: how far it is from the rigid one.
static void print_elastic(const cn_log *log)
{
    if (!isfinite(log->elastic_c)) {
        return;
    }
    fprintf(log->out, "  rigid law      residual %.2e at worst; contacts are springs, c = %.3g\n",
            log->rigid_residual, log->elastic_c);
    if (log->elastic_c > elastic_c_unique) {
        fprintf(log->out,
                "                 so stiff that a step is practically rigid: where bodies "
                "slide it may have several solutions\n");
    }
}

static void print_penetration(cn_log *log, const cn_run_report *r)
{
    fprintf(log->out, "  penetration    %.2e m at worst, %.2e of the smaller body\n",
            r->penetration_max, r->penetration_max_rel);
    if (r->penetration_max_rel > penetration_rel_seen) {
        fprintf(log->out, "                 that can be seen: a shorter step makes it less, and "
                          "form: displacement in the law heals it\n");
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
        fprintf(log->out, "%s\n", r->outcome); // a failure is told as the error of the command
    }
    fprintf(log->out, "  steps          %" PRId64 " to t = %.6g s, %" PRId64 " sweeps\n", r->steps,
            r->time, r->sweeps);
    fprintf(log->out, "  wall time      %.3g s\n", r->wall_seconds);
    print_times(log->out, r);
    fprintf(log->out, "  residual       %.2e at worst: at most %.2e m of penetration per step\n",
            r->residual_max, log->added_penetration);
    print_elastic(log);
    print_penetration(log, r);
    fprintf(log->out, "  energy         closes to %.1e\n", r->energy_error);
    print_nonconverged(log, r);
    fprintf(log->out, "  state hash     %016" PRIx64 "\n", r->state_hash);
    fprintf(log->out, "  result         %s\n", names->result_path);
    if (r->problem_count > 0) {
        fprintf(log->out, "  problems       %d recorded: cairn solve %s/*.hdf5\n", r->problem_count,
                names->problem_folder);
    } else if (names->has_asked_for_problems) {
        fprintf(log->out, "  problems       none: no step of those asked for has a contact\n");
    }
    if (status == CN_STOPPED) {
        fprintf(log->out, "next: cairn run %s -o %s --restart %s\n", names->scene_path,
                names->result_path, names->checkpoint_path);
    } else if (status == CN_OK) {
        fprintf(log->out, "next: cairn render %s\n", names->result_path);
    }
}
