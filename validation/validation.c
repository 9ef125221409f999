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

#define MISS_MAX 64

// What came out of a case.
typedef struct tally {
    const cn_case *of;
    int pass, fail, open; // quantities
    double seconds;       // of processor time
} tally;

// A line to be told again at the end of the book.
typedef struct miss {
    const char *id;
    char quantity[96];
    double measured, reference;
    bool is_open, is_least;
} miss;

struct cn_book {
    FILE *out;
    bool json, is_fast;
    const cn_case *now;
    const char *open_reason; // of the next quantity, or NULL
    const char *open_steps;  // why steps do not converge, or NULL
    const char *open_ledger; // why the ledger does not close to 1e-10, or NULL
    const char *problems;    // folder, or NULL
    char name[96];
    double start, lap; // of the case, of the last line, in processor time [s]
    audit audit;
    tally tally[CN_CASE_MAX]; // in the order in which they ran
    int case_count;
    miss miss[MISS_MAX]; // the first of miss_count lines
    int miss_count;
};

// Processor time: what a case costs does not depend on what else the machine does.
static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
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
    bool pass, is_least; // at least the reference, not near it
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
    if (l->is_least) {
        write_string(book->out, "bound", "least");
    }
    if (l->open) {
        write_string(book->out, "open", l->open);
    }
    if (l->note) {
        write_string(book->out, "note", l->note);
    }
    fprintf(book->out, "\"seconds\":%.3f}\n", l->seconds);
}

// Quantity, measured, reference, error, tolerance: what must be at least the reference has no more.
static void write_text(const cn_book *book, const line *l)
{
    const char *verdict = l->open ? "OPEN" : l->pass ? "pass" : "FAIL";
    fprintf(book->out, "%-4s %-60s %19.12g ", book->now->id, l->quantity, l->measured);
    if (l->is_least) {
        fprintf(book->out, "at least %10.6g %19s", l->reference, "");
    } else {
        fprintf(book->out, "%19.12g %9.2e %9.2e", l->reference, l->error, l->tolerance);
    }
    fprintf(book->out, "  %s\n", verdict);
    if (l->open) {
        fprintf(book->out, "     open: %s%s\n", l->open,
                l->pass ? " -- it passes now: remove the mark" : "");
    }
    if (l->note) {
        fprintf(book->out, "     %s\n", l->note);
    }
}

// Keeps what misses for the end of the book.
static void keep_miss(cn_book *book, const line *l)
{
    if (book->miss_count < MISS_MAX) {
        miss *m = &book->miss[book->miss_count];
        *m = (miss){.id = book->now->id,
                    .measured = l->measured,
                    .reference = l->reference,
                    .is_open = l->open && !l->pass,
                    .is_least = l->is_least};
        snprintf(m->quantity, sizeof m->quantity, "%s", l->quantity);
    }
    book->miss_count++;
}

// A mark on a quantity that passes is a failure: it has to be removed.
static void count_line(cn_book *book, const line *l)
{
    tally *now = &book->tally[book->case_count];
    bool is_pass = l->pass && !l->open, is_open = l->open && !l->pass;
    now->pass += is_pass;
    now->open += is_open;
    now->fail += !is_pass && !is_open;
    if (!is_pass) {
        keep_miss(book, l);
    }
}

static void write_line(cn_book *book, line l)
{
    double now = seconds_now();
    l.seconds = now - book->lap;
    l.open = book->open_reason;
    book->lap = now;
    book->open_reason = NULL;
    count_line(book, &l);
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
                            .pass = pass,
                            .is_least = true});
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

bool cn_book_is_fast(const cn_book *book)
{
    return book->is_fast;
}

const char *cn_book_problems(const cn_book *book)
{
    return book->problems ? book->problems : CAIRN_PROBLEM_FOLDER;
}

void cn_open_steps(cn_book *book, const char *reason)
{
    book->open_steps = reason;
}

void cn_open_ledger(cn_book *book, const char *reason)
{
    book->open_ledger = reason;
}

const char *cn_name(cn_book *book, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(book->name, sizeof book->name, format, args);
    va_end(args);
    return book->name;
}

void cn_say(cn_book *book, const char *format, ...)
{
    if (book->json) {
        return;
    }
    va_list args;
    va_start(args, format);
    fprintf(book->out, "     at %.0f s: ", seconds_now() - book->start);
    vfprintf(book->out, format, args);
    fputc('\n', book->out);
    va_end(args);
    fflush(book->out);
}

void cn_book_accuracy(cn_book *book, double eps_v)
{
    book->audit.accepted = fmax(book->audit.accepted, eps_v);
}

// The first steps of a case that do not converge are named, so that they can be looked for.
static void tell_miss(cn_book *book, const cn_certificate *certificate)
{
    const int64_t most = 10;
    audit *a = &book->audit;
    if (++a->unconverged_count <= most) {
        cn_say(book, "step %lld of the case does not converge: residual %.1e",
               (long long)a->step_count, certificate->solver.residual.err_v);
    }
}

void cn_book_step(cn_book *book, const cn_certificate *certificate, const cn_ledger *ledger)
{
    audit *a = &book->audit;
    a->step_count++;
    if (!certificate->solver.is_converged) {
        tell_miss(book, certificate);
    }
    a->residual = fmax(a->residual, certificate->solver.residual.err_v);
    a->penetration = fmax(a->penetration, certificate->penetration_rel);
    a->ledger = fmax(a->ledger, ledger->error_max);
}

void cn_book_failure(cn_book *book, const char *text)
{
    write_line(
        book,
        (line){.quantity = "the run completes", .reference = 1.0, .error = 1.0, .note = text});
}

// What every run must report (validation.md, E06). A case without steps has nothing to add.
static void report_audit(cn_book *book)
{
    const audit *a = &book->audit;
    if (a->step_count == 0) {
        return;
    }
    const double stated = 1e-10; // the residual of the book, whatever a run asked its solver for
    if (a->accepted > stated) {
        cn_open(book,
                "a run of this case asks its solver for less than 1e-10, where sweeps stall or "
                "only a start is made");
    }
    cn_check(book, "every run: largest residual", a->residual, 0.0, fmin(a->accepted, stated));
    cn_open(book, book->open_steps);
    cn_check(book, "every run: steps not converged", (double)a->unconverged_count, 0.0, 0.0);
    cn_check(book, "every run: penetration over body size", a->penetration, 0.0, 1.0);
    cn_open(book, book->open_ledger);
    cn_check(book, "every run: energy ledger closes", a->ledger, 0.0, 1e-10);
}

static void run_case(cn_book *book, const cn_case *c)
{
    tally *now = &book->tally[book->case_count];
    *now = (tally){.of = c};
    book->now = c;
    book->audit = (audit){0};
    book->open_reason = book->open_steps = book->open_ledger = NULL;
    if (!book->json) {
        fprintf(book->out, "%-4s %s\n", c->id, c->title);
    }
    book->start = book->lap = seconds_now();
    c->run(book);
    report_audit(book);
    now->seconds = seconds_now() - book->start;
    if (!book->json) {
        fprintf(book->out, "%-4s %.1f s of processor time\n\n", c->id, now->seconds);
    }
    book->case_count++;
}

static bool is_named(const cn_case *c, int id_count, const char *const *id)
{
    bool named = id_count == 0;
    for (int k = 0; k < id_count; k++) {
        named = named || strcmp(c->id, id[k]) == 0;
    }
    return named;
}

// Whether a case can be run: it is in the table, and among the fast ones if only those are asked
// for.
static bool is_runnable(const char *id, bool is_fast)
{
    for (const cn_case *c = cn_case_table; c->id; c++) {
        if (strcmp(c->id, id) == 0) {
            if (is_fast && !c->is_fast) {
                fprintf(stderr,
                        "cairn validate: %s is not one of the fast cases: run it without "
                        "--fast\n",
                        id);
            }
            return c->is_fast || !is_fast;
        }
    }
    fprintf(stderr, "cairn validate: there is no case '%s'; the cases are", id);
    for (const cn_case *c = cn_case_table; c->id; c++) {
        fprintf(stderr, " %s", c->id);
    }
    fprintf(stderr, "\n");
    return false;
}

static void write_head(const cn_book *book)
{
    fprintf(book->out, "%-4s %-60s %19s %19s %9s %9s\n\n", "case", "quantity", "measured",
            "reference", "error", "tolerance");
}

// Lines that miss are far up by now.
static void write_misses(const cn_book *book, bool is_open)
{
    int kept = book->miss_count < MISS_MAX ? book->miss_count : MISS_MAX;
    for (int k = 0; k < kept; k++) {
        const miss *m = &book->miss[k];
        if (m->is_open == is_open) {
            fprintf(book->out, "%s %-4s %s: %.6g instead of %s%.6g\n", is_open ? "OPEN" : "FAIL",
                    m->id, m->quantity, m->measured, m->is_least ? "at least " : "", m->reference);
        }
    }
}

static tally sum_of(const cn_book *book)
{
    tally sum = {0};
    for (int k = 0; k < book->case_count; k++) {
        const tally *t = &book->tally[k];
        sum.pass += t->pass;
        sum.fail += t->fail;
        sum.open += t->open;
        sum.seconds += t->seconds;
    }
    return sum;
}

// A line for each case, then what misses, then the sum.
static void write_end(const cn_book *book)
{
    tally sum = sum_of(book);
    fprintf(book->out, "| case | %-55s | pass | fail | open | seconds |\n", "question");
    fprintf(book->out, "|---|---|---|---|---|---|\n");
    for (int k = 0; k < book->case_count; k++) {
        const tally *t = &book->tally[k];
        fprintf(book->out, "| %-4s | %-55s | %4d | %4d | %4d | %7.1f |\n", t->of->id, t->of->title,
                t->pass, t->fail, t->open, t->seconds);
    }
    fputc('\n', book->out);
    write_misses(book, true);
    write_misses(book, false);
    fprintf(book->out,
            "%d cases: %d quantities pass, %d fail, %d open (%.1f s of processor time)\n",
            book->case_count, sum.pass, sum.fail, sum.open, sum.seconds);
}

int cn_validate(const cn_validate_def *def, FILE *out)
{
    cn_book book = {
        .out = out, .json = def->is_json, .is_fast = def->is_fast, .problems = def->problems};
    for (int k = 0; k < def->id_count; k++) {
        if (!is_runnable(def->id[k], def->is_fast)) {
            return 2;
        }
    }
    if (!book.json) {
        write_head(&book);
    }
    for (const cn_case *c = cn_case_table; c->id; c++) {
        if (is_named(c, def->id_count, def->id) && (c->is_fast || !def->is_fast)) {
            run_case(&book, c);
        }
    }
    if (!book.json) {
        write_end(&book);
    }
    return sum_of(&book).fail > 0 ? 5 : 0;
}
