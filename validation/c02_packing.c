// validation/c02_packing.c -- C02, C03: random packings under pressure.
//
// Question: how dense do grains without friction jam, and on how many contacts do they rest?
// Reference: solid fractions 0.842 (disks of two sizes) and 0.639 (equal spheres); as many contacts
// as degrees of freedom, 4 and 6 per grain (isostatic), but for the few of the walls. With friction
// 0.3 spheres compressed from a gas reach 0.593 with 4.5 contacts each. Source: O'Hern et al. 2003;
// Moukarzel 1998; Agnolin and Roux 2007; Unger et al. 2005.
//
// Grains are scattered at random and pressed together from all sides: first the walls close at a
// set speed and the gas follows them, so that it stays even; then a pressure well above
// the dynamic one closes the packing. Contacts are in displacement form: what a step leaves of
// overlap the next one takes back. Grains without friction go on to creep long after the box seems
// to stand: 1000 spheres once gained 2.3e-4 of fill in 40 steps and 0.006 in the next 440. So
// spheres are given steps of 1.6 s to creep: 4000 of them get to 0.641 in 63 s of processor time,
// with steps of 0.4 s to 0.634 in 144. Disks then end with 3.95 contacts, and keep to 0.4 s. With
// friction a residual of 5e-2 is too large: its errors shake the grains, and the packing creeps for
// as long as one looks. Smooth walls do not help there: 0.586 instead of 0.583 of seed 1, and as
// each of their contacts bears less, 4.9 of them per grain.
#include "builders.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>

#define SPEED 0.2    // of the moving walls while they are driven [m/s]
#define PRESSURE 0.5 // 12 times density speed^2 [Pa]
#define SEED_COUNT 5
#define STEP 0.1      // walls move by a fiftieth of a diameter per step [s]
#define STEP_REST 0.4 // what is pressed already moves less [s]
#define STEP_LAST 1.6 // without friction at the end [s]
#define ROUGH 5e-2    // residual: a step leaves 5e-4 diameters of overlap
#define FINE 1e-2     // 1e-4 of them
#define FINER 1e-3    // 1e-5

typedef struct sample {
    int dim, grain_count;
    double ratio; // large over small diameter, half and half by number
    double mu;
    double gas, driven; // solid fraction at the start, and until which walls are driven
    double margin;      // next to walls, left out of the solid fraction [diameters]
    double creep;       // step while what is pressed creeps on, with the larger residual [s]
    int patience;       // steps in which the box must gain little to be at rest
} sample;

static const sample disks = {2, 2000, 1.4, 0.0, 0.42, 0.76, 6.0, STEP_REST, 40};
static const sample spheres = {3, 4000, 1.0, 0.0, 0.25, 0.52, 3.0, 1.6, 20};

#define GRAIN_MAX 4000

typedef struct packing {
    cn_trial trial;
    const sample *sample;
    double radius[GRAIN_MAX];
    cn_body_id grain[GRAIN_MAX], wall[3]; // walls that move: far in x, y and z
    double side, volume;                  // of the box at first, of all grains
    double extent[3];                     // of the box when it is measured
} packing;

static double volume_of(int dim, double radius)
{
    return dim == 2 ? CN_PI * radius * radius : 4.0 / 3.0 * CN_PI * radius * radius * radius;
}

static void draw_sizes(packing *p)
{
    const sample *s = p->sample;
    p->volume = 0.0;
    for (int k = 0; k < s->grain_count; k++) {
        p->radius[k] = k % 2 == 0 ? 0.5 : 0.5 * s->ratio;
        p->volume += volume_of(s->dim, p->radius[k]);
    }
    p->side = pow(p->volume / s->gas, 1.0 / s->dim);
}

static bool is_free(const packing *p, double at[][3], int k)
{
    for (int n = 0; n < k; n++) {
        double x = at[k][0] - at[n][0], y = at[k][1] - at[n][1], z = at[k][2] - at[n][2];
        double reach = p->radius[k] + p->radius[n];
        if (x * x + y * y + z * z < reach * reach) {
            return false;
        }
    }
    return true;
}

// Anywhere in the box [0, side] where there is room; all flow towards the corner at the origin.
static void scatter(packing *p, uint64_t seed)
{
    static const int try_max = 100000;
    double(*at)[3] = calloc(GRAIN_MAX, sizeof *at);
    for (int k = 0; at && k < p->sample->grain_count; k++) {
        cn_body_def grain = {.density = 1.0};
        for (int n = 0; n < try_max && (n == 0 || !is_free(p, at, k)); n++) {
            for (int d = 0; d < p->sample->dim; d++) {
                double room = p->side - 2.0 * p->radius[k];
                at[k][d] = p->radius[k] + room * cn_random(&seed);
            }
        }
        for (int d = 0; d < p->sample->dim; d++) {
            grain.at[d] = at[k][d];
            grain.velocity[d] = -SPEED * at[k][d] / p->side;
        }
        p->grain[k] = cn_build_disk(&p->trial, p->radius[k], grain);
    }
    free(at);
}

// A plate as wide as the box, its inner face at `side` across axis d, free to move along it.
static cn_body_id add_wall(packing *p, int group, int d)
{
    const double thick = 2.0, wide = p->side + 4.0;
    double vertex[8], size[3] = {wide, wide, wide}, point[24];
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex};
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    size[d] = thick;
    cn_box_vertices(size[0], size[1], vertex);
    cn_box_corners(size[0], size[1], size[2], point);
    bool is_flat = p->sample->dim == 2;
    cn_body_def wall = {.density = 0.5,
                        .group = group,
                        .at = {0.5 * p->side, 0.5 * p->side, is_flat ? 0.0 : 0.5 * p->side},
                        .fixed = CN_FIXED_ALL & ~(1u << (CN_DOF_X + d))};
    if (is_flat) {
        wall.shapes = (cn_shape_parts){1, &shape};
    } else {
        wall.type = CN_BODY_SOLIDS;
        wall.solids = (cn_solid_parts){1, &solid};
    }
    wall.at[d] = p->side + 0.5 * thick;
    wall.velocity[d] = -SPEED;
    return cn_trial_add(&p->trial, &wall);
}

static void add_walls(packing *p, int group)
{
    const double s = sqrt(0.5);
    cn_body_def plane[3] = {{.angle = -0.5 * CN_PI, .group = group},
                            {.group = group},
                            {.rotation = {s, s, 0.0, 0.0}, .group = group}};
    for (int d = 0; d < p->sample->dim; d++) {
        cn_build_plane(&p->trial, plane[d]);
        p->wall[d] = add_wall(p, group, d);
    }
}

static cn_solver_def solver_for(cn_method method, double accuracy)
{
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = method;
    solver.eps_v = solver.tol = accuracy;
    return solver;
}

static packing *build(cn_book *book, const sample *s, uint64_t seed)
{
    packing *p = calloc(1, sizeof *p);
    if (!p) {
        cn_book_failure(book, "no memory for a packing");
        return NULL;
    }
    p->sample = s;
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver = solver_for(CN_METHOD_AUTO, s->mu > 0.0 ? FINE : ROUGH);
    cn_place place = s->dim == 2 ? cn_place_plane() : cn_place_along_axes(0.0);
    p->trial = cn_trial_begin_at(book, &def, &place);
    cn_law_def law = cn_law_coulomb(s->mu, 0.0);
    cn_law_set_word(&law, "form", "displacement", NULL);
    int walls = cn_trial_group(&p->trial, "walls");
    cn_trial_law(&p->trial, walls, walls, NULL); // plates cross at the edges of the box
    cn_trial_law(&p->trial, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    draw_sizes(p);
    add_walls(p, walls);
    scatter(p, seed);
    return p;
}

// Where the inner face of the moving wall across axis d is.
static double extent(const packing *p, int d)
{
    return d < p->sample->dim ? cn_trial_state(&p->trial, p->wall[d]).position[d] - 1.0 : 1.0;
}

static double fill_of_box(const packing *p)
{
    return p->volume / (extent(p, 0) * extent(p, 1) * extent(p, 2));
}

static void drive_walls(packing *p)
{
    cn_trial *t = &p->trial;
    for (int d = 0; d < p->sample->dim && !t->is_broken; d++) {
        cn_drive_def drive = {.body = p->wall[d],
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = (cn_dof)(CN_DOF_X + d),
                              .f = cn_constant(-SPEED)};
        cn_error err;
        cn_trial_ok(t, cn_drive_add(t->world, &drive, &err), &err);
    }
}

// The pressure acts on the box as it is now.
static void press_walls(packing *p)
{
    cn_trial *t = &p->trial;
    double area = extent(p, 0) * extent(p, 1) * extent(p, 2);
    if (!t->is_broken) {
        cn_loads_clear(t->world);
    }
    for (int d = 0; d < p->sample->dim && !t->is_broken; d++) {
        cn_force_def force = {.body = p->wall[d], .f = cn_constant(PRESSURE * area / extent(p, d))};
        cn_error err;
        force.direction[d] = -1.0;
        cn_trial_ok(t, cn_force_add(t->world, &force, &err), &err);
    }
}

static void set_solver(packing *p, cn_method method, double accuracy)
{
    cn_trial *t = &p->trial;
    cn_solver_def solver = solver_for(method, accuracy);
    cn_error err;
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_set_solver(t->world, &solver, &err), &err);
}

// Contacts that carry more than 1e-6 of the mean force: those that do not are left out.
static int mark_carrying(const cn_view *view, char *carries)
{
    double mean = 0.0;
    int active = 0, count = 0;
    for (int a = 0; a < view->contact_count; a++) {
        mean += view->contact[a].r[0];
        active += view->contact[a].r[0] > 0.0;
    }
    mean /= fmax(active, 1.0);
    for (int a = 0; a < view->contact_count; a++) {
        carries[a] = view->contact[a].r[0] > 1e-6 * mean;
        count += carries[a];
    }
    return count;
}

// Leaves out the contacts of grains that have fewer than `least`; returns how many contacts go, and
// the grains that keep some.
static int drop_rattlers(const cn_view *view, int least, char *carries, int *contacts, int *held)
{
    int dropped = 0;
    memset(contacts, 0, (size_t)view->body_count * sizeof *contacts);
    for (int a = 0; a < view->contact_count; a++) {
        contacts[view->contact[a].i] += carries[a];
        contacts[view->contact[a].j] += carries[a];
    }
    *held = 0;
    for (int i = 0; i < view->body_count; i++) {
        contacts[i] = view->fixed[i] == 0 ? contacts[i] : least;
        *held += view->fixed[i] == 0 && contacts[i] > 0;
    }
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        bool is_floating = contacts[c->i] < least || contacts[c->j] < least;
        dropped += carries[a] && is_floating;
        carries[a] = carries[a] && !is_floating;
    }
    return dropped;
}

// Contacts per grain, without grains that rattle. At rest a grain needs one contact more than it
// has directions to move in, with friction two: one that has fewer was only brushed by its
// neighbours in this step, and what leans on it alone rattles, too.
static double coordination(const packing *p)
{
    const int least = p->sample->mu > 0.0 ? 2 : p->sample->dim + 1;
    cn_view view = p->trial.is_broken ? (cn_view){0} : cn_world_view(p->trial.world);
    char *carries = calloc((size_t)view.contact_count + 1, 1);
    int *contacts = calloc((size_t)view.body_count + 1, sizeof *contacts);
    double z = NAN;
    if (carries && contacts) {
        int carrying = mark_carrying(&view, carries), held = 0, dropped;
        do {
            dropped = drop_rattlers(&view, least, carries, contacts, &held);
            carrying -= dropped;
        } while (dropped > 0);
        z = 2.0 * carrying / held;
    }
    free(carries);
    free(contacts);
    return z;
}

// Under pressure until the box gains less than `gain` in fill over a while. Grains that nothing
// holds may drift for ever, so the speed of grains says nothing.
static void press(packing *p, double h, int patience, double gain)
{
    const int most = 1600;
    double last = 0.0;
    for (int n = 0; n < most; n++) {
        if (n % patience == 0) {
            double fill = fill_of_box(p);
            if (n > 0 && fabs(fill - last) < gain) {
                return;
            }
            last = fill;
            press_walls(p);
        }
        if (!cn_trial_step(&p->trial, h)) {
            return;
        }
    }
}

// Walls driven, then pressed.
static void compress(packing *p)
{
    drive_walls(p);
    while (fill_of_box(p) < p->sample->driven && cn_trial_step(&p->trial, STEP)) {
    }
    press(p, STEP, 40, 2e-3);
    press(p, p->sample->creep, p->sample->patience, 1e-4);
    if (p->sample->mu == 0.0) {
        set_solver(p, CN_METHOD_AUTO, FINE);
        press(p, STEP_REST, p->sample->patience, 1e-4);
    }
}

// Share of a grain that lies further than the margin from all walls, by points of a lattice.
static double share_inside(const packing *p, int k)
{
    const int n = 24, layers = p->sample->dim == 2 ? 1 : n;
    const double r = p->radius[k], margin = p->sample->margin;
    cn_body_state grain = cn_trial_state(&p->trial, p->grain[k]);
    long all = 0, inside = 0;
    for (int a = 0; a < n * n * layers; a++) {
        double off[3] = {(2 * (a % n) + 1.0) / n - 1.0, (2 * (a / n % n) + 1.0) / n - 1.0,
                         layers == 1 ? 0.0 : (2 * (a / (n * n)) + 1.0) / n - 1.0};
        if (off[0] * off[0] + off[1] * off[1] + off[2] * off[2] > 1.0) {
            continue;
        }
        bool is_in = true;
        for (int d = 0; d < p->sample->dim; d++) {
            double x = grain.position[d] + r * off[d];
            is_in = is_in && x > margin && x < p->extent[d] - margin;
        }
        all++;
        inside += is_in;
    }
    return (double)inside / (double)all;
}

// Away from the walls.
static double solid_fraction(packing *p)
{
    double solid = 0.0, core = 1.0;
    for (int d = 0; d < p->sample->dim; d++) {
        p->extent[d] = extent(p, d);
        core *= p->extent[d] - 2.0 * p->sample->margin;
    }
    for (int k = 0; k < p->sample->grain_count; k++) {
        solid += volume_of(p->sample->dim, p->radius[k]) * share_inside(p, k);
    }
    return solid / core;
}

static void finish(packing *p)
{
    cn_trial_end(&p->trial);
    free(p);
}

// Largest overlap of the last step over the diameter of the smaller grain.
static double overlap(const packing *p)
{
    const cn_trial *t = &p->trial;
    return t->is_broken ? NAN : cn_world_view(t->world).certificate->penetration_rel;
}

static void check_fraction(cn_book *book, const sample *s, double exact, double tolerance)
{
    const char *grains = s->dim == 2 ? "disks" : "spheres";
    double mean = 0.0, deepest = 0.0;
    for (int seed = 1; seed <= SEED_COUNT; seed++) {
        packing *p = build(book, s, (uint64_t)seed);
        if (!p) {
            return;
        }
        compress(p);
        cn_trial_run(&p->trial, STEP, 5); // in which what drifts hits others by less
        double fraction = solid_fraction(p), deep = overlap(p);
        cn_say(book, "%s, seed %d: solid fraction %.4f, overlap %.1e", grains, seed, fraction,
               deep);
        mean += fraction / SEED_COUNT;
        deepest = fmax(deepest, deep);
        finish(p);
    }
    cn_check(book, cn_name(book, "solid fraction, mean of 5, %s", grains), mean, exact, tolerance);
    cn_check(book, cn_name(book, "overlap at rest over diameter, %s", grains), deepest, 0.0, 1e-3);
}

void cn_case_C02(cn_book *book)
{
    check_fraction(book, &disks, 0.842, 0.006);
    check_fraction(book, &spheres, 0.639, 0.005);
}

static void tell(const packing *p, const char *what)
{
    cn_say(p->trial.book, "%s, friction %g, %s: fill of the box %.4f, contacts per grain %.4f",
           p->sample->dim == 2 ? "disks" : "spheres", p->sample->mu, what, fill_of_box(p),
           coordination(p));
}

// Without friction pressed on until forces hardly change. A step of the interior point method costs
// as much as some 50 others and is exact; with friction it is not, and the bounds are wide. Where
// contacts are missing grains still move, and their inertia bears what contacts will: of 11490
// contacts between spheres 71 are missing after one exact step at once, 41 after one that
// follows 21 steps of residual 1e-3. Sweeps count too many: forces of 1e-3 of the mean are not
// resolved by them.
static packing *settle(cn_book *book, const sample *s, int seed)
{
    packing *p = build(book, s, (uint64_t)seed);
    if (p) {
        compress(p);
        tell(p, "pressed");
    }
    if (p && s->mu == 0.0) {
        set_solver(p, CN_METHOD_AUTO, FINER);
        press_walls(p);
        cn_trial_run(&p->trial, STEP_LAST, 21);
        tell(p, "pressed to a residual of 1e-3");
        set_solver(p, CN_METHOD_IPM, 1e-8);
        press_walls(p);
        for (int n = 1; n <= 4; n++) {
            cn_trial_step(&p->trial, STEP_LAST);
            tell(p, "exact step");
        }
    }
    return p;
}

// Mean of seeds; returns that of the solid fraction.
static double check_contacts(cn_book *book, const char *grains, const sample *s, int seed_count,
                             double exact, double tolerance)
{
    double contacts = 0.0, fraction = 0.0;
    for (int seed = 1; seed <= seed_count; seed++) {
        packing *p = settle(book, s, seed);
        if (!p) {
            return NAN;
        }
        double solid = solid_fraction(p);
        cn_say(book, "seed %d: solid fraction %.4f away from the walls", seed, solid);
        contacts += coordination(p) / seed_count;
        fraction += solid / seed_count;
        finish(p);
    }
    cn_check(book, cn_name(book, "contacts per %s, friction %g", grains, s->mu), contacts, exact,
             tolerance);
    return fraction;
}

// Spheres with friction are asked for their solid fraction, too, which scatters by 0.003 in a core
// of a thousand: so there are several seeds.
void cn_case_C03(cn_book *book)
{
    const sample rough_disks = {2, 2000, 1.4, 0.5, 0.42, 0.72, 6.0, STEP_REST, 40};
    const sample rough_spheres = {3, 4000, 1.0, 0.3, 0.25, 0.48, 3.0, STEP_REST, 40};
    check_contacts(book, "disk", &disks, 1, 4.0, 0.03);
    check_contacts(book, "disk", &rough_disks, 1, 3.5, 0.5);
    check_contacts(book, "sphere", &spheres, 1, 6.0, 0.03);
    double fraction = check_contacts(book, "sphere", &rough_spheres, 3, 4.5, 0.2);
    cn_check(book, "solid fraction, mean of 3, spheres, friction 0.3", fraction, 0.593, 0.008);
}
