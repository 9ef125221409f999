// cli/info.c -- cairn info: what a result file holds and how far it can be trusted.
#include "command.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct info_args {
    cn_operands operands;
    bool is_json, with_scene;
} info_args;

static const cn_option options[] = {
    {0, "json", CN_OPTION_FLAG, NULL, "one JSON object", offsetof(info_args, is_json)},
    {0, "scene", CN_OPTION_FLAG, NULL, "print the scene stored in the result",
     offsetof(info_args, with_scene)},
    {0},
};

static void print_json(const cn_summary *s)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "title", s->title);
    cn_json_text(&json, "outcome", s->outcome);
    cn_json_bool(&json, "complete", s->is_complete);
    cn_json_text(&json, "scene", s->scene_path);
    cn_json_text(&json, "version", s->version);
    cn_json_integer(&json, "dimension", s->dim);
    cn_json_integer(&json, "steps", s->steps);
    cn_json_integer(&json, "frames", s->frames);
    cn_json_number(&json, "time", s->time);
    cn_json_integer(&json, "bodies", s->bodies);
    cn_json_integer(&json, "contacts_max", s->contacts_max);
    cn_json_number(&json, "residual_max", s->residual_max);
    cn_json_number(&json, "penetration_max_m", s->penetration_max_m);
    cn_json_number(&json, "penetration_max_rel", s->penetration_max_rel);
    cn_json_number(&json, "energy_error", s->energy_error);
    cn_json_integer(&json, "nonconverged_steps", s->nonconverged_steps);
    cn_json_integer(&json, "joints_max", s->joints_max);
    cn_json_number(&json, "joint_gap_max_m", s->joint_gap_max_m);
    cn_json_integer(&json, "painleve_steps", s->painleve_steps);
    cn_json_integer(&json, "sweeps_total", s->sweeps_total);
    cn_json_integer(&json, "indeterminate", s->indeterminate);
    cn_json_number(&json, "wall_seconds", s->wall_seconds);
    cn_json_object_begin(&json, "seconds_by_stage");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        cn_json_number(&json, cn_stage_name((cn_stage)k), s->seconds_by_stage[k]);
    }
    cn_json_object_end(&json);
    cn_json_object_begin(&json, "energy_J");
    for (int k = 0; k < CN_ENERGY_ROW_COUNT; k++) {
        cn_json_number(&json, cn_energy_row_name((cn_energy_row)k), s->energy_total[k]);
    }
    cn_json_object_end(&json);
    cn_json_integer(&json, "seed", (int64_t)s->seed);
    cn_json_hash(&json, "state_hash", s->state_hash);
    cn_json_end(&json);
}

static void print_run(const char *path, const cn_summary *s)
{
    printf("%s: %s\n", path, s->title);
    printf("  outcome        %s\n", s->is_complete ? s->outcome
                                                   : "incomplete: the run was ended from outside; "
                                                     "what follows holds up to the last frame");
    printf("  scene          %s, cairn %s, seed %" PRIu64 "\n", s->scene_path, s->version, s->seed);
    printf("  steps          %" PRId64 " to t = %.6g s, %d frames\n", s->steps, s->time, s->frames);
    printf("  bodies         %d in %dD, at most %" PRId64 " contacts\n", s->bodies, s->dim,
           s->contacts_max);
    printf("  residual       %.2e at worst, %" PRId64 " sweeps\n", s->residual_max,
           s->sweeps_total);
    printf("  not converged  %" PRId64 " steps\n", s->nonconverged_steps);
    if (s->painleve_steps > 0) {
        printf("  Painleve       %" PRId64 " steps had a contact whose solution is not unique\n",
               s->painleve_steps);
    }
    printf("  penetration    %.2e m at worst, %.2e of the smaller body\n", s->penetration_max_m,
           s->penetration_max_rel);
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
// say (theory 11.23): at rest it is rounding.
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
        printf("    %-24s %14.6g %14.6g\n", name, least, most);
    }
    return CN_OK;
}

static bool is_series(const char *name)
{
    return strncmp(name, "series/", 7) == 0;
}

// What `cairn plot` can draw: the columns of every result by name, the observed series with ranges.
static cn_status print_columns(cn_reader *reader, cn_error *err)
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
        printf(" %s", name);
    }
    printf("\n%s", series > 0 ? "  series         observed, least and largest:\n" : "");
    cn_status status = CN_OK;
    for (int k = 0; k < count && status == CN_OK; k++) {
        const char *name = cn_reader_column_name(reader, k);
        status = is_series(name) ? print_range(reader, name, err) : CN_OK;
    }
    return status;
}

static int run(int argc, char **argv)
{
    info_args args = {0};
    int code = cn_options_parse(&cn_command_info, argc, argv, &args);
    cn_reader *reader = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_open(&cn_command_info, args.operands.item[0], &reader);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    const cn_summary *summary = cn_reader_summary(reader);
    cn_error err = {0};
    cn_status status = CN_OK;
    if (args.with_scene) {
        fputs(cn_reader_scene_text(reader), stdout);
    } else if (args.is_json) {
        print_json(summary);
    } else {
        print_run(args.operands.item[0], summary);
        print_energy(summary);
        print_times(summary);
        status = print_meshes(reader, &err);
        status = status == CN_OK ? print_columns(reader, &err) : status;
    }
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_info, status, &err);
}

const cn_command cn_command_info = {
    .name = "info",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "summarise a result: provenance, energy, residual, penetration",
    .option = options,
    .run = run,
};
