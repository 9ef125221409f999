// validation/import_rig.c
#include "import_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const cn_import_model cn_import_models[CN_IMPORT_MODELS] = {
    {"aqueduct", 1e-4, 0.5, 20, 0.0, "masonry"},   {"bricks_q4", 1e-4, 0.505, 200, 0.0, NULL},
    {"cluster_mixed", 2e-4, 0.5, 3000, 0.0, NULL}, {"cubes_h8", 1e-2, 0.505, 20, 0.0, NULL},
    {"cylinders", 1e-3, 0.5, 1000, 0.0, NULL},     {"depot_perio", 1e-2, 0.5, 200, 15.0, NULL},
    {"disks_box", 2e-4, 0.5, 1000, 0.0, NULL},     {"drum_xksid", 1e-2, 0.5, 100, 0.0, NULL},
    {"marble", 1e-3, 0.51, 500, 0.0, "masonry"},   {"shear_czm", 1e-4, 0.5, 6000, 0.0, NULL},
    {"spheres_box", 2e-3, 0.5, 120, 0.0, NULL},    {"wall_polyg", 1e-3, 0.5, 200, 0.0, NULL},
    {"wires_2d", 1e-3, 0.5, 1000, 0.0, NULL},      {"wires_3d", 1e-3, 0.5, 400, 0.0, NULL},
};

enum { LINE_SIZE = 512 };

// Where steps are solved to rounding, what was asked of them does not matter.
static const double EXACT = 1e-10;

static const cn_import_model *find(const char *name)
{
    for (int k = 0; k < CN_IMPORT_MODELS; k++) {
        if (strcmp(cn_import_models[k].name, name) == 0) {
            return &cn_import_models[k];
        }
    }
    return NULL;
}

static bool import(cn_import_trial *m)
{
    char folder[sizeof m->scene];
    cn_error err = {0};
    snprintf(folder, sizeof folder, "%s/%s", m->folder, m->set.name);
    cn_import_def def = {.folder = folder,
                         .scene = m->scene,
                         .given = cn_import_settings_default(),
                         .accuracy = m->set.accuracy};
    if (!m->reads_script) {
        def.given.step = m->set.step;
        def.given.theta = m->set.theta;
        def.given.steps = m->set.step_count;
    }
    if (m->every > 0.0) {
        def.given.every = m->every;
    }
    if (m->set.period > 0.0) {
        def.given.period[0] = def.given.period[1] = m->set.period;
    }
    bool done = cn_import_lmgc90(&def, &m->report, &err) == CN_OK;
    if (!done) {
        cn_book_failure(m->book, err.text);
    }
    return done;
}

cn_import_trial cn_import_trial_begin(cn_book *book, const char *name)
{
    cn_import_trial m = {.book = book, .set = *find(name)};
    if (cn_folder_make(book, m.folder) && cn_unpack_model(book, name, m.folder)) {
        snprintf(m.scene, sizeof m.scene, "%s/%s.yaml", m.folder, name);
        snprintf(m.result, sizeof m.result, "%s/%s.h5", m.folder, name);
    }
    return m;
}

bool cn_import_trial_import(cn_import_trial *m)
{
    if (m->scene[0] != '\0' && !import(m)) {
        m->scene[0] = '\0';
    }
    return m->scene[0] != '\0';
}

cn_import_trial cn_import_trial_made(cn_book *book, const char *name)
{
    cn_import_trial m = cn_import_trial_begin(book, name);
    cn_import_trial_import(&m);
    return m;
}

void cn_import_trial_close(cn_import_trial *m)
{
    cn_reader_close(m->reader);
    cn_folder_remove(m->folder);
    *m = (cn_import_trial){.book = m->book};
}

static bool book_step(void *context, const cn_progress *progress)
{
    cn_import_trial *m = context;
    const cn_certificate *c = progress->certificate;
    double asked = c->eps_v * fmax(cn_accuracy_row(c->accuracy)->worst, 1.0);
    cn_book_accuracy(m->book, fmin(asked, fmax(c->solver.residual.err_v, EXACT)));
    cn_book_step(m->book, c, progress->ledger);
    return true;
}

static cn_status run(cn_import_trial *m, double until, cn_error *err)
{
    cn_scene *scene = NULL;
    cn_run_report report = {0};
    cn_scene_source source = {.name = m->scene};
    cn_run_def def = cn_run_def_default();
    def.result_path = m->result;
    def.until = until;
    def.progress = book_step;
    def.context = m;
    cn_status status = cn_scene_read(&source, NULL, NULL, &scene, err);
    status = status == CN_OK ? cn_scene_run(scene, &def, &report, err) : status;
    cn_scene_destroy(scene);
    m->steps = (int)report.steps;
    m->missed = (int)report.nonconverged_steps;
    return status == CN_OK ? cn_reader_open(m->result, &m->reader, err) : status;
}

bool cn_import_trial_run(cn_import_trial *m, double until)
{
    cn_error err = {0};
    cn_reader_close(m->reader);
    m->reader = NULL;
    if (m->scene[0] != '\0' && run(m, until, &err) != CN_OK) {
        cn_book_failure(m->book, err.text);
    }
    return m->reader != NULL;
}

cn_column cn_import_trial_column(const cn_import_trial *m, const char *name)
{
    cn_column column = {.count = 0};
    cn_error err = {0};
    if (m->reader != NULL && cn_reader_column(m->reader, name, &column, &err) != CN_OK) {
        cn_book_failure(m->book, err.text);
        column.count = 0;
    }
    return column;
}

void cn_import_trial_add(const cn_import_trial *m, const char *text)
{
    if (m->scene[0] != '\0') {
        cn_write_text(m->book, m->scene, text, true);
    }
}

// ---- names

// A line of the table of names: kind, number, ..., name. Bodies of a table, DISKx_BLEUx[17], are
// told with their row, DISKx_BLEUx[1,17], in results.
static bool parse_name(char *line, char *kind, int *number, char shown[LINE_SIZE])
{
    char *name = strrchr(line, ','), word[8];
    if (sscanf(line, "%7[^,],%d", word, number) != 2 || name == NULL) {
        return false;
    }
    name[1 + strcspn(name + 1, "\r\n")] = '\0';
    name += name[1] == '"' ? 2 : 1;
    name[strcspn(name, "\"")] = '\0';
    char *bracket = strchr(name, '[');
    *kind = strcmp(word, "MAILx") == 0 ? 'M' : 'R';
    if (bracket != NULL) {
        snprintf(shown, LINE_SIZE, "%.*s[1,%s", (int)(bracket - name), name, bracket + 1);
    } else {
        snprintf(shown, LINE_SIZE, "%s", name);
    }
    return true;
}

static cn_body_id id_of(const cn_import_trial *m, const cn_frame *frame, const char *name)
{
    for (int k = 0; k < frame->body_count; k++) {
        const char *shown = cn_reader_body_name(m->reader, frame->id[k]);
        if (shown != NULL && strcmp(shown, name) == 0) {
            return frame->id[k];
        }
    }
    return 0;
}

static FILE *open_table(const cn_import_trial *m, const char *name)
{
    char path[LINE_SIZE];
    snprintf(path, sizeof path, "%s/%s", m->folder, name);
    return fopen(path, "r");
}

// What LMGC90 calls the bodies of a frame: the number, above 2^30 of meshes; 0: none.
#define MESH_KEY (1 << 30)

static void name_bodies(const cn_import_trial *m, const cn_frame *frame, int *key)
{
    char table[64], line[LINE_SIZE], shown[LINE_SIZE], kind = 'R';
    int number = 0;
    snprintf(table, sizeof table, "%s.names.csv", m->set.name);
    FILE *file = open_table(m, table);
    memset(key, 0, sizeof *key * (size_t)frame->body_count);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        cn_body_id id = parse_name(line, &kind, &number, shown) ? id_of(m, frame, shown) : 0;
        for (int k = 0; k < frame->body_count && id != 0; k++) {
            key[k] = frame->id[k] == id ? number + (kind == 'M' ? MESH_KEY : 0) : key[k];
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static int place_of(const int *key, int count, int wanted)
{
    int k = 0;
    while (k < count && key[k] != wanted) {
        k++;
    }
    return k < count ? k : -1;
}

static bool last_frame(const cn_import_trial *m, int index, cn_frame *frame)
{
    cn_error err = {0};
    bool done = m->reader != NULL && cn_reader_frame(m->reader, index, frame, &err) == CN_OK;
    if (m->reader != NULL && !done) {
        cn_book_failure(m->book, err.text);
    }
    return done;
}

cn_body_id cn_import_trial_body(const cn_import_trial *m, char kind, int number)
{
    cn_frame frame;
    if (!last_frame(m, -1, &frame)) {
        return 0;
    }
    int *key = calloc((size_t)frame.body_count, sizeof *key);
    name_bodies(m, &frame, key);
    int k = place_of(key, frame.body_count, number + (kind == 'M' ? MESH_KEY : 0));
    free(key);
    return k >= 0 ? frame.id[k] : 0;
}

// ---- the start

// Body, place, mass and inertia of a line of bodies.csv; how many numbers there are.
static int parse_body(const char *line, double value[8])
{
    int count = 0;
    for (char *end; count < 8; line = end + 1, count++) {
        value[count] = strtod(line, &end);
        if (end == line || (*end != ',' && *end != '\n' && *end != '\0')) {
            break;
        }
        if (*end != ',') {
            return count + 1;
        }
    }
    return count;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double apart(double x, double wanted)
{
    return fabs(x / wanted - 1.0);
}

// Masses, moments and places of the bodies that are not driven, in the first frame.
static void hold_bodies(const cn_import_trial *m, const cn_frame *frame, const int *key,
                        cn_import_trial_start *start)
{
    char line[LINE_SIZE];
    FILE *file = open_table(m, cn_name(m->book, "%s/bodies.csv", m->set.name));
    int dim = frame->dim, rows = dim == 2 ? 1 : 3;
    for (double value[8]; file != NULL && fgets(line, sizeof line, file) != NULL;) {
        if (parse_body(line, value) != 2 + dim + rows) {
            continue; // the heading
        }
        int k = place_of(key, frame->body_count, (int)value[0]);
        double inertia[3] = {0.0}, *wanted = value + 2 + dim;
        if (k < 0 || cn_reader_inertia(m->reader, frame->id[k], inertia) != rows) {
            start->weight_error = NAN;
            continue;
        }
        qsort(inertia, (size_t)rows, sizeof *inertia, by_value);
        qsort(wanted, (size_t)rows, sizeof *wanted, by_value);
        double mass = cn_reader_mass(m->reader, frame->id[k]);
        start->weight_error = fmax(start->weight_error, apart(mass, value[1 + dim]));
        double size = sqrt(wanted[rows - 1] / value[1 + dim]); // radius of gyration
        for (int n = 0; n < rows; n++) {
            start->weight_error = fmax(start->weight_error, apart(inertia[n], wanted[n]));
        }
        for (int n = 0; n < dim; n++) {
            double off = fabs(frame->q[frame->q_size * k + n] - value[1 + n]);
            start->place_error = fmax(start->place_error, off / size);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static int by_key(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t pair_key(int a, int b)
{
    return (int64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
}

// Sorts pairs and takes out what is there twice.
static int unique(int64_t *pair, int count)
{
    int kept = 0;
    qsort(pair, (size_t)count, sizeof *pair, by_key);
    for (int k = 0; k < count; k++) {
        if (kept == 0 || pair[kept - 1] != pair[k]) {
            pair[kept++] = pair[k];
        }
    }
    return kept;
}

enum { PAIR_MAX = 1 << 16 };

static int read_pairs(const cn_import_trial *m, int64_t *pair)
{
    char line[LINE_SIZE], one, other;
    int a, b, count = 0;
    FILE *file = open_table(m, cn_name(m->book, "%s/pairs.csv", m->set.name));
    while (file != NULL && fgets(line, sizeof line, file) != NULL && count < PAIR_MAX) {
        if (sscanf(line, "%c%d,%c%d", &one, &a, &other, &b) == 4) {
            pair[count++] =
                pair_key(a + (one == 'M' ? MESH_KEY : 0), b + (other == 'M' ? MESH_KEY : 0));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return unique(pair, count);
}

// Pairs of the frame within the reach, and of both lists those that are in each.
static void hold_pairs(const cn_import_trial *m, const cn_frame *frame, const int *key,
                       double reach, cn_import_trial_start *start)
{
    int64_t *pair = malloc(sizeof *pair * 2 * PAIR_MAX), *theirs = pair + PAIR_MAX;
    int count = 0;
    for (int a = 0; a < frame->contact_count && count < PAIR_MAX; a++) {
        const cn_contact *c = &frame->contact[a];
        if (c->gap <= reach) {
            pair[count++] = pair_key(key[c->i], key[c->j]);
        }
    }
    start->points = count;
    start->pairs = unique(pair, count);
    start->theirs = read_pairs(m, theirs);
    for (int k = 0; k < start->pairs; k++) {
        start->common +=
            bsearch(&pair[k], theirs, (size_t)start->theirs, sizeof *theirs, by_key) != NULL;
    }
    free(pair);
}

cn_import_trial_start cn_import_trial_start_of(const cn_import_trial *m, double reach)
{
    cn_import_trial_start start = {.weight_error = 0.0};
    cn_frame frame;
    if (!last_frame(m, 0, &frame)) {
        return (cn_import_trial_start){.weight_error = NAN, .place_error = NAN};
    }
    int *key = calloc((size_t)frame.body_count, sizeof *key);
    name_bodies(m, &frame, key);
    hold_bodies(m, &frame, key, &start);
    if (last_frame(m, -1, &frame)) {
        hold_pairs(m, &frame, key, reach, &start);
    }
    free(key);
    return start;
}

// ---- the end

// Whether LMGC90 lists a body among those that are not driven.
static void mark_free(const cn_import_trial *m, const int *key, int count, bool *is_free)
{
    char line[LINE_SIZE];
    FILE *file = open_table(m, cn_name(m->book, "%s/bodies.csv", m->set.name));
    memset(is_free, 0, sizeof *is_free * (size_t)count);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int k = place_of(key, count, atoi(line));
        if (atoi(line) > 0 && k >= 0) {
            is_free[k] = true;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

// Of rigid bodies of the plane that are driven: they move steadily, in space not at all.
static double driven_energy(const cn_import_trial *m, const cn_frame *frame, const bool *is_free)
{
    double sum = 0.0;
    for (int k = 0; k < frame->body_count && frame->dim == 2; k++) {
        const double *v = frame->v + 3 * k;
        double inertia[3] = {0.0}, mass = cn_reader_mass(m->reader, frame->id[k]);
        if (!is_free[k] && cn_reader_inertia(m->reader, frame->id[k], inertia) == 1) {
            sum += 0.5 * (mass * (v[0] * v[0] + v[1] * v[1]) + inertia[0] * v[2] * v[2]);
        }
    }
    return sum;
}

static void sum_history(const cn_import_trial *m, cn_import_trial_end *end)
{
    cn_column depth = cn_import_trial_column(m, "penetration"),
              kinetic = cn_import_trial_column(m, "kinetic");
    for (int64_t n = 0; n < kinetic.count && n < depth.count; n++) {
        end->kinetic_mean += kinetic.value[n] / (double)kinetic.count;
        end->kinetic = kinetic.value[n];
        end->deepest = fmax(end->deepest, depth.value[n]);
    }
}

// Centre of the bodies that are not driven, and the highest of their centres.
static void sum_bodies(const cn_import_trial *m, const cn_frame *frame, const bool *is_free,
                       cn_import_trial_end *end)
{
    double total = 0.0;
    for (int k = 0; k < frame->body_count; k++) {
        if (!is_free[k]) {
            continue;
        }
        double mass = cn_reader_mass(m->reader, frame->id[k]);
        const double *q = frame->q + frame->q_size * k;
        total += mass;
        for (int n = 0; n < frame->dim; n++) {
            end->centre[n] += mass * q[n];
        }
        end->top = fmax(end->top, q[frame->dim - 1]);
    }
    for (int n = 0; n < 3; n++) {
        end->centre[n] /= total > 0.0 ? total : 1.0;
    }
}

cn_import_trial_end cn_import_trial_end_of(const cn_import_trial *m)
{
    cn_import_trial_end end = {.top = -INFINITY};
    cn_frame frame;
    if (!last_frame(m, -1, &frame)) {
        return (cn_import_trial_end){{NAN, NAN, NAN}, NAN, NAN, NAN, NAN, NAN};
    }
    size_t count = (size_t)frame.body_count;
    int *key = calloc(count, sizeof *key);
    bool *is_free = calloc(count, sizeof *is_free);
    name_bodies(m, &frame, key);
    mark_free(m, key, frame.body_count, is_free);
    sum_bodies(m, &frame, is_free, &end);
    for (int a = 0; a < frame.contact_count; a++) {
        end.force += frame.contact[a].r[0] / frame.h;
    }
    double held = driven_energy(m, &frame, is_free);
    sum_history(m, &end);
    end.kinetic_mean -= held;
    end.kinetic -= held;
    free(is_free);
    free(key);
    return end;
}

double cn_import_trial_force(const cn_import_trial *m, cn_body_id id)
{
    cn_frame frame;
    double sum = 0.0;
    if (m->reader == NULL || cn_reader_frame(m->reader, -1, &frame, NULL) != CN_OK) {
        return NAN;
    }
    for (int a = 0; a < frame.contact_count; a++) {
        const cn_contact *c = &frame.contact[a];
        double impulse[3];
        cn_contact_impulse(c, frame.dim, impulse);
        double share = frame.id[c->i] == id ? 1.0 : frame.id[c->j] == id ? -1.0 : 0.0;
        sum += share * impulse[frame.dim - 1] / frame.h;
    }
    return sum;
}
