// cli/limit.c -- cairn limit: what multiples of its loads a scene can carry, with proof.
#include "command.h"
#include "json.h"
#include "limit_tables.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct limit_args {
    cn_operands operands;
    cn_list define;
    const char *output, *from;
    double gap;
    int frame;
    int starts;
    bool is_json, is_quiet, is_coulomb, is_safety;
} limit_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE",
              "result with forces and mechanism of each load; default: name of the scene\n"
              "                             with .limit.h5, of several loads also their names; "
              "none: no result",
              limit_args, output),
    CN_OPTION('D', "define", "NAME=VALUE", "override a parameter of the scene", limit_args, define),
    CN_OPTION(0, "from", "RESULT", "state of a run of the scene; default: as it is built",
              limit_args, from),
    CN_OPTION_FROM(0, "frame", "N", "frame of that result, negative: from the end; default: -1",
                   limit_args, frame, -1000000000, 1000000000),
    CN_OPTION_ABOVE(0, "gap", "SHARE",
                    "accepted distance of the bounds over the multiplier; default: as the\n"
                    "                             scene says",
                    limit_args, gap, 0.0),
    CN_FLAG(0, "coulomb", "look for multipliers of joints that do not dilate, too", limit_args,
            is_coulomb),
    CN_FLAG(0, "safety",
            "how small the joints, and how smooth, may become before it falls under its dead load",
            limit_args, is_safety),
    CN_OPTION_FROM(0, "starts", "N", "starts of that, all but the first at random; default: 5",
                   limit_args, starts, 1, 100000),
    CN_FLAG(0, "json", "one object per line and load, for programs", limit_args, is_json),
    CN_FLAG('q', "quiet", "one line per load", limit_args, is_quiet),
    {0},
};

static volatile sig_atomic_t caught_signal;

static void catch_signal(int number)
{
    caught_signal = number;
}

static bool is_interrupted(void *context)
{
    (void)context;
    return caught_signal != 0;
}

static void tell_remark(void *context, const char *line)
{
    fprintf(context, "note         %s\n", cn_shown(line));
}

// ---- words

static const char *verdict_of(const cn_limit_answer *a)
{
    return a->limit->outcome == CN_LIMIT_BOUNDED ? "stands"
                                                 : cn_limit_outcome_name(a->limit->outcome);
}

// What forces stay within.
static const char *bound_of(const cn_limit_answer *a)
{
    return a->bonded_area > 0.0 ? "friction and strength" : "friction";
}

static void print_bounds(const cn_limit_answer *a)
{
    const cn_limit *x = a->limit;
    const char *unit = a->is_support ? " N" : "";
    printf("  at least     %.9g%s   forces within %s, out of balance by %.1g of a load\n", x->lower,
           unit, bound_of(a), x->check.imbalance);
    printf("  at most      %.9g%s   mechanism, no point sinks in by more than %.1g of its motion\n",
           x->upper, unit, x->check.sink);
    printf("  gap          %.2g of it, %d iterations\n", x->gap, x->iteration_count);
    if (a->is_slope && x->lower > 0.0) {
        printf("  that is      %.6g of gravity, or a table that leans by %.4f degrees\n", x->lower,
               atan(x->lower) * 180.0 / CN_PI);
    }
}

static void print_outcome(const cn_limit_answer *a)
{
    const cn_limit *x = a->limit;
    switch (x->outcome) {
    case CN_LIMIT_BOUNDED:
        print_bounds(a);
        break;
    case CN_LIMIT_FALLS:
        printf("  falls        whatever the multiplier: the mechanism gains power from the dead "
               "load,\n               no point sinks in by more than %.1g of its motion\n",
               x->check.sink);
        break;
    case CN_LIMIT_UNBOUNDED:
        printf("  no limit     joints carry the load alone: forces within friction, out of balance "
               "by %.1g\n",
               x->check.imbalance);
        break;
    default:
        printf("  undecided    after %d iterations: out of balance by %.1g, sinking by %.1g; at "
               "least %.6g, at most %.6g\n",
               x->iteration_count, x->check.imbalance, x->check.sink, x->lower, x->upper);
    }
}

static void count_motions(const cn_limit_answer *a, int count[4])
{
    memset(count, 0, 4 * sizeof *count);
    for (int k = 0; k < a->joint_count; k++) {
        count[cn_limit_joint_motion(a, k)]++;
    }
}

static void print_dead(const cn_limit_answer *a)
{
    const cn_limit *x = a->limit;
    printf("%d bodies of %.6g N that can move, %d contact points, friction %g", a->body_count,
           a->weight, x->contact_count, a->friction[0]);
    if (a->friction[1] > a->friction[0]) {
        printf(" to %g", a->friction[1]);
    }
    printf(", gaps up to %.3g m closed", a->close);
    if (a->bonded_area > 0.0) {
        printf(", %.6g %s of joints with strength", a->bonded_area, a->is_plane ? "m" : "m2");
    }
    printf("\n");
    if (x->outcome == CN_LIMIT_BOUNDED) {
        printf("dead load    can stand: forces within %s, out of balance by %.1g of a load\n",
               bound_of(a), x->check.imbalance);
    } else if (x->outcome == CN_LIMIT_FALLS) {
        printf("dead load    falls: a mechanism gains power, no point sinks in by more than %.1g "
               "of its motion\n",
               x->check.sink);
    } else {
        printf("dead load    undecided: out of balance by %.1g, sinking by %.1g\n",
               x->check.imbalance, x->check.sink);
    }
}

static void print_case(const cn_limit_answer *a, bool is_quiet)
{
    if (is_quiet) {
        printf("%-12s %s %.9g .. %.9g\n", cn_shown(a->name),
               cn_limit_outcome_name(a->limit->outcome), a->limit->lower, a->limit->upper);
        return;
    }
    printf("%s\n", cn_shown(a->name));
    print_outcome(a);
    if (a->limit->outcome == CN_LIMIT_BOUNDED || a->limit->outcome == CN_LIMIT_FALLS) {
        int count[4];
        count_motions(a, count);
        printf("  mechanism    %d joints hinge, %d slide, %d part, %d stay\n",
               count[CN_JOINT_HINGES], count[CN_JOINT_SLIDES], count[CN_JOINT_PARTS],
               count[CN_JOINT_STAYS]);
        if (count[CN_JOINT_SLIDES] > 0) {
            printf("  friction     the bounds are those of joints that dilate as they slide; "
                   "without dilatancy\n               'at most' holds, 'at least' is no proof\n");
        }
    }
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-4 * fabs(a);
}

static void print_range(const cn_limit_coulomb *x)
{
    const double *range = x->range, *coarse = x->range_coarse;
    if (isnan(range[0] + range[1])) {
        printf("    its range  not found: the forces of this mechanism leave no room\n");
        return;
    }
    printf("    its range  %.6g .. %.6g   other normal forces, same mechanism\n", range[0],
           range[1]);
    if (!is_near(range[0], coarse[0]) || !is_near(range[1], coarse[1])) {
        printf("               %.6g .. %.6g if what is slower than 1e-5 of the fastest point is at "
               "rest:\n               which joints move is not certain\n",
               coarse[0], coarse[1]);
    }
}

// What is known without dilatancy; nothing is hidden where nothing is known.
static void print_coulomb(const cn_limit_answer *a, const cn_limit_coulomb *x)
{
    printf("  without dilatancy, by %d programs from %d starts\n", x->program_count,
           x->start_count);
    printf("    at most    %.9g   proof: nothing beyond is in balance\n", a->limit->upper);
    if (x->solution_count == 0) {
        printf("    solution   none was found\n");
    } else {
        printf("    solution   %.9g   residual %.1g of a load, shift settled to %.1g\n",
               x->multiplier, x->residual, x->change);
        print_range(x);
        printf("    least      %.9g   of %d solutions\n", x->least, x->solution_count);
    }
    printf("    at least   -   no proof exists for friction without dilatancy\n");
}

// ---- JSON

static void print_json(const cn_limit_answer *a, const cn_limit_coulomb *coulomb, bool is_dead)
{
    const cn_limit *x = a->limit;
    int count[4];
    count_motions(a, count);
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "load", a->name);
    cn_json_text(&json, "outcome", is_dead ? verdict_of(a) : cn_limit_outcome_name(x->outcome));
    cn_json_number(&json, "lower", x->lower);
    cn_json_number(&json, "upper", x->upper);
    cn_json_number(&json, "gap", x->gap);
    cn_json_number(&json, "imbalance", x->check.imbalance);
    cn_json_number(&json, "outside", x->check.outside);
    cn_json_number(&json, "sink", x->check.sink);
    cn_json_number(&json, "power", x->check.power);
    cn_json_number(&json, "close_m", a->close);
    cn_json_number(&json, "weight_n", a->weight);
    cn_json_number(&json, "bonded_area", a->bonded_area);
    cn_json_integer(&json, "bodies", a->body_count);
    cn_json_integer(&json, "contacts", x->contact_count);
    cn_json_integer(&json, "joints", a->joint_count);
    cn_json_integer(&json, "hinges", count[CN_JOINT_HINGES]);
    cn_json_integer(&json, "slides", count[CN_JOINT_SLIDES]);
    cn_json_integer(&json, "parts", count[CN_JOINT_PARTS]);
    cn_json_integer(&json, "iterations", x->iteration_count);
    cn_json_integer(&json, "factorizations", x->factorization_count);
    if (coulomb != NULL) {
        cn_json_object_begin(&json, "coulomb");
        cn_json_number(&json, "multiplier", coulomb->multiplier);
        cn_json_number(&json, "residual", coulomb->residual);
        cn_json_number(&json, "change", coulomb->change);
        cn_json_number(&json, "range_least", coulomb->range[0]);
        cn_json_number(&json, "range_most", coulomb->range[1]);
        cn_json_number(&json, "least", coulomb->least);
        cn_json_integer(&json, "solutions", coulomb->solution_count);
        cn_json_integer(&json, "programs", coulomb->program_count);
        cn_json_object_end(&json);
    }
    cn_json_end(&json);
}

// What joints, or friction, are more than what is needed.
static void print_share(cn_limit_less what, const cn_limit_share *x, bool is_json)
{
    if (is_json) {
        cn_json json = cn_json_begin(stdout);
        cn_json_text(&json, "least", cn_limit_less_name(what));
        cn_json_number(&json, "stands", x->stands);
        cn_json_number(&json, "falls", x->falls);
        cn_json_number(&json, "safety", 1.0 / x->stands);
        cn_json_integer(&json, "programs", x->program_count);
        cn_json_end(&json);
    } else if (isnan(x->stands)) {
        printf("  %-12s not known: it does not stand as it is\n", cn_limit_less_name(what));
    } else {
        printf("  %-12s stands at %.7g of them, safety %.7g; falls at %.7g\n",
               cn_limit_less_name(what), x->stands, 1.0 / x->stands, x->falls);
    }
}

// ---- the work

typedef struct work {
    const limit_args *args;
    cn_limit_model *model;
    bool is_missed, is_below; // a gap was not reached; a multiplier that was asked was not carried
} work;

static cn_status solve(const work *w, int k, double gap, cn_limit_answer **answer, cn_error *err)
{
    cn_limit_def def = cn_limit_def_default();
    def.is_interrupted = is_interrupted;
    def.gap = gap;
    return cn_limit_model_solve(w->model, k, &def, answer, err);
}

static double gap_of(const work *w, int k)
{
    return w->args->gap > 0.0 ? w->args->gap : cn_limit_model_gap(w->model, k);
}

// Name of the result of load k: that of the scene, or with the name of the load where there are
// several.
static void name_result(const work *w, const char *load, char *name, size_t size)
{
    const limit_args *args = w->args;
    char ending[160], plain[100];
    snprintf(plain, sizeof plain, "%s", load);
    for (char *at = plain; *at != '\0'; at++) {
        *at = strchr(" /\\:*?\"<>|", *at) != NULL ? '_' : *at;
    }
    bool is_one = cn_limit_model_count(w->model) == 1;
    snprintf(ending, sizeof ending, is_one ? ".limit.h5" : ".%s.h5", plain);
    if (args->output == NULL) {
        cn_derive_name(args->operands.item[0], ending, name, size);
    } else if (is_one) {
        snprintf(name, size, "%s", args->output);
    } else {
        cn_change_ending(args->output, ending, name, size);
    }
}

static bool has_no_file(const limit_args *args)
{
    return args->output != NULL && strcmp(args->output, "none") == 0;
}

static cn_status write_result(const work *w, const cn_limit_answer *a, cn_error *err)
{
    char name[4096];
    if (has_no_file(w->args)) {
        return CN_OK;
    }
    name_result(w, a->name, name, sizeof name);
    cn_status status = cn_limit_write(w->model, a, name, "cairn limit", err);
    if (status == CN_OK && !w->args->is_json && !w->args->is_quiet) {
        printf("  result       %s\n", cn_shown(name));
    }
    return status;
}

// Runs what makes a table of load k.
static cn_status make_table(work *w, int k, cn_limit_table_maker make, cn_error *err)
{
    char name[4096];
    name_result(w, cn_limit_model_name(w->model, k), name, sizeof name);
    cn_limit_telling telling = {.model = w->model,
                                .k = k,
                                .def = cn_limit_def_default(),
                                .result = has_no_file(w->args) ? NULL : name,
                                .is_json = w->args->is_json,
                                .is_quiet = w->args->is_quiet};
    telling.def.is_interrupted = is_interrupted;
    telling.def.gap = gap_of(w, k);
    cn_status status = make(&telling, err);
    w->is_missed = w->is_missed || telling.is_missed;
    return status;
}

// ---- all of it

static cn_status run_case(work *w, int k, cn_error *err)
{
    cn_limit_answer *a = NULL;
    double gap = gap_of(w, k);
    bool has_axles = cn_limit_model_has_axles(w->model, k);
    cn_status status = has_axles ? make_table(w, k, cn_limit_tell_axles, err) : CN_OK;
    if (status == CN_OK) {
        status = solve(w, k, gap, &a, err);
    }
    if (status != CN_OK) {
        return status;
    }
    cn_limit_coulomb coulomb;
    bool has_coulomb = w->args->is_coulomb && k >= 0 && a->limit->outcome == CN_LIMIT_BOUNDED;
    if (has_coulomb) {
        status = cn_limit_model_coulomb(w->model, k, w->args->starts - 1, &coulomb, err);
        if (status != CN_OK) {
            cn_limit_answer_destroy(a);
            return status;
        }
    }
    if (w->args->is_json) {
        print_json(a, has_coulomb ? &coulomb : NULL, k < 0);
    } else if (k >= 0) {
        print_case(a, w->args->is_quiet);
        if (has_coulomb) {
            print_coulomb(a, &coulomb);
        }
    } else if (!w->args->is_quiet) {
        print_dead(a);
    }
    w->is_missed = w->is_missed || a->limit->outcome == CN_LIMIT_UNDECIDED ||
                   (a->limit->outcome == CN_LIMIT_BOUNDED && !(a->limit->gap <= gap));
    if (!isnan(a->above)) {
        bool is_above = a->limit->outcome == CN_LIMIT_UNBOUNDED || a->limit->lower >= a->above;
        w->is_below = w->is_below || !is_above;
        if (!w->args->is_json) {
            printf("  asked        %g: %s\n", a->above, is_above ? "carried" : "not carried");
        }
    }
    status = k >= 0 ? write_result(w, a, err) : CN_OK;
    if (status == CN_OK && cn_limit_model_has_curve(w->model, k)) {
        status = make_table(w, k, cn_limit_tell_curve, err);
    }
    if (status == CN_OK && cn_limit_model_has_domain(w->model, k)) {
        status = make_table(w, k, cn_limit_tell_domain, err);
    }
    cn_limit_answer_destroy(a);
    return status;
}

static cn_status find_safety(work *w, cn_error *err)
{
    cn_limit_def def = cn_limit_def_default();
    def.is_interrupted = is_interrupted;
    def.gap = gap_of(w, -1);
    if (!w->args->is_json) {
        printf("safety\n");
    }
    cn_status status = CN_OK;
    for (int k = CN_LIMIT_LESS_JOINTS; status == CN_OK && k <= CN_LIMIT_LESS_FRICTION; k++) {
        cn_limit_share share;
        status = cn_limit_model_least(w->model, (cn_limit_less)k, &def, &share, err);
        if (status == CN_OK) {
            print_share((cn_limit_less)k, &share, w->args->is_json);
            w->is_missed = w->is_missed || !(share.stands - share.falls <= def.gap);
        }
    }
    return status;
}

static int run_all(const limit_args *args, cn_scene *scene)
{
    work w = {.args = args};
    cn_error err = {0};
    const cn_limit_model_def def = {.result = args->from,
                                    .frame = args->frame,
                                    .told = tell_remark,
                                    .context = args->is_json || args->is_quiet ? stderr : stdout};
    signal(SIGINT, catch_signal);
    signal(SIGTERM, catch_signal);
    cn_status status = cn_limit_model_create(scene, &def, &w.model, &err);
    for (int k = -1; status == CN_OK && k < cn_limit_model_count(w.model); k++) {
        status = run_case(&w, k, &err);
    }
    if (status == CN_OK && args->is_safety) {
        status = find_safety(&w, &err);
    }
    cn_limit_model_destroy(w.model);
    if (status == CN_STOPPED) {
        return 128 + (int)caught_signal;
    }
    if (status != CN_OK) {
        return cn_command_fail(&cn_command_limit, status, &err);
    }
    return w.is_missed ? CN_EXIT_MISSED : w.is_below ? CN_EXIT_MISMATCH : CN_EXIT_OK;
}

static int run(void *given)
{
    const limit_args *args = given;
    cn_scene *scene = NULL;
    int code = cn_command_load(&cn_command_limit, args->operands.item[0], &args->define, &scene);
    if (code == CN_PARSE_GO) {
        code = run_all(args, scene);
    }
    cn_scene_destroy(scene);
    return code;
}

const cn_command cn_command_limit = {
    .name = "limit",
    .operands = "SCENE",
    .operand_least = 1,
    .operand_most = 1,
    .help = "largest multiples of loads that blocks can carry, between two proven bounds",
    .details =
        "Loads are those of the key limit of the scene; without it the structure is pushed along\n"
        "x. Bodies that the scene drives count as fixed. Exit code 6 where a gap is not reached,\n"
        "5 where a load does not carry what the scene asks (key above).",
    .option = options,
    .args_size = sizeof(limit_args),
    .defaults = &(const limit_args){.frame = -1, .starts = 5},
    .run = run,
};
