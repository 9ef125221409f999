// validation/m03_places.c -- M03, M04, M19, M22: models written by hand, known on paper.
//
// Question: are the rules by which LMGC90 finds masses, places and drives those of the import?
// References: the area 4 a b + pi b^2 of a bar and the moment that LMGC90 gives it, which is not
// that of its shape (M03); squares whose node is zero, in the middle, and off it by less and more
// than a squared 1e-6 (M04); a cube that hangs on a set of points (M19); a cosine with a ramp that
// counts from t0, an evolution that goes on beyond its table, a drive without a ramp (M22). Source:
// rules read in LMGC90 3.0.0; arithmetic.
#include "import_rig.h"
#include "table.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char bulk[] =
    "$gravy\n                   grv1= 0.0000000D+00  grv2= 0.0000000D+00  grv3= 0.0000000D+00\n"
    "$behav  lawty\n STONE  RIGID                           Umas= 1.0000000D+03\n";
static const char tact[] =
    "$behav  lawty\n iqsc0  IQS_CLB                         fric= 0.3000000D+00\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY2  DISKx  BLEUx  iqsc0  RBDY2  DISKx  BLEUx       0.5000000D-03\n";

// Head of a rigid body of the plane with its node.
static const char head[] =
    "$bdyty\n RBDY2      1\n$blmty\n PLAIN      1  behav  STONE  avrd= 0.0000000D+00  gyrd= "
    "0.0000000D+00\n"
    "$nodty\n NO3xx      1                coo1=%14.7E  coo2=%14.7E  coo3= 0.0000000E+00\n$tacty\n";

static bool write_file(const cn_import_trial *m, const char *name, const char *text)
{
    char path[sizeof m->scene + 32];
    snprintf(path, sizeof path, "%s/hand/DATBOX/%s", m->folder, name);
    return cn_write_text(m->book, path, text, false);
}

// A model of these bodies; drives and an evolution may be NULL.
static cn_import_trial begin(cn_book *book, const char *bodies)
{
    cn_import_trial m = {.book = book, .set = {"hand", 0.25, 0.5, 7, 0.0, NULL}};
    char path[sizeof m.scene];
    if (!cn_folder_make(book, m.folder)) {
        return m;
    }
    snprintf(path, sizeof path, "%s/hand", m.folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/hand/DATBOX", m.folder);
    mkdir(path, 0700);
    if (write_file(&m, "BULK_BEHAV.DAT", bulk) && write_file(&m, "TACT_BEHAV.DAT", tact) &&
        write_file(&m, "BODIES.DAT", bodies)) {
        snprintf(m.scene, sizeof m.scene, "%s/hand.yaml", m.folder);
        snprintf(m.result, sizeof m.result, "%s/hand.h5", m.folder);
    }
    return m;
}

void cn_case_M03(cn_book *book)
{
    char bodies[1024];
    int length = snprintf(bodies, sizeof bodies, head, 0.0, 0.0);
    snprintf(bodies + length, sizeof bodies - (size_t)length,
             " JONCx      1  color  WALLx  axe1= 1.0000000D+00  axe2= 1.0000000D-01\n$$$$$$\n");
    const double a = 1.0, b = 0.1, density = 1000.0;
    cn_import_trial m = begin(book, bodies);
    double inertia[3] = {NAN}, mass = NAN;
    if (cn_import_trial_import(&m) && cn_import_trial_run(&m, m.set.step)) {
        cn_body_id id = cn_import_trial_body(&m, 'R', 1);
        mass = cn_reader_mass(m.reader, id);
        cn_reader_inertia(m.reader, id, inertia);
    }
    cn_check_rel(book, "mass of a bar [kg]", mass, density * (4.0 * a * b + CN_PI * b * b), 1e-7);
    cn_check_rel(book, "moment that LMGC90 gives it [kg m2]", inertia[0],
                 density * (CN_PI * b * b * (a * a + 0.5 * b * b) + 2.0 * a * b * (a * a + b * b)),
                 1e-7);
    cn_check_true(book, "the report says that it is not that of the shape",
                  m.report.changed_count > 0);
    cn_import_trial_close(&m);
}

// Adds a square of side 1 with its lower left corner at (x, y) in the frame of a node.
static size_t add_square(char *text, size_t size, const double node[2], double x, double y)
{
    const double corner[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
    size_t length = (size_t)snprintf(text, size, head, node[0], node[1]);
    length += (size_t)snprintf(text + length, size - length,
                               " POLYG      1  color  REDxx  nb_vertex=      4\n");
    for (int k = 0; k < 4; k++) {
        length += (size_t)snprintf(text + length, size - length,
                                   "                             coo1=%14.7E  coo2=%14.7E\n",
                                   x + corner[k][0], y + corner[k][1]);
    }
    return length + (size_t)snprintf(text + length, size - length, "$$$$$$\n");
}

void cn_case_M04(cn_book *book)
{
    static const struct {
        double node[2], x, y, wanted[2];
    } square[] = {{{0.0, 0.0}, 0.0, 0.0, {0.5, 0.5}},
                  {{5.0, 0.0}, 0.0, 0.0, {5.5, 0.5}},
                  {{5.0, 3.0}, -0.4995, -0.5, {5.0, 3.0}},
                  {{5.0, 6.0}, -0.498, -0.5, {5.002, 6.0}}};
    char bodies[4096];
    size_t length = 0;
    for (int k = 0; k < 4; k++) {
        length += add_square(bodies + length, sizeof bodies - length, square[k].node, square[k].x,
                             square[k].y);
    }
    cn_import_trial m = begin(book, bodies);
    cn_frame frame = {.body_count = 0};
    if (cn_import_trial_import(&m) && cn_import_trial_run(&m, m.set.step)) {
        cn_reader_frame(m.reader, 0, &frame, NULL);
    }
    cn_check(book, "squares", frame.body_count, 4.0, 0.0);
    for (int k = 0; k < frame.body_count; k++) {
        for (int n = 0; n < 2; n++) {
            cn_check(book, cn_name(book, "square %d, %c [m]", k + 1, "xy"[n]), frame.q[3 * k + n],
                     square[k].wanted[n], 1e-12);
        }
    }
    cn_import_trial_close(&m);
}

// ---- M19

// A cube of eight hex8 whose nine lower nodes are a set of points.
static void write_cube(char *text, size_t size, bool is_empty)
{
    size_t length =
        (size_t)snprintf(text, size,
                         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"all\"\n"
                         "0 2 \"foot\"\n$EndPhysicalNames\n$Nodes\n27\n");
    for (int n = 0; n < 27; n++) {
        length += (size_t)snprintf(text + length, size - length, "%d %g %g %g\n", n + 1,
                                   0.5 * (n % 3), 0.5 * (n / 3 % 3), 0.5 * (n / 9));
    }
    length += (size_t)snprintf(text + length, size - length, "$EndNodes\n$Elements\n%d\n",
                               is_empty ? 8 : 17);
    for (int e = 0; e < 8; e++) {
        int n = 1 + e % 2 + 3 * (e / 2 % 2) + 9 * (e / 4);
        length +=
            (size_t)snprintf(text + length, size - length, "%d 5 2 1 1 %d %d %d %d %d %d %d %d\n",
                             e + 1, n, n + 1, n + 4, n + 3, n + 9, n + 10, n + 13, n + 12);
    }
    for (int n = 0; n < 9 && !is_empty; n++) {
        length += (size_t)snprintf(text + length, size - length, "%d 15 2 2 2 %d\n", 9 + n, n + 1);
    }
    snprintf(text + length, size - length, "$EndElements\n");
}

// Kinetic energy after five steps of 0.01 s, over that of free fall; NaN if the scene is refused.
static double fall(cn_book *book, bool is_empty, cn_error *err)
{
    static const char scene[] =
        "cairn: 1\ndimension: 3\nscheme: {theta: 1}\nmaterials: {stuff: {density: 2750, young: "
        "7e10, poisson: 0.2}}\n"
        "laws: {dry: {type: coulomb, friction: 0.5}}\ncontacts: [{between: [any, any], law: dry}]\n"
        "bodies:\n  cube: {mesh: {file: cube.msh}, material: stuff, fixed_sets: {foot: true}}\n"
        "stages: [{step: 1e-2, duration: 0.05}]\n";
    char folder[CN_FOLDER_SIZE], path[CN_FOLDER_SIZE + 16], mesh[4096];
    cn_scene *made = NULL;
    cn_world *world = NULL;
    double share = NAN;
    if (!cn_folder_make(book, folder)) {
        return share;
    }
    write_cube(mesh, sizeof mesh, is_empty);
    snprintf(path, sizeof path, "%s/cube.msh", folder);
    cn_write_text(book, path, mesh, false);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    cn_scene_source source = {.name = path, .text = scene};
    if (cn_scene_read(&source, NULL, NULL, &made, err) == CN_OK &&
        cn_scene_build(made, 1, &world, err) == CN_OK) {
        for (int k = 0; k < 5 && cn_world_step(world, 1e-2, err) == CN_OK; k++) {
        }
        cn_view view = cn_world_view(world);
        share = view.ledger->kinetic / (0.5 * 2750.0 * pow(9.81 * view.time, 2.0));
    }
    cn_world_destroy(world);
    cn_scene_destroy(made);
    cn_folder_remove(folder);
    return share;
}

void cn_case_M19(cn_book *book)
{
    cn_error err = {0};
    cn_check(book, "kinetic energy of a held cube over that of free fall", fall(book, false, &err),
             0.0, 1e-9);
    double empty = fall(book, true, &err);
    cn_check_true(book, "a set without nodes is an error that names it",
                  isnan(empty) && strstr(err.text, "foot") != NULL);
}

// ---- M22

void cn_case_M22(cn_book *book)
{
    static const char still[] =
        "0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  1.0000000D+00  0.0000000D+00";
    static const char *const moved[3] = {
        "1.0000000D-01  2.0000000D-01  1.0000000D+01  3.0000000D-01  0.0000000D+00  2.0000000D+00",
        "evolution f.dat",
        "5.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00"};
    char bodies[4096], drives[4096];
    size_t length = 0, driven = 0;
    for (int k = 0; k < 3; k++) {
        length +=
            (size_t)snprintf(bodies + length, sizeof bodies - length, head, 2.0 * (k + 1), 0.0);
        length += (size_t)snprintf(bodies + length, sizeof bodies - length,
                                   " DISKx      1  color  BLEUx  byrd= 0.5000000D+00\n$$$$$$\n");
        driven += (size_t)snprintf(
            drives + driven, sizeof drives - driven,
            "$bdyty\n RBDY2      %d\n$nodty\n NO3xx      1\n$dofty\n vlocy      1  %s\n"
            " vlocy      2  %s\n vlocy      3  %s\n$$$$$$\n",
            k + 1, moved[k], still, still);
    }
    cn_import_trial m = begin(book, bodies);
    write_file(&m, "DRV_DOF.DAT", drives);
    write_file(&m, "f.dat", "0.0D0 0.0D0\n1.0D0 1.0D0\n");
    write_file(&m, "DOF.INI", "$steps      5                time= 2.5000000D-01\n");
    cn_import_trial_import(&m);
    cn_import_trial_add(&m, "observe:\n  - {name: one, track: b1}\n  - {name: two, track: b2}\n"
                            "  - {name: three, track: b3}\n");
    cn_import_trial_run(&m, INFINITY);
    cn_column one = cn_import_trial_column(&m, "series/one.vx"),
              two = cn_import_trial_column(&m, "series/two.vx"),
              three = cn_import_trial_column(&m, "series/three.vx");
    bool is_whole = one.count == 7 && two.count == 7 && three.count == 7;
    cn_check_true(book, "seven steps from 0.25 s on", is_whole);
    if (is_whole) {
        cn_check(book, "cosine with a ramp at 0.75 s [m/s]", one.value[1],
                 (0.1 + 0.2 * cos(7.8)) * 1.0, 1e-9);
        cn_check(book, "evolution at 2 s, beyond its table [m/s]", two.value[6], 2.0, 1e-9);
        cn_check(book, "no ramp [m/s]", three.value[6], 0.0, 1e-9);
    }
    cn_check_true(book, "a drive without a ramp is told", m.report.changed_count > 0);
    cn_import_trial_close(&m);
}
