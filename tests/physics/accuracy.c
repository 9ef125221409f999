// What the words for accuracy ask of steps, and that steps obey them: theory 8.24 to 8.27.
#include "cairn/cairn.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static cn_world *world_of(const char *text)
{
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "accuracy.yaml", .text = text}, print_problem,
                        NULL, &scene, &test_error));
    CN_DO(cn_scene_build(scene, 1, &w, &test_error));
    cn_scene_destroy(scene);
    return w;
}

// Disks that are piled in a box and fall together, or a wall of bricks.
static cn_world *pile_of(const char *word)
{
    char text[1024];
    snprintf(text, sizeof text,
             "cairn: 1\n"
             "materials: {m: 2000}\n"
             "laws: {c: {type: coulomb, friction: 0.6}}\n"
             "contacts: [{between: [any, any], law: c}]\n"
             "solver: {accuracy: %s}\n"
             "bodies:\n"
             "  ground: {shape: {half_plane: {}}, fixed: true}\n"
             "  wall: {generate: {wall: {block: [0.2, 0.1], courses: 12, length: 2}}, "
             "material: m}\n"
             "  ball: {shape: {disk: 0.2}, material: m, at: [1.0, 1.45], velocity: [0, -2]}\n"
             "stages: [{step: 1e-3, duration: 1}]\n",
             word);
    return world_of(text);
}

// Every step of a wall that is hit keeps what its word promises, measured anew from its problem.
CN_TEST(steps_keep_what_words_promise)
{
    static const cn_accuracy words[] = {CN_ACCURACY_FLOW, CN_ACCURACY_QUAKE, CN_ACCURACY_PACKING,
                                        CN_ACCURACY_MASONRY};
    const double h = 1e-3, slope = sqrt(1.0 + 0.6 * 0.6), smallest = 0.1;
    CN_TRUE(cn_accuracy_row(CN_ACCURACY_COUNT) == NULL);
    for (int k = 0; k < 4; k++) {
        const cn_accepted *word = cn_accuracy_row(words[k]);
        cn_world *w = pile_of(word->name);
        cn_solver *s = NULL;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        double u[4096];
        for (int n = 0; n < 40; n++) {
            CN_DO(cn_world_step(w, h, &test_error));
            const cn_certificate *c = cn_world_view(w).certificate;
            cn_problem p;
            cn_residual anew;
            CN_DO(cn_world_problem(w, &p, NULL, &test_error));
            CN_TRUE(p.row_start[p.contact_count] <= 4096 && c->solver.is_converged);
            CN_DO(cn_problem_velocity(&p, s, u, &test_error));
            CN_DO(cn_problem_residual(&p, u, s, &anew, &test_error));
            CN_NEAR(anew.v_ref, c->solver.residual.v_ref, 1e-9, "impulses differ by rounding");
            CN_TRUE(c->accuracy == words[k] && c->eps_v == word->eps_v && c->tol == word->tol);
            CN_TRUE(word->is_bulk ? anew.err_v_rms <= 1.0001 * word->eps_v
                                  : anew.err_v <= 1.0001 * word->eps_v);
            CN_TRUE(!word->is_bulk || anew.err_v <= 1.0001 * word->worst * word->eps_v);
            CN_TRUE(!word->is_bulk || h * slope * anew.e_max <= 1.0001 * word->length * smallest);
            CN_TRUE(c->solver.residual.outlier_count <= word->outlier_share * c->contact_count);
        }
        cn_solver_destroy(s);
        cn_world_destroy(w);
    }
}

enum { KEPT = 1024 };

// The way that sticking contacts have slipped, by the names of contacts.
typedef struct slips {
    int count;
    uint64_t pair[KEPT], feature[KEPT];
    double way[KEPT];
} slips;

static double way_before(const slips *s, const cn_contact *x)
{
    for (int k = 0; k < s->count; k++) {
        if (s->pair[k] == x->pair && s->feature[k] == x->feature) {
            return s->way[k];
        }
    }
    return 0.0;
}

// Adds the last step, and returns the largest.
static double add_slips(cn_view view, double h, slips *s)
{
    slips now = {0};
    double most = 0.0;
    for (int a = 0; a < view.contact_count && a < KEPT; a++) {
        const cn_contact *x = &view.contact[a];
        bool sticks = x->status == CN_STATUS_STICK;
        now.pair[a] = x->pair;
        now.feature[a] = x->feature;
        now.way[a] = sticks ? way_before(s, x) + h * x->u[1] : 0.0;
        most = fmax(most, fabs(now.way[a]));
        now.count++;
    }
    *s = now;
    return most;
}

// The largest creep is what sticking contacts have slipped since they began to (8.31), and goes on
// from a checkpoint.
CN_TEST(creep_is_what_sticking_contacts_slip)
{
    static slips s;
    const double h = 1e-3;
    cn_world *w = pile_of("0.1"), *again = pile_of("0.1");
    double creep = 0.0;
    for (int n = 0; n < 60; n++) {
        if (n == 50) {
            const cn_state_part *part;
            int count;
            CN_DO(cn_world_state(w, &part, &count, &test_error));
            CN_DO(cn_world_restore(again, part, count, &test_error));
        }
        CN_DO(cn_world_step(w, h, &test_error));
        creep = add_slips(cn_world_view(w), h, &s);
        const cn_certificate *c = cn_world_view(w).certificate;
        CN_NEAR(c->creep, creep, 1e-9 * creep, "normals turn by 1e-5 while contacts stick");
        if (n >= 50) {
            CN_DO(cn_world_step(again, h, &test_error));
            CN_TRUE(cn_world_view(again).certificate->creep == c->creep);
        }
    }
    CN_TRUE(creep > 1e-9); // there is something to see
    CN_TRUE(cn_world_view(w).certificate->creep_body[1] > 0);
    cn_world_destroy(w);
    cn_world_destroy(again);
}

// A word that is missed says so: the mean, in a step that may take no work.
CN_TEST(missed_words_are_named)
{
    cn_world *w = pile_of("quake");
    cn_solver_def def = cn_solver_def_default();
    def.accuracy = CN_ACCURACY_QUAKE;
    def.method = CN_METHOD_NLGS;
    def.sweep_max = 1;
    def.tol = 1.0; // what is given goes before what the word has
    CN_DO(cn_world_set_solver(w, &def, &test_error));
    CN_DO(cn_world_step(w, 1e-3, &test_error));
    const cn_certificate *c = cn_world_view(w).certificate;
    CN_TRUE(!c->solver.is_converged && c->solver.criterion == CN_CRITERION_BULK);
    CN_NEAR(c->solver.value, c->solver.residual.err_v_rms, 0.0, "what is told is what is missed");
    CN_NEAR(c->solver.asked, 3e-3, 0.0, "of the word");
    CN_TRUE(c->worst_body[0] > 0 && c->worst_body[1] > c->worst_body[0]);
    def.accuracy = CN_ACCURACY_COUNT;
    CN_FAILS(cn_world_set_solver(w, &def, &test_error), CN_BAD_INPUT, "accuracy");
    cn_world_destroy(w);
}

// A disk between the ground and a heavy plate that a force presses, without gravity. Both contacts
// carry h F; w = (1/m + 3/m)/2 of a disk, of the plate 1e-6 of that: v_ref = 0.03 h F 2/m, where
// that of flows is rms u_free, h F/M over a root of two.
CN_TEST(packings_are_measured_by_their_forces)
{
    static const char text[] =
        "cairn: 1\n"
        "gravity: none\n"
        "materials: {m: 1000, heavy: 1e9}\n"
        "laws: {c: {type: coulomb, friction: 0.5}}\n"
        "contacts: [{between: [any, any], law: c}]\n"
        "solver: {accuracy: %s}\n"
        "bodies:\n"
        "  ground: {shape: {half_plane: {}}, fixed: true}\n"
        "  grain: {shape: {disk: 0.1}, material: m, at: [0, 0.1]}\n"
        "  plate: {shape: {box: [1, 0.1]}, material: heavy, at: [0, 0.25], fixed: [x, rotation]}\n"
        "stages: [{step: 1e-3, duration: 1}]\n";
    const double F = 1000.0, h = 1e-3, m = 1000.0 * CN_PI * 0.01, M = 1e9 * 0.1;
    const double exact[2] = {0.03 * h * F * 2.0 / m, h * F / M / sqrt(2.0)};
    for (int k = 0; k < 2; k++) {
        char scene[1024];
        snprintf(scene, sizeof scene, text, k == 0 ? "packing" : "flow");
        cn_world *w = world_of(scene);
        cn_force_def force = {.body = 3, .direction = {0.0, -1.0}, .f = cn_constant(F)};
        CN_DO(cn_force_add(w, &force, &test_error));
        CN_DO(cn_world_step(w, h, &test_error));
        const cn_certificate *c = cn_world_view(w).certificate;
        CN_TRUE(c->contact_count == 2);
        CN_NEAR(c->solver.residual.v_ref, exact[k], 1e-2 * exact[k],
                "what is left of the approach");
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(steps_keep_what_words_promise); CN_RUN(creep_is_what_sticking_contacts_slip);
        CN_RUN(missed_words_are_named); CN_RUN(packings_are_measured_by_their_forces);)
