// validation/validation.c -- runs the cases of the table and writes the report.
#include "validation.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

// What every run must report, over all worlds of a case.
typedef struct audit {
    int64_t step_count, unconverged_count;
    double residual, accepted; // largest err_v, largest eps_v asked for [-]
    double penetration;        // over the size of the smaller body [-]
    double ledger;             // closing error [-]
} audit;

struct cn_book {
    FILE *out;
    bool json;
    const cn_case *now;
    const char *open_reason; // of the next quantity, or NULL
    char name[96];
    double lap; // when the last line was written [s]
    audit audit;
    int pass_count, miss_count, open_count;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// JSON has no NaN or infinity.
static void write_number(FILE *out, const char *key, double value)
{
    if (isfinite(value)) {
        fprintf(out, "\"%s\":%.17g,", key, value);
    } else {
        fprintf(out, "\"%s\":null,", key);
    }
}

static void write_string(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\":\"", key);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', out);
        }
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputs("\",", out);
}

typedef struct line {
    const char *quantity;
    double measured, reference, error, tolerance, seconds;
    bool pass;
    const char *open, *note;
} line;

static void write_json(const cn_book *book, const line *l)
{
    fputc('{', book->out);
    write_string(book->out, "id", book->now->id);
    write_string(book->out, "quantity", l->quantity);
    write_number(book->out, "measured", l->measured);
    write_number(book->out, "reference", l->reference);
    write_number(book->out, "error", l->error);
    write_number(book->out, "tolerance", l->tolerance);
    fprintf(book->out, "\"pass\":%s,", l->pass ? "true" : "false");
    if (l->open) {
        write_string(book->out, "open", l->open);
    }
    if (l->note) {
        write_string(book->out, "note", l->note);
    }
    fprintf(book->out, "\"seconds\":%.3f}\n", l->seconds);
}

static void write_text(const cn_book *book, const line *l)
{
    const char *verdict = l->open ? "OPEN" : l->pass ? "pass" : "MISS";
    fprintf(book->out, "%-4s %-46s %19.12g %19.12g %9.2e %9.2e  %s\n", book->now->id, l->quantity,
            l->measured, l->reference, l->error, l->tolerance, verdict);
    if (l->open) {
        fprintf(book->out, "     open: %s%s\n", l->open,
                l->pass ? " -- it passes now: remove the mark" : "");
    }
    if (l->note) {
        fprintf(book->out, "     %s\n", l->note);
    }
}

static void write_line(cn_book *book, line l)
{
    double now = seconds_now();
    l.seconds = now - book->lap;
    l.open = book->open_reason;
    book->lap = now;
    book->open_reason = NULL;
    if (l.open && !l.pass) {
        book->open_count++;
    } else if (l.pass && !l.open) {
        book->pass_count++;
    } else {
        book->miss_count++;
    }
    if (book->json) {
        write_json(book, &l);
    } else {
        write_text(book, &l);
    }
    fflush(book->out);
}

bool cn_check(cn_book *book, const char *quantity, double measured, double reference,
              double tolerance)
{
    double error = fabs(measured - reference);
    bool pass = error <= tolerance;
    write_line(book, (line){.quantity = quantity,
                            .measured = measured,
                            .reference = reference,
                            .error = error,
                            .tolerance = tolerance,
                            .pass = pass});
    return pass;
}

bool cn_check_rel(cn_book *book, const char *quantity, double measured, double reference,
                  double fraction)
{
    return cn_check(book, quantity, measured, reference, fraction * fabs(reference));
}

bool cn_check_least(cn_book *book, const char *quantity, double measured, double bound)
{
    bool pass = measured >= bound;
    write_line(book, (line){.quantity = quantity,
                            .measured = measured,
                            .reference = bound,
                            .error = pass ? 0.0 : fabs(bound - measured),
                            .pass = pass});
    return pass;
}

bool cn_check_true(cn_book *book, const char *quantity, bool holds)
{
    return cn_check(book, quantity, holds ? 1.0 : 0.0, 1.0, 0.0);
}

void cn_open(cn_book *book, const char *reason)
{
    book->open_reason = reason;
}

const char *cn_name(cn_book *book, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(book->name, sizeof book->name, format, args);
    va_end(args);
    return book->name;
}

cn_world_def cn_trial_def(void)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[0] = 0.0;
    def.gravity[1] = -9.81;
    def.theta = 0.5;
    def.gamma = -1.0;
    def.solver.method = CN_METHOD_NNCG;
    def.solver.eps_v = 1e-10;
    def.solver.tol = 1e-10;
    def.solver.sweep_max = 400000;
    return def;
}

bool cn_trial_ok(cn_trial *t, cn_status status, const cn_error *err)
{
    if (status == CN_OK || status == CN_NOT_CONVERGED) {
        return true;
    }
    if (!t->is_broken) {
        write_line(t->book, (line){.quantity = "the run completes",
                                   .reference = 1.0,
                                   .error = 1.0,
                                   .note = err->text});
    }
    t->is_broken = true;
    return false;
}

cn_trial cn_trial_begin(cn_book *book, const cn_world_def *def)
{
    cn_trial t = {.book = book};
    cn_error err;
    cn_trial_ok(&t, cn_world_create(def, &t.world, &err), &err);
    if (def->solver.eps_v > book->audit.accepted) {
        book->audit.accepted = def->solver.eps_v;
    }
    return t;
}

void cn_trial_end(cn_trial *t)
{
    cn_world_destroy(t->world);
    *t = (cn_trial){.book = t->book, .is_broken = true};
}

void cn_trial_law(cn_trial *t, int group_a, int group_b, const cn_law_def *law)
{
    int number = CN_LAW_NO_CONTACT;
    cn_error err;
    if (t->is_broken || (law && !cn_trial_ok(t, cn_law_add(t->world, law, &number, &err), &err))) {
        return;
    }
    cn_trial_ok(t, cn_rule_add(t->world, group_a, group_b, number, &err), &err);
}

void cn_trial_coulomb(cn_trial *t, double mu, double e)
{
    cn_law_def law = cn_law_coulomb(mu, e);
    cn_trial_law(t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
}

int cn_trial_group(cn_trial *t, const char *name)
{
    int group = 0;
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_group_add(t->world, name, &group, &err), &err);
    }
    return group;
}

cn_body_id cn_trial_add(cn_trial *t, const cn_body_def *def)
{
    cn_body_id id = 0;
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_body_add(t->world, def, &id, &err), &err);
    }
    return id;
}

cn_body_state cn_trial_state(const cn_trial *t, cn_body_id id)
{
    cn_body_state state = {0};
    if (!t->is_broken) {
        cn_body_get(t->world, id, &state, NULL);
    }
    return state;
}

bool cn_trial_step(cn_trial *t, double h)
{
    cn_error err;
    if (t->is_broken || !cn_trial_ok(t, cn_world_step(t->world, h, &err), &err)) {
        return false;
    }
    cn_view view = cn_world_view(t->world);
    audit *a = &t->book->audit;
    a->step_count++;
    a->unconverged_count += view.certificate->status == CN_NOT_CONVERGED;
    a->residual = fmax(a->residual, view.certificate->solver.residual.err_v);
    a->penetration = fmax(a->penetration, view.certificate->penetration_rel);
    a->ledger = fmax(a->ledger, view.ledger->error_max);
    return true;
}

bool cn_trial_run(cn_trial *t, double h, int64_t step_count)
{
    for (int64_t n = 0; n < step_count; n++) {
        if (!cn_trial_step(t, h)) {
            return false;
        }
    }
    return true;
}

double cn_trial_speed(const cn_trial *t)
{
    double speed = 0.0;
    if (t->is_broken) {
        return NAN;
    }
    cn_view view = cn_world_view(t->world);
    for (int i = 0; i < view.body_count; i++) {
        bool is_held = view.fixed[i] & (1u << CN_DOF_X | 1u << CN_DOF_Y);
        if (!is_held) {
            speed = fmax(speed, hypot(view.v[3 * i], view.v[3 * i + 1]));
        }
    }
    return speed;
}

cn_vec2 cn_trial_impulse(const cn_trial *t, cn_body_id id, int *active_count)
{
    cn_vec2 sum = {0.0, 0.0};
    int active = 0;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double sign = (view.id[c->i] == id) - (view.id[c->j] == id);
        cn_vec2 n = cn_v2(c->normal[0], c->normal[1]);
        sum = cn_add_mul2(sum, sign * c->r[0], n);
        sum = cn_add_mul2(sum, sign * c->r[1], cn_left2(n));
        active += sign != 0.0 && c->r[0] > 0.0;
    }
    if (active_count) {
        *active_count = active;
    }
    return sum;
}

// What every run must report (validation.md, E06). A case without steps has nothing to add.
static void report_audit(cn_book *book)
{
    const audit *a = &book->audit;
    if (a->step_count == 0) {
        return;
    }
    cn_check(book, "every run: largest residual", a->residual, 0.0, a->accepted);
    cn_check(book, "every run: steps not converged", (double)a->unconverged_count, 0.0, 0.0);
    cn_check(book, "every run: penetration over body size", a->penetration, 0.0, 1.0);
    cn_check(book, "every run: energy ledger closes", a->ledger, 0.0, 1e-10);
}

static void run_case(cn_book *book, const cn_case *c)
{
    book->now = c;
    book->audit = (audit){0};
    book->open_reason = NULL;
    book->lap = seconds_now();
    c->run(book);
    report_audit(book);
}

static bool is_named(const cn_case *c, int id_count, const char *const *id)
{
    bool named = id_count == 0;
    for (int k = 0; k < id_count; k++) {
        named = named || strcmp(c->id, id[k]) == 0;
    }
    return named;
}

static bool is_known(const char *id)
{
    for (const cn_case *c = cn_case_table; c->id; c++) {
        if (strcmp(c->id, id) == 0) {
            return true;
        }
    }
    fprintf(stderr, "cairn validate: there is no case '%s'; the cases are", id);
    for (const cn_case *c = cn_case_table; c->id; c++) {
        fprintf(stderr, " %s", c->id);
    }
    fprintf(stderr, "\n");
    return false;
}

int cn_validate(int id_count, const char *const *id, bool json, bool fast_only, FILE *out)
{
    cn_book book = {.out = out, .json = json};
    for (int k = 0; k < id_count; k++) {
        if (!is_known(id[k])) {
            return 2;
        }
    }
    if (!json) {
        fprintf(out, "%-4s %-46s %19s %19s %9s %9s\n", "case", "quantity", "measured", "reference",
                "error", "accepted");
    }
    double start = seconds_now();
    int case_count = 0;
    for (const cn_case *c = cn_case_table; c->id; c++) {
        if (is_named(c, id_count, id) && (c->is_fast || !fast_only)) {
            run_case(&book, c);
            case_count++;
        }
    }
    if (!json) {
        fprintf(out, "%d cases: %d quantities pass, %d miss, %d open (%.1f s)\n", case_count,
                book.pass_count, book.miss_count, book.open_count, seconds_now() - start);
    }
    return book.miss_count > 0 ? 5 : 0;
}
