// Exports of results in space: CSV and OBJ hold positions, forces and volumes known on paper.
#include "show.h"
#include "test.h"

static cn_reader *open_show(void)
{
    cn_reader *r = NULL;
    CN_DO(show_write_world(files_path("show.h5"), show_space_world(), &test_error));
    CN_DO(cn_reader_open(files_path("show.h5"), &r, &test_error));
    return r;
}

static char *read_export(const char *name)
{
    size_t size = 0;
    char *text = files_read(files_path(name), &size);
    CN_TRUE(text != NULL);
    return text != NULL ? text : calloc(1, 1);
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end != NULL ? end + 1 : text + strlen(text);
}

// Numbers of a line that are separated by commas, from its `skip`th on.
static int read_numbers(const char *line, int skip, double *value, int count)
{
    for (; skip > 0; skip--) {
        line = strchr(line, ',');
        line = line != NULL ? line + 1 : "";
    }
    int found = 0;
    for (char *end; found < count; line = end + (*end == ',')) {
        value[found] = strtod(line, &end);
        if (end == line) {
            break;
        }
        found++;
    }
    return found;
}

CN_TEST(csv_holds_quaternions_and_six_velocities)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_csv(r, files_path("csv"), NULL, NULL, &test_error));
    cn_reader_close(r);
    char *bodies = read_export("csv/bodies.csv");
    const char *header = "frame,step,time,id,name,group,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    CN_TRUE(strncmp(bodies, header, strlen(header)) == 0);
    double value[13];
    CN_TRUE(read_numbers(next_line(next_line(bodies)), 6, value, 13) == 13);
    CN_NEAR(value[2], 0.1, 0.0, "height of the block as it was given");
    CN_NEAR(value[3], cos(0.25), 1e-15, "half of the angle about z");
    CN_NEAR(value[6], sin(0.25), 1e-15, "half of the angle about z");
    free(bodies);
}

// The floor carries all bodies: the sum of r_n n + r_t1 t1 + r_t2 n x t1 is their weight times h.
CN_TEST(csv_holds_the_forces)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_csv(r, files_path("csv"), NULL, NULL, &test_error));
    double weight = 0.0, sum[3] = {0.0};
    for (cn_body_id id = 2; id <= 5; id++) {
        weight += cn_reader_mass(r, id) * 9.81 * 1e-3;
    }
    cn_reader_close(r);
    char *contacts = read_export("csv/contacts.csv");
    for (const char *line = next_line(contacts); *line != '\0'; line = next_line(line)) {
        double head[5], c[16];
        CN_TRUE(read_numbers(line, 0, head, 5) == 5 && read_numbers(line, 7, c, 16) == 16);
        cn_vec3 n = cn_v3(c[3], c[4], c[5]), t1 = cn_v3(c[6], c[7], c[8]), t2 = cn_cross3(n, t1);
        CN_NEAR(cn_dot3(n, t1), 0.0, 1e-15, "tangent to the surface");
        CN_NEAR(cn_norm3(t1), 1.0, 1e-15, "unit");
        double side = head[1] == 20.0 ? (head[4] == 1.0 ? 1.0 : -1.0) : 0.0; // last frame
        sum[0] += side * (c[10] * n.x + c[11] * t1.x + c[12] * t2.x);
        sum[1] += side * (c[10] * n.y + c[11] * t1.y + c[12] * t2.y);
        sum[2] += side * (c[10] * n.z + c[11] * t1.z + c[12] * t2.z);
    }
    CN_NEAR(sum[2], weight, 1e-7 * weight, "balance of all bodies, solver tolerance 1e-10");
    CN_NEAR(hypot(sum[0], sum[1]), 0.0, 1e-7 * weight, "nothing pushes sideways");
    free(contacts);
}

// Volume enclosed by the faces of one object in an OBJ file; negative if they are turned inwards.
static double obj_volume(const char *text, const char *object)
{
    static cn_vec3 x[8192];
    int count = 0;
    bool is_in = false;
    double volume = 0.0;
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        is_in = line[0] == 'o' ? strncmp(line + 2, object, strlen(object)) == 0 : is_in;
        if (line[0] == 'v' && count < 8191) {
            count++;
            sscanf(line, "v %lf %lf %lf", &x[count].x, &x[count].y, &x[count].z);
        }
        if (line[0] == 'f' && is_in) {
            int first, second, third, used = 0;
            sscanf(line, "f %d %d%n", &first, &second, &used);
            for (const char *at = line + used; sscanf(at, "%*[ ]%d%n", &third, &used) == 1;
                 at += used) {
                volume += cn_dot3(x[first], cn_cross3(x[second], x[third])) / 6.0;
                second = third;
            }
        }
    }
    return volume;
}

// Volume of a unit sphere drawn as 12 bands of regular 24-gons: frusta of pyramids.
static double drawn_sphere(void)
{
    double volume = 0.0, area = 12.0 * sin(CN_PI / 12.0); // of a 24-gon in a unit circle
    for (int m = 0; m < 12; m++) {
        double a = CN_PI * m / 12.0, b = CN_PI * (m + 1) / 12.0;
        double squares = sin(a) * sin(a) + sin(a) * sin(b) + sin(b) * sin(b);
        volume += (cos(a) - cos(b)) / 3.0 * area * squares;
    }
    return volume;
}

CN_TEST(obj_has_the_volume_of_the_solids)
{
    cn_reader *r = open_show();
    CN_DO(cn_export_obj(r, 0, files_path("frame.obj"), &test_error));
    cn_reader_close(r);
    char *text = read_export("frame.obj");
    double sphere = drawn_sphere(), area = 12.0 * sin(CN_PI / 12.0);
    CN_NEAR(obj_volume(text, "body_2\n"), 0.4 * 0.3 * 0.2, 1e-7, "a box, nine digits printed");
    CN_NEAR(obj_volume(text, "body_3\n"), sphere * 0.25 * 0.25 * 0.25, 1e-7, "sphere");
    CN_NEAR(obj_volume(text, "body_4\n"), sphere * 1e-3 + area * 0.01 * 0.4, 1e-7, "capsule");
    CN_NEAR(obj_volume(text, "body_5\n"), 2.0 * sphere * 8e-3, 1e-7, "two spheres");
    CN_TRUE(obj_volume(text, "body_1\n") > 1.0);
    free(text);
}

CN_MAIN(CN_RUN(csv_holds_quaternions_and_six_velocities); CN_RUN(csv_holds_the_forces);
        CN_RUN(obj_has_the_volume_of_the_solids); files_remove();)
