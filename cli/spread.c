// cli/spread.c -- cairn spread: how far the forces of a scene are undetermined.
#include "command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct spread_args {
    cn_operands operands;
    cn_list define;
    const char *output;
    int runs, seed, threads;
    bool is_last_step, is_quiet;
} spread_args;

static const cn_option options[] = {
    CN_OPTION_FROM('n', "runs", "N", "solutions to compare; default 10", spread_args, runs, 2,
                   100000),
    CN_OPTION('o', "output", "FOLDER",
              "tables and pictures; default: name of the scene with"
              " .spread",
              spread_args, output),
    CN_OPTION('D', "define", "NAME=VALUE", "override a parameter of the scene", spread_args,
              define),
    CN_FLAG(0, "last-step", "run once and solve only the last step again, from random impulses",
            spread_args, is_last_step),
    CN_OPTION_FROM(0, "seed", "N", "of orders and starts; default 1", spread_args, seed, 0,
                   INFINITY),
    CN_OPTION_FROM('j', "threads", "N", "threads; results do not depend on it", spread_args,
                   threads, 1, 1024),
    CN_FLAG('q', "quiet", "no progress", spread_args, is_quiet),
    {0},
};

static bool tell_progress(void *context, int done)
{
    const spread_args *args = context;
    if (!args->is_quiet) {
        fprintf(stderr, "cairn spread: solution %d of %d\n", done, args->runs);
    }
    return true;
}

// Contact whose normal force differs most, -1 if there is none.
static int widest(const cn_spread *s)
{
    int found = -1;
    double most = -1.0;
    for (int k = 0; k < s->contact_count; k++) {
        const cn_range *r = &s->contact[k].normal_force;
        if (r->most - r->least > most) {
            most = r->most - r->least;
            found = k;
        }
    }
    return found;
}

static void print_summary(const cn_spread *s)
{
    double sum = 0.0;
    int always = 0;
    for (int k = 0; k < s->contact_count; k++) {
        const cn_range *r = &s->contact[k].normal_force;
        sum += r->most - r->least;
        always += s->contact[k].seen == s->run_count;
    }
    printf("solutions        %d at t = %g s, largest residual %.2g%s\n", s->run_count, s->time,
           s->residual_max, s->nonconverged_count > 0 ? ", NOT ALL CONVERGED" : "");
    if (s->nonconverged_count > 0) {
        printf("not converged    %d\n", s->nonconverged_count);
    }
    printf("contacts         %d, %d of them in all solutions\n", s->contact_count, always);
    printf("normal forces    mean %.6g N\n", s->force_scale);
    int k = widest(s);
    if (k >= 0 && s->force_scale > 0.0) {
        const cn_spread_contact *c = &s->contact[k];
        printf("mean range       %.3g of the mean force\n",
               sum / s->contact_count / s->force_scale);
        printf("widest range     %.6g to %.6g N between bodies %llu and %llu at (%g, %g, %g)\n",
               c->normal_force.least, c->normal_force.most, (unsigned long long)c->body[0],
               (unsigned long long)c->body[1], c->point[0], c->point[1], c->point[2]);
    }
    for (int n = 0; n < s->series_count; n++) {
        const cn_range *r = &s->series[n].value;
        printf("%-16s %.9g (%.9g to %.9g)\n", cn_shown(s->series[n].name), r->mean, r->least,
               r->most);
    }
    printf("The ranges are lower bounds: other solutions may lie outside.\n");
}

static cn_status measure(const cn_scene *scene, spread_args *args, const char *folder,
                         cn_error *err)
{
    char result[1200], path[1200];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    }
    snprintf(result, sizeof result, "%.1000s/first.h5", folder);
    cn_spread_def def = cn_spread_def_default();
    def.run_count = args->runs;
    def.seed = (uint64_t)args->seed;
    def.is_last_step = args->is_last_step;
    def.threads = args->threads;
    def.result_path = result;
    def.progress = tell_progress;
    def.context = args;
    cn_spread *spread = NULL;
    cn_status status = cn_spread_measure(scene, &def, &spread, err);
    status = status == CN_OK ? cn_spread_write(spread, folder, err) : status;
    snprintf(path, sizeof path, "%.1000s/forces.png", folder);
    status = status == CN_OK ? cn_spread_render(spread, result, path, err) : status;
    snprintf(path, sizeof path, "%.1000s/histogram.png", folder);
    status = status == CN_OK ? cn_spread_histogram(spread, path, err) : status;
    if (status == CN_OK) {
        print_summary(spread);
        printf("In %s: contacts.csv, forces.png, histogram.png, and the first solution, first.h5\n",
               folder);
        status = spread->nonconverged_count > 0 ? CN_MISSED : CN_OK;
        if (status != CN_OK) {
            cn_fail(err, status, "%d of %d solutions missed the tolerance of the scene",
                    spread->nonconverged_count, spread->run_count);
        }
    }
    cn_spread_destroy(spread);
    return status;
}

static int run(void *given)
{
    spread_args *args = given;
    char folder[1024];
    cn_scene *scene = NULL;
    int code = cn_command_load(&cn_command_spread, args->operands.item[0], &args->define, &scene);
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (args->output == NULL) {
        args->output = cn_derive_name(args->operands.item[0], ".spread", folder, sizeof folder);
    }
    cn_error err = {0};
    cn_status status = measure(scene, args, args->output, &err);
    cn_scene_destroy(scene);
    return cn_command_fail(&cn_command_spread, status, &err);
}

const cn_command cn_command_spread = {
    .name = "spread",
    .operands = "SCENE",
    .operand_least = 1,
    .operand_most = 1,
    .help = "solve a scene several times and show what differs",
    .details =
        "Forces between rigid bodies in many contacts are not unique. The scene is run N times\n"
        "by Gauss-Seidel sweeps in random orders; forces are compared contact by contact,\n"
        "observed resultants as wholes.",
    .option = options,
    .args_size = sizeof(spread_args),
    .defaults = &(const spread_args){.runs = 10, .seed = 1, .threads = 1},
    .run = run,
};
