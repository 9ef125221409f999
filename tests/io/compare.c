// Comparing results: equal runs are equal, every sort of difference is found and told where it is.
#include "files.h"
#include "test.h"
#include "views.h"

static char told[64][512];
static int told_count;

static void tell(void *context, const char *line)
{
    (void)context;
    snprintf(told[told_count++ % 64], sizeof told[0], "%s", line);
}

static bool was_told(const char *words)
{
    bool is_found = false;
    for (int k = 0; k < told_count && k < 64; k++) {
        is_found = is_found || strstr(told[k], words) != NULL;
    }
    return is_found;
}

// The imaginary run of views.h with one thing changed.
typedef enum change {
    NOTHING,
    POSITION,
    IMPULSE,
    STATE,
    OPEN_CONTACT,
    RESIDUAL,
    ENERGY,
    NOT_A_NUMBER
} change;

static void apply(change what, made_view *m)
{
    int last = m->snapshot.view.contact_count - 1;
    switch (what) {
    case POSITION:
        m->q[3 * 4 + 1] += 1e-3; // y of body 104
        break;
    case IMPULSE:
        m->contact[2].r[1] += 1e-3;
        break;
    case STATE: // contact 3 is of law 0
        m->state[m->state_start[3] + 1] += 1e-3;
        break;
    case OPEN_CONTACT: // a contact without impulse that the other run does not have
        m->contact[last].feature = 999;
        m->contact[last].r[0] = m->contact[last].r[1] = 0.0;
        break;
    case RESIDUAL:
        m->certificate.solver.residual.err_v += 1e-9;
        break;
    case ENERGY:
        m->ledger.step[CN_ENERGY_SHOCK] = 1e-3;
        break;
    case NOT_A_NUMBER:
        m->certificate.penetration = NAN;
        break;
    default:
        break;
    }
}

static cn_reader *write_run(const char *path, int frames, change what)
{
    made_view m = {0};
    cn_writer *writer = NULL;
    CN_DO(made_start(path, &m, &writer, &test_error));
    for (int k = 1; k < frames; k++) {
        made_frame(&m, k);
        if (k == 3) {
            apply(what, &m);
        }
        double height = k;
        CN_DO(cn_results_step(writer, &m.snapshot.view, &height, &test_error));
        CN_DO(cn_results_frame(writer, &m.snapshot, &test_error));
        if (k == 3) {
            m.ledger = (cn_ledger){0};
            m.certificate = (cn_certificate){0};
        }
    }
    CN_DO(cn_results_close(writer, &m.snapshot, "done", 1.0, 0, &test_error));
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(path, &r, &test_error));
    return r;
}

static int compare(int frames, change what, double rtol)
{
    cn_reader *a = write_run(files_path("a.h5"), 6, NOTHING);
    cn_reader *b = write_run(files_path("b.h5"), frames, what);
    int differences = -1;
    told_count = 0;
    CN_DO(cn_result_compare(a, b, rtol, tell, NULL, &differences, &test_error));
    CN_TRUE(differences == told_count);
    cn_reader_close(a);
    cn_reader_close(b);
    return differences;
}

CN_TEST(equal_results_are_equal)
{
    CN_TRUE(compare(6, NOTHING, 0.0) == 0);
}

CN_TEST(a_moved_body_is_found)
{
    CN_TRUE(compare(6, POSITION, 1e-5) == 1);
    CN_TRUE(was_told("position y differs by") && was_told("frame 3, body 104"));
    CN_TRUE(compare(6, POSITION, 1e-3) == 0); // the range is about 5 m
}

// One impulse changed by 1e-3 where impulses range over 5 N s.
CN_TEST(a_changed_impulse_is_found)
{
    CN_TRUE(compare(6, IMPULSE, 1e-5) == 1);
    CN_TRUE(was_told("tangential impulse") && was_told("frame 3, contact at"));
    CN_TRUE(compare(6, IMPULSE, 1e-3) == 0);
}

// Law states are compared only when equal bits are asked for.
CN_TEST(a_changed_state_is_found)
{
    CN_TRUE(compare(6, STATE, 0.0) == 1);
    CN_TRUE(was_told("law state") && was_told("frame 3, contact at"));
    CN_TRUE(compare(6, STATE, 1e-12) == 0);
}

// A contact that only one run knows is a difference by its impulse, not by being there.
CN_TEST(contacts_are_matched_by_identity)
{
    CN_TRUE(compare(6, OPEN_CONTACT, 1e-3) >= 1 && was_told("normal impulse"));
    CN_TRUE(!was_told("gap"));
}

// Residuals are compared as they are, energies with the energies of the run.
CN_TEST(history_is_compared_by_unit)
{
    CN_TRUE(compare(6, RESIDUAL, 1e-8) == 0);
    CN_TRUE(compare(6, RESIDUAL, 1e-10) == 1 && was_told("residual differs"));
    CN_TRUE(compare(6, ENERGY, 1e-5) == 1 && was_told("step_shock differs"));
    CN_TRUE(compare(6, ENERGY, 1e-3) == 0); // total friction ranges over 5 J
    CN_TRUE(compare(6, NOT_A_NUMBER, 1.0) == 1 && was_told("penetration differs"));
}

CN_TEST(lengths_must_agree)
{
    CN_TRUE(compare(5, NOTHING, 1.0) == 2);
    CN_TRUE(was_told("6 frames against 5") && was_told("5 steps against 4"));
    int differences;
    CN_FAILS(cn_result_compare(NULL, NULL, -1.0, NULL, NULL, &differences, &test_error),
             CN_BAD_INPUT, "-1");
}

CN_MAIN(CN_RUN(equal_results_are_equal); CN_RUN(a_moved_body_is_found);
        CN_RUN(a_changed_impulse_is_found); CN_RUN(a_changed_state_is_found);
        CN_RUN(contacts_are_matched_by_identity); CN_RUN(history_is_compared_by_unit);
        CN_RUN(lengths_must_agree); files_remove();)
