// validation/a14_tops.c -- A14, A15: tops in space, free and under gravity.
//
// Question: does a free asymmetric top keep energy and angular momentum and turn over on time, and
// does a heavy symmetric top nutate and precess as it must? Reference: Euler's equations, w_2 = 0
// at 10.916913 s and 4 K(k)/w_p = 39.105734197 s later; for the heavy top the integrals of
// Lagrange. The fixed point is the mass centre of a body whose inertia is that about the fixed
// point; weight and support are a couple of forces. Source: Landau and Lifshitz; Simo and Wong
// 1991.
#include "builders.h"
#include "table.h"

static cn_trial begin(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    cn_place space = cn_place_along_axes(0.0);
    def.gravity[1] = 0.0;
    return cn_trial_begin_at(book, &def, &space);
}

// Mass 1 kg at the origin, without contacts.
static cn_body_id add_top(cn_trial *t, const double inertia[3], double tilt, cn_vec3 rate)
{
    cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = 0.1};
    return cn_trial_add(t, &(cn_body_def){.mass = 1.0,
                                          .inertia = {inertia[0], inertia[1], inertia[2]},
                                          .type = CN_BODY_SOLIDS,
                                          .solids = {1, &ball},
                                          .rotation = {cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0},
                                          .angular_velocity = {rate.x, rate.y, rate.z}});
}

static cn_mat3 axes_of(const cn_body_state *s)
{
    return cn_quat_matrix(
        (cn_quat){s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]});
}

static cn_vec3 body_rate(const cn_body_state *s)
{
    cn_mat3 R = axes_of(s);
    return cn_mat3_mul_transposed(
        &R, cn_v3(s->angular_velocity[0], s->angular_velocity[1], s->angular_velocity[2]));
}

static cn_vec3 momentum_of(const double inertia[3], const cn_body_state *s)
{
    cn_mat3 R = axes_of(s);
    cn_vec3 w = body_rate(s);
    return cn_mat3_mul(&R, cn_v3(inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z));
}

static double energy_of(const double inertia[3], const cn_body_state *s)
{
    cn_vec3 w = body_rate(s);
    return 0.5 * (inertia[0] * w.x * w.x + inertia[1] * w.y * w.y + inertia[2] * w.z * w.z);
}

static void check_asymmetric(cn_book *book)
{
    const double inertia[3] = {1.0, 2.0, 3.0}, h = 1e-3;
    cn_trial t = begin(book);
    cn_body_id top = add_top(&t, inertia, 0.0, cn_v3(0.01, 1.0, 0.01));
    cn_body_state s = cn_trial_state(&t, top);
    cn_vec3 L_0 = momentum_of(inertia, &s);
    double E_0 = energy_of(inertia, &s), E_drift = 0.0, L_drift = 0.0, passed[2] = {NAN, NAN};
    double w_2 = 1.0;
    int count = 0;
    for (int n = 1; n <= 60000 && cn_trial_step(&t, h); n++) {
        s = cn_trial_state(&t, top);
        double now = body_rate(&s).y;
        if (w_2 > 0.0 && now <= 0.0 && count < 2) {
            passed[count++] = h * (n - now / (now - w_2));
        }
        w_2 = now;
        E_drift = fmax(E_drift, fabs(energy_of(inertia, &s) / E_0 - 1.0));
        L_drift = fmax(L_drift, cn_norm3(cn_sub3(momentum_of(inertia, &s), L_0)) / cn_norm3(L_0));
    }
    cn_trial_end(&t);
    cn_check_rel(book, "w_2 first vanishes", passed[0], 10.916913, 2e-3);
    cn_check_rel(book, "w_2 vanishes again in the same sense", passed[1], 50.022648, 2e-3);
    cn_check_rel(book, "period", passed[1] - passed[0], 39.105734197, 2e-3);
    cn_check(book, "drift of energy over 60 s", E_drift, 0.0, 1e-6);
    cn_check(book, "drift of the vector of angular momentum", L_drift, 0.0, 1e-9);
}

// Rate at which the angular velocity turns in body axes.
static void check_symmetric(cn_book *book)
{
    const double inertia[3] = {2.0, 2.0, 1.0}, h = 1e-3, duration = 10.0;
    cn_trial t = begin(book);
    cn_body_id top = add_top(&t, inertia, 0.0, cn_v3(0.5, 0.0, 10.0));
    double turned = 0.0, last = 0.0;
    for (int n = 1; n <= (int)lround(duration / h) && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, top);
        cn_vec3 w = body_rate(&s);
        double now = atan2(w.y, w.x);
        turned += remainder(now - last, 2.0 * CN_PI);
        last = now;
    }
    cn_trial_end(&t);
    // Midpoint rule: the phase is late by (5 h)^2/12 = 2e-6 of itself.
    cn_check_rel(book, "precession in body axes, symmetric top", turned / duration, -5.0, 1e-5);
}

void cn_case_A14(cn_book *book)
{
    check_asymmetric(book);
    check_symmetric(book);
}

typedef struct nutation {
    double H_0, drift;    // Hamiltonian at the start [J], largest |H - H0|/H0
    double least, most;   // tilt [rad]
    double period;        // between passages upwards through the middle [s]
    double rate, azimuth; // mean precession between them [rad/s], azimuth at the end [rad]
} nutation;

static double tilt_of(const cn_body_state *s)
{
    cn_mat3 R = axes_of(s);
    return atan2(hypot(R.row[0].z, R.row[1].z), R.row[2].z);
}

static double azimuth_of(const cn_body_state *s)
{
    cn_mat3 R = axes_of(s);
    return atan2(R.row[1].z, R.row[0].z);
}

// Weight at a point 1 m along the axis, support at the fixed point.
static void add_couple(cn_trial *t, cn_body_id top, double weight)
{
    for (int k = 0; k < 2; k++) {
        cn_error err;
        cn_force_def force = {.body = top,
                              .direction = {0.0, 0.0, k == 0 ? -1.0 : 1.0},
                              .point = {0.0, 0.0, k == 0 ? 1.0 : 0.0},
                              .f = cn_constant(weight)};
        cn_trial_ok(t, t->is_broken ? CN_OK : cn_force_add(t->world, &force, &err), &err);
    }
}

static nutation nutate(cn_book *book, double tilt, double middle, double h)
{
    const double inertia[3] = {5.0, 5.0, 1.0}, weight = 20.0, spin = 50.0, duration = 10.0;
    nutation o = {.least = tilt, .most = tilt};
    cn_trial t = begin(book);
    cn_body_id top = add_top(&t, inertia, tilt, cn_v3(spin * sin(tilt), 0.0, spin * cos(tilt)));
    add_couple(&t, top, weight);
    cn_body_state s = cn_trial_state(&t, top);
    o.H_0 = energy_of(inertia, &s) + weight * cos(tilt);
    double last = tilt, first = 0.0, at = 0.0;
    int count = 0;
    for (int n = 1; n <= (int)lround(duration / h) && cn_trial_step(&t, h); n++) {
        s = cn_trial_state(&t, top);
        double now = tilt_of(&s), before = o.azimuth;
        o.azimuth += remainder(azimuth_of(&s) - before, 2.0 * CN_PI);
        if (last < middle && now >= middle) {
            double part = (middle - last) / (now - last), time = h * (n - 1 + part);
            double azimuth = before + part * (o.azimuth - before);
            first = count == 0 ? time : first;
            at = count == 0 ? azimuth : at;
            o.period = (time - first) / count;
            o.rate = (azimuth - at) / (time - first);
            count++;
        }
        last = now;
        o.least = fmin(o.least, now);
        o.most = fmax(o.most, now);
        o.drift = fmax(o.drift, fabs((energy_of(inertia, &s) + weight * cos(now)) / o.H_0 - 1.0));
    }
    cn_trial_end(&t);
    return o;
}

void cn_case_A15(cn_book *book)
{
    nutation o = nutate(book, 0.3, 0.3133, 1e-3);
    cn_check_rel(book, "H at the start", o.H_0, 1269.106729783, 1e-12);
    cn_check(book, "drift of H, h 1e-3", o.drift, 0.0, 1e-6);
    cn_check_rel(book, "least tilt", o.least, 0.3, 5e-3);
    cn_check_rel(book, "largest tilt", o.most, 0.326733715, 5e-3);
    cn_check_rel(book, "nutation period", o.period, 0.682256016, 2e-3);
    cn_check_rel(book, "mean precession", o.rate, 0.416425036, 2e-3);
    cn_check_rel(book, "azimuth at 10 s", o.azimuth, 4.199639817, 2e-3);
    nutation coarse = nutate(book, 0.3, 0.3133, 9e-3), fine = nutate(book, 0.3, 0.3133, 3e-3);
    cn_check_least(book, "order of the drift of H, h 9e-3 to 3e-3",
                   log(coarse.drift / fine.drift) / log(3.0), 1.8);
    cn_check_least(book, "order of the drift of H, h 3e-3 to 1e-3",
                   log(fine.drift / o.drift) / log(3.0), 1.8);
    o = nutate(book, 0.05, 0.0523, 1e-3);
    cn_check_rel(book, "H at the start, tilt 0.05", o.H_0, 1269.975005208, 1e-12);
    cn_check(book, "drift of H, tilt 0.05", o.drift, 0.0, 1e-6);
    cn_check_rel(book, "least tilt, tilt 0.05", o.least, 0.05, 5e-3);
    cn_check_rel(book, "largest tilt, tilt 0.05", o.most, 0.054551690, 5e-3);
    cn_check_rel(book, "nutation period, tilt 0.05", o.period, 0.685458497, 2e-3);
    cn_check_rel(book, "mean precession, tilt 0.05", o.rate, 0.417396077, 2e-3);
}
