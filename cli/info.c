// cli/info.c -- cairn info: what a result file holds and how far it can be trusted.
#include "command.h"
#include "json.h"
#include "log.h"
#include "methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct info_args {
    cn_operands operands;
    bool is_json, with_scene;
} info_args;

static const cn_option options[] = {
    CN_FLAG(0, "json", "one JSON object", info_args, is_json),
    CN_FLAG(0, "scene", "print the scene stored in the result", info_args, with_scene),
    {0},
};

static void json_promise(cn_json *json, const char *name, const cn_promise *p)
{
    cn_json_object_begin(json, name);
    cn_json_number(json, "misfit_mean_m", p->mean_m);
    cn_json_number(json, "misfit_worst_m", p->worst_m);
    cn_json_number(json, "force_mean_N", p->force_mean_N);
    cn_json_number(json, "outlier_share", p->outlier_share);
    cn_json_object_end(json);
}

static void print_json(const cn_summary *s, int damaged)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "title", s->title);
    cn_json_text(&json, "outcome", s->outcome);
    cn_json_bool(&json, "complete", s->is_complete);
    cn_json_integer(&json, "damaged", damaged);
    cn_json_text(&json, "scene", s->scene_path);
    cn_json_text(&json, "version", s->version);
    cn_json_integer(&json, "dimension", s->dim);
    cn_json_integer(&json, "steps", s->steps);
    cn_json_integer(&json, "frames", s->frames);
    cn_json_number(&json, "time", s->time);
    cn_json_integer(&json, "bodies", s->bodies);
    cn_json_integer(&json, "contacts_max", s->contacts_max);
    cn_json_number(&json, "residual_max", s->residual_max);
    cn_json_number(&json, "residual_rms_max", s->residual_rms_max);
    cn_json_text(&json, "accuracy", cn_accuracy_row(s->accuracy)->name);
    json_promise(&json, "asked", &s->asked);
    json_promise(&json, "reached", &s->reached);
    cn_json_number(&json, "penetration_max_m", s->penetration_max_m);
    cn_json_number(&json, "penetration_max_rel", s->penetration_max_rel);
    cn_json_number(&json, "creep_max_m", s->creep_max_m);
    cn_json_text(&json, "missed_criterion", cn_criterion_name(s->missed_criterion));
    cn_json_number(&json, "missed_value", s->missed_value);
    cn_json_number(&json, "missed_asked", s->missed_asked);
    cn_json_integer(&json, "missed_step", s->missed_step);
    cn_json_integer(&json, "overlap_looks", s->overlap_looks);
    cn_json_integer(&json, "overlap_missed", s->overlap_missed);
    cn_json_number(&json, "overlap_max_m", s->overlap.deepest.depth);
    cn_json_text(&json, "overlap_max_pair", s->overlap_name[0]);
    cn_json_number(&json, "overlap_unseen_m", s->overlap.unseen.depth);
    cn_json_number(&json, "overlap_unseen_rel", s->overlap.unseen.rel);
    cn_json_text(&json, "overlap_unseen_pair", s->overlap_name[1]);
    cn_json_number(&json, "overlap_phantom_m", s->overlap.phantom.depth);
    cn_json_number(&json, "overlap_phantom_rel", s->overlap.phantom.rel);
    cn_json_text(&json, "overlap_phantom_pair", s->overlap_name[2]);
    cn_json_number(&json, "energy_error", s->energy_error);
    cn_json_number(&json, "drive_error_max_m", s->drive_error_max_m);
    cn_json_integer(&json, "rigid_steps", s->rigid_steps);
    cn_json_integer(&json, "cut_steps", s->cut_steps);
    cn_json_repeats(&json, s->repeats);
    cn_json_integer(&json, "nonconverged_steps", s->nonconverged_steps);
    cn_json_integer(&json, "joints_max", s->joints_max);
    cn_json_number(&json, "joint_gap_max_m", s->joint_gap_max_m);
    cn_json_integer(&json, "painleve_steps", s->painleve_steps);
    cn_json_integer(&json, "sweeps_total", s->sweeps_total);
    cn_methods_json(&json, s->iterations, NULL);
    cn_json_integer(&json, "indeterminate", s->indeterminate);
    cn_json_number(&json, "wall_seconds", s->wall_seconds);
    cn_json_stages(&json, "seconds_by_stage", s->seconds_by_stage);
    cn_json_object_begin(&json, "energy_J");
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        cn_json_number(&json, cn_energy_row_name((cn_energy_row)k), s->energy_total[k]);
    }
    cn_json_object_end(&json);
    cn_json_integer(&json, "seed", (int64_t)s->seed);
    cn_json_hash(&json, "state_hash", s->state_hash);
    cn_json_end(&json);
}

// The bodies of a finding: by names, which only runs that ended know, or by ids.
static void print_pair(const cn_overlap_pair *pair, const char *name)
{
    if (name[0] != '\0') {
        printf(" of %s", name);
    } else if (pair->i != 0) {
        printf(" of bodies %" PRIu64 " and %" PRIu64, pair->i, pair->j);
    }
}

static void print_overlap(const cn_summary *s)
{
    const cn_overlap *o = &s->overlap;
    if (s->overlap_looks == 0) {
        return; // switched off, or a file of an older version
    }
    printf("  overlap        %.2e m at worst", o->deepest.depth);
    print_pair(&o->deepest, s->overlap_name[0]);
    printf("; unseen by contacts %.2e m, phantom %.2e m, in %" PRId64 " looks\n", o->unseen.depth,
           o->phantom.depth, s->overlap_looks);
    if (s->overlap_missed > 0 && o->unseen.rel > CN_OVERLAP_MISSED) {
        printf("                 MISSED: an overlap that no contact knows");
        print_pair(&o->unseen, s->overlap_name[1]);
        printf(", %.2e of the smaller\n", o->unseen.rel);
    }
    if (s->overlap_missed > 0 && o->phantom.rel > CN_OVERLAP_MISSED) {
        printf("                 MISSED: a contact pushes bodies that are apart");
        print_pair(&o->phantom, s->overlap_name[2]);
        printf(", %.2e of the smaller\n", o->phantom.rel);
    }
}

// " 'floor' and 'wedge'", by ids where there are no names, nothing if there are no bodies.
static void print_bodies(const cn_reader *reader, const char *before, const cn_body_id id[2])
{
    const char *join = before;
    for (int side = 0; side < 2; side++) {
        const char *name = id[side] != 0 ? cn_reader_body_name(reader, id[side]) : NULL;
        if (name != NULL && name[0] != '\0') {
            printf("%s '%s'", join, cn_shown(name));
        } else if (id[side] != 0) {
            printf("%s body %" PRIu64, join, id[side]);
        }
        join = id[side] != 0 ? " and" : join;
    }
}

// One quantity of a step: what was asked for, where anything was, and the most that was missed.
static void print_one_promise(const char *what, double asked, double reached, double factor)
{
    char text[32] = "-";
    if (asked > 0.0) {
        snprintf(text, sizeof text, "%.2e", factor * asked);
    }
    printf("    %-36s %9s  %9.2e\n", what, text, factor * reached);
}

// What the word promises of every step, in millimetres and newtons, and what came of it.
static void print_promise(const cn_summary *s)
{
    const cn_accepted *word = cn_accuracy_row(s->accuracy);
    const cn_promise *asked = &s->asked, *reached = &s->reached;
    if (asked->worst_m == 0.0) {
        return; // a file of an older version
    }
    printf("  accuracy       %s, %s; of every step:   promised   at worst\n", word->name,
           word->use);
    print_one_promise("largest misfit of a contact [mm]", asked->worst_m, reached->worst_m, 1e3);
    print_one_promise("mean misfit [mm]", asked->mean_m, reached->mean_m, 1e3);
    print_one_promise("mean force that is missed [N]", asked->force_mean_N, reached->force_mean_N,
                      1.0);
    if (word->is_bulk && word->outlier_share < 1.0) {
        print_one_promise("contacts beyond ten times the mean", asked->outlier_share,
                          reached->outlier_share, 1.0);
    }
}

static void print_missed(const cn_reader *reader, const cn_summary *s)
{
    if (s->missed_criterion == CN_CRITERION_NONE) {
        return;
    }
    printf("                 most in step %" PRId64 ": %s %.3g", s->missed_step,
           cn_criterion_name(s->missed_criterion), s->missed_value);
    if (s->missed_asked > 0.0) {
        printf(", asked %.3g,", s->missed_asked);
    }
    print_bodies(reader, " at", s->missed);
    printf("\n");
}

static void print_run(const char *path, const cn_reader *reader, const cn_summary *s)
{
    printf("%s: %s\n", cn_shown(path), cn_shown(s->title));
    printf("  outcome        %s\n", s->is_complete ? cn_shown(s->outcome)
                                                   : "incomplete: the run was ended from outside; "
                                                     "what follows holds up to the last frame");
    printf("  scene          %s, cairn %s, seed %" PRIu64 "\n", cn_shown(s->scene_path),
           cn_shown(s->version), s->seed);
    printf("  steps          %" PRId64 " to t = %.6g s, %d frames\n", s->steps, s->time, s->frames);
    printf("  bodies         %d in %dD, at most %" PRId64 " contacts\n", s->bodies, s->dim,
           s->contacts_max);
    printf("  residual       %.2e at worst, %" PRId64 " sweeps", s->residual_max, s->sweeps_total);
    print_bodies(reader, "; worst at", s->worst);
    printf("\n");
    print_promise(s);
    cn_methods_print(stdout, s->iterations, NULL);
    bool is_missed = 100 * s->nonconverged_steps > s->steps;
    printf("  not converged  %" PRId64 " steps%s\n", s->nonconverged_steps,
           is_missed ? ", MISSED: more than 1 % of all" : "");
    print_missed(reader, s);
    if (s->painleve_steps > 0) {
        printf("  Painleve       %" PRId64 " steps had a contact whose solution is not unique\n",
               s->painleve_steps);
    }
    printf("  penetration    %.2e m at worst, %.2e of the smaller body", s->penetration_max_m,
           s->penetration_max_rel);
    print_bodies(reader, ":", s->deepest);
    printf("\n");
    if (s->creep_max_m > 0.0) {
        printf("  creep          %.2e m at most, of a contact that sticks", s->creep_max_m);
        print_bodies(reader, ":", s->creep);
        printf("\n");
    }
    if (s->drive_error_max_m > 0.0) {
        printf("  drives         %.1e m from what was imposed at worst\n", s->drive_error_max_m);
    }
    if (s->rigid_steps > 0) {
        printf("  springs        %" PRId64 " steps were too long for some, which were held rigid\n",
               s->rigid_steps);
    }
    if (s->cut_steps > 0) {
        printf("  cut            %" PRId64 " steps, where fast bodies meet\n", s->cut_steps);
    }
    char repeats[160];
    if (cn_repeats_text(s->repeats, repeats, sizeof repeats)) {
        printf("  solved again   %s\n", repeats);
    }
    print_overlap(s);
    if (s->joints_max > 0) {
        printf("  joints         %" PRId64 ", open by %.2e m at worst\n", s->joints_max,
               s->joint_gap_max_m);
    }
    if (s->indeterminate >= 0) {
        printf("  indeterminate  %d free parameters of the impulses in the last step\n",
               s->indeterminate);
    }
}

static void print_energy(const cn_summary *s)
{
    printf("  energy         closes to %.1e; changes and losses since the start [J]:\n",
           s->energy_error);
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        if (s->energy_total[k] != 0.0) {
            printf("    %-12s %14.6e\n", cn_energy_row_name((cn_energy_row)k), s->energy_total[k]);
        }
    }
}

// Deformable bodies in the last frame, and how far their mean stress is from what forces on them
// say (theory 11.32): at rest it is rounding.
static cn_status print_meshes(cn_reader *reader, cn_error *err)
{
    cn_frame f;
    cn_status status = cn_reader_frame(reader, -1, &f, err);
    double *M =
        status == CN_OK && f.mesh_count > 0 ? malloc(9 * (size_t)f.body_count * sizeof *M) : NULL;
    if (M == NULL) {
        return status;
    }
    double most = 0.0, apart = 0.0;
    int nodes = 0;
    cn_frame_moments(&f, M);
    for (int k = 0; k < f.mesh_count; k++) {
        static const int place[6] = {0, 4, 8, 1, 5, 6};
        const cn_frame_mesh *m = &f.mesh[k];
        nodes += m->node_count;
        for (int n = 0; n < 6; n++) {
            bool is_in_plane = n < 2 || n == 3; // forces say nothing of what is across
            if ((f.dim == 3 || is_in_plane) && !isnan(m->volume)) {
                most = fmax(most, fabs(m->mean[n]));
                apart = fmax(apart, fabs(m->mean[n] - M[9 * m->body + place[n]] / m->volume));
            }
        }
    }
    printf("  deformable     %d bodies, %d nodes", f.mesh_count, nodes);
    if (!isnan(f.mesh[0].volume)) { // files of older versions do not know
        printf("; mean stress up to %.3g Pa, %.3g Pa from the moments of forces", most, apart);
    }
    printf("\n");
    free(M);
    return CN_OK;
}

static void print_times(const cn_summary *s)
{
    printf("  wall time      %.3g s:", s->wall_seconds);
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        printf(" %s %.2g", cn_stage_name((cn_stage)k), s->seconds_by_stage[k]);
    }
    printf("\n  state hash     %016" PRIx64 "\n", s->state_hash);
}

static cn_status print_range(cn_reader *reader, const char *name, cn_error *err)
{
    cn_column column;
    cn_status status = cn_reader_column(reader, name, &column, err);
    if (status != CN_OK) {
        return status;
    }
    double least = INFINITY, most = -INFINITY;
    for (int64_t n = 0; n < column.count; n++) {
        least = fmin(least, column.value[n]);
        most = fmax(most, column.value[n]);
    }
    if (column.count > 0) {
        printf("    %-24s %14.6g %14.6g\n", cn_shown(name), least, most);
    }
    return CN_OK;
}

static bool is_series(const char *name)
{
    return strncmp(name, "series/", 7) == 0;
}

// What `cairn plot` can draw: the columns of every result by name, the observed series with ranges.
static cn_status print_columns(cn_reader *reader, bool is_damaged, cn_error *err)
{
    int count = cn_reader_column_count(reader), series = 0, width = 100;
    printf("  history        one row per step, columns:");
    for (int k = 0; k < count; k++) {
        const char *name = cn_reader_column_name(reader, k);
        if (is_series(name)) {
            series++;
            continue;
        }
        width += (int)strlen(name) + 1;
        if (width > 96) {
            printf("\n   ");
            width = 4 + (int)strlen(name);
        }
        printf(" %s", cn_shown(name));
    }
    printf("\n%s", series > 0 ? "  series         observed, least and largest:\n" : "");
    cn_status status = CN_OK;
    for (int k = 0; k < count && status == CN_OK; k++) {
        const char *name = cn_reader_column_name(reader, k);
        status = is_series(name) ? print_range(reader, name, err) : CN_OK;
        if (is_damaged && status == CN_IO) {
            printf("    %-24s damaged\n", cn_shown(name));
            status = CN_OK;
        }
    }
    return status;
}

// Prints the stored scene as it is; control characters do not reach a terminal.
static void print_scene(const char *text)
{
    size_t size = 4 * strlen(text) + 1;
    char *shown = isatty(STDOUT_FILENO) ? malloc(size) : NULL;
    fputs(shown != NULL ? cn_text_shown(text, shown, size) : text, stdout);
    free(shown);
}

static void tell_damage(void *context, const char *line)
{
    fprintf(stderr, "cairn info: error: %s: %s; what is shown leaves it out\n",
            (const char *)context, line);
}

// A run that writes a frame while its result is read changes the index of rows under the reader:
// about one look in fifty at a run of 10^4 frames a second found damage that the next did not.
static int open_and_verify(const char *path, cn_reader **reader, int *damaged)
{
    enum { LOOKS = 5, PAUSE = 5000 }; // [us]
    cn_error err = {0};
    cn_status status = CN_OK;
    for (int k = 0; k < LOOKS; k++) {
        int code = cn_command_open(&cn_command_info, path, reader);
        if (code != CN_PARSE_GO) {
            return code;
        }
        status = cn_reader_verify(*reader, NULL, NULL, damaged, &err);
        bool may_be_running = !cn_reader_summary(*reader)->is_complete && k + 1 < LOOKS;
        if (status != CN_OK || *damaged == 0 || !may_be_running) {
            break;
        }
        cn_reader_close(*reader);
        usleep(PAUSE);
    }
    if (status == CN_OK && *damaged > 0) {
        status = cn_reader_verify(*reader, tell_damage, (void *)path, damaged, &err);
    }
    if (status != CN_OK) {
        cn_reader_close(*reader);
        return cn_command_fail(&cn_command_info, status, &err);
    }
    return CN_PARSE_GO;
}

static int run(void *given)
{
    const info_args *args = given;
    cn_reader *reader = NULL;
    int damaged = 0;
    int code = open_and_verify(args->operands.item[0], &reader, &damaged);
    if (code != CN_PARSE_GO) {
        return code;
    }
    const cn_summary *summary = cn_reader_summary(reader);
    cn_error err = {0};
    cn_status status = CN_OK;
    if (args->with_scene) {
        print_scene(cn_reader_scene_text(reader));
    } else if (args->is_json) {
        print_json(summary, damaged);
    } else {
        print_run(args->operands.item[0], reader, summary);
        print_energy(summary);
        print_times(summary);
        status = damaged == 0 ? print_meshes(reader, &err) : CN_OK;
        status = status == CN_OK ? print_columns(reader, damaged > 0, &err) : status;
    }
    cn_reader_close(reader);
    code = cn_command_fail(&cn_command_info, status, &err);
    return code == CN_EXIT_OK && damaged > 0 ? CN_EXIT_IO : code;
}

const cn_command cn_command_info = {
    .name = "info",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "summarise a result: provenance, energy, residual, penetration",
    .details =
        "All of the file is checked against its checksums; what is damaged is named, the rest\n"
        "is shown, and the exit code is 4.",
    .option = options,
    .args_size = sizeof(info_args),
    .run = run,
};
