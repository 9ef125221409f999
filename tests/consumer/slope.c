// A block slides down a slope under a push, for two frictions at once in two threads; each world is
// used by one of them. Exact: v = (a + F/m) t with a = g (sin - mu cos).
#include <cairn/cairn.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define SLOPE (CN_PI / 6) // [rad]
#define PUSH 100.0        // down the slope [N]
#define TIME 0.5          // [s]

// Passes a failure up; what was built so far is freed by the caller.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cn_status status_ = (call);                                                                \
        if (status_ != CN_OK) {                                                                    \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

typedef struct run {
    double mu;
    double speed, normal_force, mass; // what came out [m/s], [N], [kg]
    cn_status status;
    cn_error err;
} run;

// A load of the caller: a pure function of time.
static double push(double t, void *context)
{
    (void)t;
    return *(const double *)context;
}

// x runs down the slope, y is normal to it.
static cn_status build(cn_world *world, const run *job, cn_body_id *block, cn_error *err)
{
    static const double force = PUSH;
    int law;
    cn_law_def dry = cn_law_coulomb(job->mu, 0.0);
    TRY(cn_law_add(world, &dry, &law, err));
    TRY(cn_rule_add(world, CN_GROUP_ANY, CN_GROUP_ANY, law, err));

    cn_shape_def plane = {.kind = CN_SHAPE_HALF_PLANE};
    cn_body_def ground = cn_body_def_default();
    ground.shapes = (cn_shape_parts){1, &plane};
    ground.fixed = CN_FIXED_ALL;
    TRY(cn_body_add(world, &ground, NULL, err));

    double corner[8]; // the world copies what it needs
    cn_box_vertices(0.4, 0.2, corner);
    cn_shape_def box = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = corner};
    cn_body_def body = cn_body_def_default();
    body.shapes = (cn_shape_parts){1, &box};
    body.density = 2400.0;
    body.at[1] = 0.1;
    TRY(cn_body_add(world, &body, block, err));

    cn_force_def load = {.body = *block, .direction = {1.0, 0.0, 0.0}, .t0 = NAN};
    load.f.kind = CN_FUNCTION_CALL;
    load.f.call = push;
    load.f.context = (void *)&force;
    return cn_force_add(world, &load, err);
}

// Sum of the normal impulses of the last step over its length.
static double normal_force(const cn_world *world, double h)
{
    cn_view view = cn_world_view(world); // its arrays hold until the world changes
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        sum += view.contact[a].r[0] / h;
    }
    return sum;
}

static cn_status simulate(cn_world *world, run *job)
{
    cn_body_id block;
    const double h = 1e-3;
    TRY(build(world, job, &block, &job->err));
    for (int n = 0; n < (int)lround(TIME / h); n++) {
        TRY(cn_world_step(world, h, &job->err));
        const cn_solver_report *solved = &cn_world_view(world).certificate->solver;
        if (!solved->is_converged) { // here a failure: the figures are exact ones
            cn_solver_missed(solved, job->err.text, sizeof job->err.text);
            return CN_MISSED;
        }
    }
    cn_body_state state;
    TRY(cn_body_get(world, block, &state, &job->err));
    job->speed = state.velocity[0];
    job->mass = state.mass;
    job->normal_force = normal_force(world, h);
    return CN_OK;
}

static void *work(void *context)
{
    run *job = context;
    cn_world_def def = cn_world_def_default();
    def.gravity[0] = 9.81 * sin(SLOPE);
    def.gravity[1] = -9.81 * cos(SLOPE);
    def.solver.eps_v = 1e-10;
    def.threads = 1;
    cn_world *world = NULL;
    job->status = cn_world_create(&def, &world, &job->err);
    if (job->status == CN_OK) {
        job->status = simulate(world, job);
    }
    cn_world_destroy(world); // may be NULL
    return NULL;
}

// What cairn refuses comes back as a status and one sentence; nothing is printed, nothing ends.
static int refuses_nonsense(void)
{
    cn_error err = {0};
    cn_law_def law = cn_law_default("coulomb");
    cn_status status = cn_law_set(&law, "friktion", 0.5, &err);
    printf("refused (%s): %s\n", cn_status_name(status), err.text);
    return status == CN_BAD_INPUT;
}

int main(void)
{
    run job[2] = {{.mu = 0.2}, {.mu = 0.4}};
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) {
        if (pthread_create(&thread[k], NULL, work, &job[k]) != 0) {
            return 1;
        }
    }
    int wrong = !refuses_nonsense();
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        if (job[k].status != CN_OK) {
            fprintf(stderr, "slope: %s\n", job[k].err.text);
            return 1;
        }
        double weight = 9.81 * cos(SLOPE) * job[k].mass;
        double a = 9.81 * (sin(SLOPE) - job[k].mu * cos(SLOPE)) + PUSH / job[k].mass;
        printf("mu %.1f: %.9f m/s, exact %.9f; normal force %.6f N, exact %.6f\n", job[k].mu,
               job[k].speed, a * TIME, job[k].normal_force, weight);
        wrong += !(fabs(job[k].speed - a * TIME) < 1e-8);
        wrong += !(fabs(job[k].normal_force - weight) < 1e-6 * weight);
    }
    return wrong;
}
