// cli/render.c -- cairn render: pictures of frames, without any display.
//
// A sequence is a list of frames seen alike, or one frame seen from all around; its pictures are
// numbered from 0 without gaps, as programs that make films of them expect.
#include "command.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_args {
    cn_operands operands;
    const char *output, *frame, *frames, *paint, *view, *camera;
    double range, magnify;
    int width, height, turntable;
    bool no_forces, thrust, no_legend;
} render_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "PNG file; default: name of the result with .png", render_args,
              output),
    CN_OPTION(0, "frame", "N", "frame, negative from the end, or all; default: last", render_args,
              frame),
    CN_OPTION(0, "frames", "A:B:STEP", "sequence of frames A to B, or all", render_args, frames),
    CN_OPTION_FROM(0, "turntable", "N", "N pictures from all around a frame in space", render_args,
                   turntable, 1, 10000),
    CN_OPTION(
        0, "paint", "WHAT",
        "colour by group, velocity, pressure, opening or damage of joints, displacement, mises, "
        "principal",
        render_args, paint),
    CN_OPTION_ABOVE(0, "range", "MOST", "value of the darkest colour; default: the largest",
                    render_args, range, 0),
    CN_OPTION_ABOVE(0, "magnify", "FACTOR",
                    "draw the nodes of deformable bodies as if they had moved so much farther",
                    render_args, magnify, 0),
    CN_FLAG(0, "no-forces", "leave out the contact forces", render_args, no_forces),
    CN_FLAG(0, "thrust", "the line of thrust in place of the forces", render_args, thrust),
    CN_FLAG(0, "no-legend", "bodies and forces only", render_args, no_legend),
    CN_OPTION_FROM(0, "width", "PIXELS", "width of the picture", render_args, width, 16, 20000),
    CN_OPTION_FROM(0, "height", "PIXELS", "height; default: as the view needs", render_args, height,
                   16, 20000),
    CN_OPTION(0, "view", "X0,Y0,X1,Y1", "part to show; in space X0,Y0,Z0,X1,Y1,Z1 [m]", render_args,
              view),
    CN_OPTION(0, "camera", "AZIMUTH,ELEVATION", "where to look from in space [degrees]",
              render_args, camera),
    {0},
};

static int parse_paint(const char *word, cn_paint *paint)
{
    for (int k = 0; k < CN_PAINT_SPREAD; k++) { // that one is for cairn spread
        if (strcmp(word, cn_paint_name((cn_paint)k)) == 0) {
            *paint = (cn_paint)k;
            return CN_PARSE_GO;
        }
    }
    return cn_usage_error(
        &cn_command_render,
        "--paint is group, velocity, pressure, opening, damage, displacement, mises or "
        "principal, got '%s'",
        word);
}

// The lower corner, then the upper one: 4 numbers in the plane, 6 in space. Returns 2, 3 or 0.
static int read_view(const char *text, double view[6])
{
    char end;
    int found = sscanf(text, "%lf,%lf,%lf,%lf,%lf,%lf%c", &view[0], &view[1], &view[2], &view[3],
                       &view[4], &view[5], &end);
    int dim = found == 4 || found == 6 ? found / 2 : 0;
    for (int k = 0; k < dim; k++) {
        if (!(view[k] < view[k + dim]) || isinf(view[k]) || isinf(view[k + dim])) {
            return 0;
        }
    }
    return dim;
}

static int check_view(const char *text, int dim)
{
    double view[6];
    int found = read_view(text, view);
    if (found == 0) {
        return cn_usage_error(&cn_command_render,
                              "--view wants X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1 (in space "
                              "X0,Y0,Z0,X1,Y1,Z1), got '%s'",
                              text);
    }
    if (dim != 0 && found != dim) {
        return cn_usage_error(&cn_command_render, "--view wants %s, got '%s'",
                              dim == 3 ? "X0,Y0,Z0,X1,Y1,Z1 for this result in space"
                                       : "X0,Y0,X1,Y1 for this result in the plane",
                              text);
    }
    return CN_PARSE_GO;
}

static int parse_camera(const char *text, cn_render_def *def)
{
    double azimuth, elevation;
    char end;
    if (sscanf(text, "%lf,%lf%c", &azimuth, &elevation, &end) != 2 || !(fabs(azimuth) <= 3600.0) ||
        !(fabs(elevation) < 90.0)) {
        return cn_usage_error(
            &cn_command_render,
            "--camera wants AZIMUTH,ELEVATION in degrees, the elevation between -90 "
            "and 90, got '%s'",
            text);
    }
    def->azimuth = azimuth * CN_PI / 180.0;
    def->elevation = elevation * CN_PI / 180.0;
    return CN_PARSE_GO;
}

static int parse_frame(const char *text, int *frame)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < INT_MIN || number > INT_MAX) {
        return cn_usage_error(&cn_command_render, "--frame wants a number or all, got '%s'", text);
    }
    *frame = (int)number;
    return CN_PARSE_GO;
}

// Frames first, first + step, ... up to last, both counted from the end if negative.
typedef struct sequence {
    bool is_asked;
    int first, last, step;
    int turn_count; // pictures of one turn; 0: no turntable
} sequence;

// A whole number and what follows it after a colon; NULL at the end. False if it is none.
static bool read_whole(const char **at, int *number)
{
    char *end;
    long value = strtol(*at, &end, 10);
    bool is_good =
        end != *at && (*end == ':' || *end == '\0') && value > INT_MIN && value < INT_MAX;
    *number = is_good ? (int)value : 0;
    *at = *end == ':' ? end + 1 : NULL;
    return is_good;
}

static int parse_frames(const char *text, sequence *seq)
{
    seq->is_asked = true;
    seq->first = 0;
    seq->last = -1;
    seq->step = 1;
    if (strcmp(text, "all") == 0) {
        return CN_PARSE_GO;
    }
    int *part[] = {&seq->first, &seq->last, &seq->step}, found = 0;
    bool is_good = true;
    for (const char *at = text; at != NULL && is_good; found++) {
        is_good = found < 3 && read_whole(&at, part[found]);
    }
    if (!is_good || found < 2 || seq->step < 1) {
        return cn_usage_error(&cn_command_render,
                              "--frames wants all, A:B or A:B:STEP with STEP >= 1 (B included, "
                              "negative: from the end), got '%s'",
                              text);
    }
    return CN_PARSE_GO;
}

static int parse_sequence(const render_args *args, sequence *seq)
{
    bool has_turn = args->turntable > 0;
    *seq = (sequence){.step = 1, .turn_count = args->turntable};
    bool is_all = args->frame != NULL && strcmp(args->frame, "all") == 0;
    if ((args->frames != NULL || is_all) && has_turn) {
        return cn_usage_error(&cn_command_render,
                              "--turntable shows one frame; choose it with --frame N, or leave "
                              "out the sequence of frames");
    }
    if (args->frames != NULL && args->frame != NULL) {
        return cn_usage_error(&cn_command_render, "choose either --frame or --frames");
    }
    return args->frames != NULL ? parse_frames(args->frames, seq)
           : is_all             ? parse_frames("all", seq)
                                : CN_PARSE_GO;
}

// Where the number goes in a name like turn_%04d.png: bytes `at` to `end`, digits `width`.
typedef struct pattern {
    size_t at, end;
    int width;
} pattern;

// Number of places in the path that stand for a number; -1: a % that means nothing.
static int find_pattern(const char *path, pattern *p)
{
    int count = 0;
    for (const char *c = strchr(path, '%'); c != NULL; c = strchr(c + 1, '%')) {
        size_t digits = strspn(c + 1, "0123456789");
        if (digits > 2 || c[1 + digits] != 'd') {
            return -1;
        }
        *p = (pattern){.at = (size_t)(c - path), .width = (int)strtol(c + 1, NULL, 10)};
        p->end = p->at + digits + 2;
        count++;
    }
    return count;
}

static int check_pattern(const char *path, bool is_sequence)
{
    pattern p;
    int count = find_pattern(path, &p);
    if (is_sequence && (count < 0 || count > 1)) {
        return cn_usage_error(&cn_command_render,
                              "the name of a sequence has at most one %%d for the number, as in "
                              "turn_%%04d.png, got '%s'",
                              path);
    }
    if (!is_sequence && count == 1) {
        return cn_usage_error(&cn_command_render,
                              "'%s' names a sequence; add --frames or --turntable, or give a "
                              "plain name",
                              path);
    }
    if (!cn_has_ending(path, ".png")) {
        return cn_usage_error(&cn_command_render, "pictures are PNG files: end '%s' in .png", path);
    }
    return CN_PARSE_GO;
}

static int fill_def(const render_args *args, cn_render_def *def)
{
    int code = CN_PARSE_GO;
    *def = cn_render_def_default();
    def->frame = -1;
    def->with_forces = !args->no_forces;
    def->with_thrust = args->thrust;
    def->with_legend = !args->no_legend;
    if (args->width != 0) {
        def->width = args->width;
    }
    if (args->height != 0) {
        def->height = args->height;
    }
    def->value_max = args->range;
    def->magnify = args->magnify;
    if (args->frame != NULL && strcmp(args->frame, "all") != 0) {
        code = parse_frame(args->frame, &def->frame);
    }
    if (code == CN_PARSE_GO && args->paint != NULL) {
        code = parse_paint(args->paint, &def->paint);
    }
    if (code == CN_PARSE_GO && args->view != NULL) {
        code = check_view(args->view, 0);
    }
    if (code == CN_PARSE_GO && args->camera != NULL) {
        code = parse_camera(args->camera, def);
    }
    return code;
}

static cn_status render_one(cn_reader *reader, const cn_render_def *def, const char *path,
                            cn_error *err)
{
    cn_status status = cn_render(reader, def, path, err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    return status;
}

// turn_%04d.png gives turn_0000.png, turn_0001.png, ...; a.png gives a_0000.png, a_0001.png, ...
static char *number_name(const char *path, int number, char *name, size_t size)
{
    pattern p;
    if (find_pattern(path, &p) == 1) {
        snprintf(name, size, "%.*s%0*d%s", (int)p.at, path, p.width, number, path + p.end);
        return name;
    }
    char ending[32];
    snprintf(ending, sizeof ending, "_%04d.png", number);
    return cn_change_ending(path, ending, name, size);
}

static cn_status render_numbered(cn_reader *reader, const cn_render_def *def, const char *path,
                                 int number, cn_error *err)
{
    char name[1100];
    return render_one(reader, def, number_name(path, number, name, sizeof name), err);
}

static int sequence_error(const sequence *seq, int count)
{
    fprintf(stderr,
            "cairn render: frames %d to %d are not all there; the result has frames 0 to %d\n",
            seq->first, seq->last, count - 1);
    return CN_EXIT_INPUT;
}

// One view and one range of colours for all frames, unless they were asked for.
static cn_status hold_view(cn_reader *reader, const sequence *seq, cn_render_def *def,
                           cn_error *err)
{
    cn_render_range range = {0};
    cn_status status = CN_OK;
    for (int k = seq->first; k <= seq->last && status == CN_OK; k += seq->step) {
        def->frame = k;
        status = cn_render_measure(reader, def, &range, err);
    }
    if (!def->has_view) {
        def->has_view = range.has_view;
        memcpy(def->view, range.view, sizeof def->view);
    }
    def->value_max = def->value_max > 0.0 ? def->value_max : range.value_max;
    def->height = range.height;
    return status;
}

static int render_frames(cn_reader *reader, sequence seq, cn_render_def *def, const char *path)
{
    int count = cn_reader_summary(reader)->frames;
    sequence asked = seq;
    seq.first += seq.first < 0 ? count : 0;
    seq.last += seq.last < 0 ? count : 0;
    if (seq.first < 0 || seq.last >= count || seq.first > seq.last) {
        return sequence_error(&asked, count);
    }
    cn_error err = {0};
    cn_status status = hold_view(reader, &seq, def, &err);
    for (int k = 0; seq.first + k * seq.step <= seq.last && status == CN_OK; k++) {
        def->frame = seq.first + k * seq.step;
        status = render_numbered(reader, def, path, k, &err);
    }
    return cn_command_fail(&cn_command_render, status, &err);
}

static int render_turn(cn_reader *reader, int count, cn_render_def *def, const char *path)
{
    if (cn_reader_summary(reader)->dim != 3) {
        fprintf(stderr, "cairn render: a turntable needs a result in space, this one lies in the "
                        "plane; use --frames for a sequence in time\n");
        return CN_EXIT_INPUT;
    }
    cn_error err = {0};
    cn_status status = CN_OK;
    double azimuth = def->azimuth;
    def->is_turning = true;
    for (int k = 0; k < count && status == CN_OK; k++) {
        def->azimuth = azimuth + 2.0 * CN_PI * k / count;
        status = render_numbered(reader, def, path, k, &err);
    }
    return cn_command_fail(&cn_command_render, status, &err);
}

static int render(const render_args *args, cn_reader *reader, const sequence *seq,
                  cn_render_def *def, const char *path)
{
    if (args->view != NULL) {
        int code = check_view(args->view, cn_reader_summary(reader)->dim);
        if (code != CN_PARSE_GO) {
            return code;
        }
        def->has_view = true;
        read_view(args->view, def->view);
    }
    if (seq->turn_count > 0) {
        return render_turn(reader, seq->turn_count, def, path);
    }
    if (seq->is_asked) {
        return render_frames(reader, *seq, def, path);
    }
    cn_error err = {0};
    cn_status status = render_one(reader, def, path, &err);
    return cn_command_fail(&cn_command_render, status, &err);
}

static int run(void *given)
{
    const render_args *args = given;
    cn_render_def def;
    sequence seq;
    int code = fill_def(args, &def);
    CN_THEN_GO(code, parse_sequence(args, &seq));
    if (code == CN_PARSE_GO && args->output != NULL) {
        code = check_pattern(args->output, seq.is_asked || seq.turn_count > 0);
    }
    cn_reader *reader = NULL;
    CN_THEN_GO(code, cn_command_open(&cn_command_render, args->operands.item[0], &reader));
    if (code != CN_PARSE_GO) {
        return code;
    }
    char name[1024];
    const char *path = args->output != NULL
                           ? args->output
                           : cn_derive_name(args->operands.item[0], ".png", name, sizeof name);
    code = render(args, reader, &seq, &def, path);
    cn_reader_close(reader);
    return code;
}

const cn_command cn_command_render = {
    .name = "render",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "draw frames as PNG pictures",
    .details =
        "Prints the names of the pictures. A sequence (--frames, --turntable) is numbered from\n"
        "0: turn_%04d.png gives turn_0000.png and so on, a.png gives a_0000.png and so on.\n"
        "Colours: group, velocity, pressure, or opening, which shows the joints that were\n"
        "closed in frame 0 by how far they have opened.",
    .option = options,
    .args_size = sizeof(render_args),
    .defaults = &(const render_args){.magnify = 1.0},
    .run = run,
};
