// CSV and OBJ exports: the numbers of the file, readable by anything.
#include "show.h"
#include "test.h"

static int told_count;
static char told_last[512];

static void tell(void *context, const char *line)
{
    (void)context;
    told_count++;
    snprintf(told_last, sizeof told_last, "%s", line);
}

static cn_reader *open_show(void)
{
    cn_reader *r = NULL;
    CN_DO(show_write(files_path("show.h5"), &test_error));
    CN_DO(cn_reader_open(files_path("show.h5"), &r, &test_error));
    return r;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (const char *at = text; *at != '\0'; at++) {
        count += *at == '\n';
    }
    return count;
}

static char *read_export(const char *name)
{
    size_t size = 0;
    char *text = files_read(files_path(name), &size);
    CN_TRUE(text != NULL);
    return text != NULL ? text : calloc(1, 1);
}

// Line n of a text, from 0.
static const char *line_at(const char *text, int n)
{
    for (; n > 0 && text != NULL; n--) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text != NULL ? text : "";
}

CN_TEST(csv_holds_every_body_of_every_frame)
{
    cn_reader *r = open_show();
    told_count = 0;
    CN_DO(cn_export_csv(r, files_path("csv/deep"), tell, NULL, &test_error));
    CN_TRUE(told_count == 6 && strstr(told_last, "csv/deep/series.csv") != NULL);
    char *bodies = read_export("csv/deep/bodies.csv");
    CN_TRUE(count_lines(bodies) == 1 + 3 * 6);
    CN_TRUE(strncmp(bodies, "frame,step,time,id,name,group,x,y,angle,vx,vy,spin\n", 51) == 0);
    double x, y;
    CN_TRUE(sscanf(line_at(bodies, 3), "0,0,0,3,,default,%lf,%lf", &x, &y) == 2);
    CN_NEAR(y, 0.25, 0.0, "the disk of frame 0 as it was given");
    free(bodies);
    cn_reader_close(r);
}

// The disk at rest on the ground: r_n = m g h in each step.
CN_TEST(csv_holds_the_contacts)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_csv(r, files_path("csv"), NULL, NULL, &test_error));
    double weight = cn_reader_mass(r, 3) * 9.81 * 1e-3;
    cn_reader_close(r);
    char *contacts = read_export("csv/contacts.csv");
    double r_n = 0.0;
    for (int n = 1; *line_at(contacts, n) != '\0'; n++) {
        unsigned long long i, j;
        double c[9];
        int frame, count = sscanf(line_at(contacts, n),
                                  "%d,20,%*[^,],%llu,%llu,%*d,stick,%lf,%lf,%lf,%lf,%lf,%lf",
                                  &frame, &i, &j, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5]);
        if (count == 9 && (i == 3 || j == 3)) {
            r_n += c[5];
        }
    }
    CN_NEAR(r_n, weight, 1e-8 * weight, "balance of one body, solver tolerance 1e-10");
    free(contacts);
}

CN_TEST(csv_holds_history_and_series)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_csv(r, files_path("csv"), NULL, NULL, &test_error));
    cn_reader_close(r);
    char *history = read_export("csv/history.csv");
    CN_TRUE(count_lines(history) == 21 && strncmp(history, "step,time,h,residual,", 21) == 0);
    CN_TRUE(strstr(history, ",total_friction,") != NULL && strstr(history, "height") == NULL);
    free(history);
    char *series = read_export("csv/series.csv");
    CN_TRUE(count_lines(series) == 21);
    CN_TRUE(strncmp(series, "step,time,\"height, of the \"\"disk\"\"\"\n", 36) == 0);
    double step, time, height;
    CN_TRUE(sscanf(line_at(series, 20), "%lf,%lf,%lf", &step, &time, &height) == 3);
    CN_NEAR(height, 0.25, 1e-9, "the disk stays where it is, to the solver tolerance");
    free(series);
}

// Area of all faces of one object in an OBJ file.
static double obj_area(const char *text, const char *object)
{
    static double x[4096], y[4096];
    int count = 0;
    bool is_in = false;
    double area = 0.0;
    for (const char *line = text; *line != '\0'; line = line_at(line, 1)) {
        is_in = line[0] == 'o' ? strncmp(line + 2, object, strlen(object)) == 0 : is_in;
        if (line[0] == 'v' && count < 4095) {
            count++;
            sscanf(line, "v %lf %lf", &x[count], &y[count]);
        }
        if (line[0] == 'f' && is_in) {
            int face[64], corners = 0, used = 0;
            for (const char *at = line + 1;
                 sscanf(at, " %d%n", &face[corners], &used) == 1 && corners < 63 && *at != '\n';
                 at += used) {
                corners++;
            }
            for (int k = 0; k < corners; k++) {
                int a = face[k], b = face[(k + 1) % corners];
                area += 0.5 * (x[a] * y[b] - x[b] * y[a]);
            }
        }
    }
    return area;
}

// Faces are counterclockwise and as large as the shapes: circles lose the known part of a polygon.
CN_TEST(obj_has_the_area_of_the_shapes)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_obj(r, 0, files_path("frame.obj"), &test_error));
    char *text = read_export("frame.obj");
    double circle = 12.0 * sin(CN_PI / 12.0); // area of a regular 24-gon in a unit circle
    double ring = 64.0 * sin(CN_PI / 64.0);   // and of a 128-gon
    CN_NEAR(obj_area(text, "body_2\n"), ring * (1.21 - 1.0), 1e-7, "128 quadrangles");
    CN_NEAR(obj_area(text, "body_3\n"), circle * 0.0625, 1e-7, "nine digits are printed");
    CN_NEAR(obj_area(text, "body_4\n"), circle * 0.01 + 0.4 * 0.2, 1e-7, "two halves and a box");
    CN_NEAR(obj_area(text, "body_5\n"), 0.08, 1e-7, "0.4 x 0.2 m");
    CN_NEAR(obj_area(text, "body_6\n"), circle * 0.08, 1e-7, "two disks of 0.2 m");
    CN_TRUE(obj_area(text, "body_1\n") > 1.0);
    free(text);
    CN_FAILS(cn_export_obj(r, 7, files_path("frame.obj"), &test_error), CN_BAD_INPUT, "frame 7");
    CN_FAILS(cn_export_obj(r, 0, files_path("none/a.obj"), &test_error), CN_IO, "No such file");
    cn_reader_close(r);
}

CN_TEST(a_full_disk_is_told)
{
    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    cn_reader *r = open_show();
    CN_FAILS(cn_export_obj(r, 0, "/dev/full", &test_error), CN_IO, "disk full?");
    files_write(files_path("taken"), "x", 1);
    CN_FAILS(cn_export_csv(r, files_path("taken"), NULL, NULL, &test_error), CN_IO, "taken");
    cn_reader_close(r);
}

// A ball at (0.3, 0) of a body at (1, 2) that is turned by 90 degrees and spins at 2 rad/s is at
// (1, 2.3), where the spin adds (-0.6, 0) m/s.
CN_TEST(xyz_holds_the_balls_of_clusters)
{
    cn_world_def def = cn_world_def_default();
    cn_world *w = NULL;
    CN_DO(cn_world_create(&def, &w, &test_error));
    cn_shape_def disk[2] = {{.kind = CN_SHAPE_DISK, .radius = 0.1, .at = {0.3, 0.0}},
                            {.kind = CN_SHAPE_DISK, .radius = 0.1, .at = {-0.3, 0.0}}};
    cn_body_def body = cn_body_def_default();
    body.shapes = (cn_shape_parts){2, disk};
    body.density = 1000.0;
    body.at[0] = 1.0;
    body.at[1] = 2.0;
    body.angle = 0.5 * CN_PI;
    body.angular_velocity[2] = 2.0;
    cn_body_id id;
    CN_DO(cn_body_add(w, &body, &id, &test_error));
    cn_writer *writer = NULL;
    cn_provenance p = {.title = "balls"};
    CN_DO(cn_writer_create(files_path("balls.h5"), &p, w, 0, NULL, &writer, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_world_destroy(w);
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("balls.h5"), &r, &test_error));
    cn_export_def to = {.folder = files_path("balls")};
    CN_DO(cn_export(r, "xyz", &to, &test_error));
    char *text = read_export("balls/balls.xyz");
    double x[7] = {0.0};
    CN_TRUE(strncmp(text, "2\nProperties=", 13) == 0);
    CN_TRUE(sscanf(line_at(text, 2), "default 1 %lf %lf %lf %lf %lf %lf %lf", &x[0], &x[1], &x[2],
                   &x[3], &x[4], &x[5], &x[6]) == 7);
    const double exact[7] = {1.0, 2.3, 0.0, 0.1, -0.6, 0.0, 0.0};
    for (int k = 0; k < 7; k++) {
        CN_NEAR(x[k], exact[k], 1e-8, "nine digits are written");
    }
    free(text);
    CN_FAILS(cn_export(r, "xyy", &to, &test_error), CN_BAD_INPUT, "no export format 'xyy'");
    cn_reader_close(r);
}

CN_MAIN(CN_RUN(xyz_holds_the_balls_of_clusters); CN_RUN(csv_holds_every_body_of_every_frame);
        CN_RUN(csv_holds_the_contacts); CN_RUN(csv_holds_history_and_series);
        CN_RUN(obj_has_the_area_of_the_shapes); CN_RUN(a_full_disk_is_told); files_remove();)
