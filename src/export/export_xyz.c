// export/export_xyz.c -- disks and spheres of all frames as extended XYZ, which OVITO and other
// programs of particles read. A cluster gives one particle per ball; other shapes have none.
#include <math.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "export/export.h"

// A ball in the world.
typedef struct ball {
    cn_vec3 x, v; // centre and its velocity [m, m/s]
    double radius;
} ball;

static bool ball_of_shape(const cn_shape_def *s, const double *q, const double *v, ball *b)
{
    double x = cos(q[2]) * s->at[0] - sin(q[2]) * s->at[1];
    double y = sin(q[2]) * s->at[0] + cos(q[2]) * s->at[1];
    *b = (ball){cn_v3(q[0] + x, q[1] + y, 0.0), cn_v3(v[0] - v[2] * y, v[1] + v[2] * x, 0.0),
                s->radius};
    return s->kind == CN_SHAPE_DISK;
}

static bool ball_of_solid(const cn_solid_def *s, const double *q, const double *v, ball *b)
{
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    cn_vec3 arm = cn_mat3_mul(&R, cn_v3(s->at[0], s->at[1], s->at[2]));
    cn_vec3 turning = cn_cross3(cn_v3(v[3], v[4], v[5]), arm);
    *b = (ball){cn_add3(cn_v3(q[0], q[1], q[2]), arm), cn_add3(cn_v3(v[0], v[1], v[2]), turning),
                s->radius};
    return s->kind == CN_SOLID_SPHERE;
}

// Balls of body i of a frame; with `out` NULL they are only counted.
static int print_body(const cn_reader *reader, const cn_frame *f, int i, cn_out *out)
{
    const double *q = f->q + f->q_size * i, *v = f->v + f->v_size * i;
    int shapes, solids, count = 0;
    const cn_shape_def *shape = cn_reader_shapes(reader, f->id[i], &shapes);
    const cn_solid_def *solid = cn_reader_solids(reader, f->id[i], &solids);
    for (int k = 0; k < shapes + solids; k++) {
        ball b;
        bool is_ball =
            f->dim == 2 ? ball_of_shape(&shape[k], q, v, &b) : ball_of_solid(&solid[k], q, v, &b);
        count += is_ball;
        if (is_ball && out != NULL) {
            cn_out_print(out, "%s %llu %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n",
                         cn_reader_group_name(reader, f->group[i]), (unsigned long long)f->id[i],
                         b.x.x, b.x.y, b.x.z, b.radius, b.v.x, b.v.y, b.v.z);
        }
    }
    return count;
}

static int print_bodies(const cn_reader *reader, const cn_frame *f, cn_out *out)
{
    int count = 0;
    for (int i = 0; i < f->body_count; i++) {
        count += print_body(reader, f, i, out);
    }
    return count;
}

// The vectors of the periodic cell one after the other, and along which of them space repeats.
static void print_lattice(const cn_frame *f, cn_out *out)
{
    const double *C = f->cell;
    for (int k = 0; k < 3 && C != NULL; k++) {
        double z =
            f->dim == 2 && k == 2 ? 1.0 : C[6 + k]; // in the plane the third one says nothing
        cn_out_print(out, "%s%.9g %.9g %.9g", k == 0 ? "Lattice=\"" : " ", C[k], C[3 + k], z);
    }
    for (int k = 0; k < 3 && f->cell_state != NULL; k++) {
        cn_out_print(out, "%s%c", k == 0 ? "\" pbc=\"" : " ",
                     f->cell_state->is_periodic[k] ? 'T' : 'F');
    }
    cn_out_print(out, "%s", C != NULL ? "\" " : "");
}

static cn_status print_frames(cn_reader *reader, cn_out *out, cn_error *err)
{
    int frames = (int)cn_reader_summary(reader)->frames;
    for (int k = 0; k < frames; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(reader, k, &f, err));
        cn_out_print(out, "%d\n", print_bodies(reader, &f, NULL));
        print_lattice(&f, out);
        cn_out_print(out,
                     "Properties=species:S:1:molecule:I:1:pos:R:3:radius:R:1:velo:R:3 Time=%.9g\n",
                     f.time);
        print_bodies(reader, &f, out);
    }
    return CN_OK;
}

static cn_status write_xyz(cn_reader *reader, const cn_export_def *def, cn_error *err)
{
    cn_out out = {0};
    CN_TRY(cn_out_folder(def->folder, err));
    CN_TRY(cn_out_open(def->folder, "balls.xyz", &out, err));
    return cn_out_close_all(print_frames(reader, &out, err), &out, 1, def->told, def->context, err);
}

const cn_export_format cn_export_xyz_format = {
    "xyz", "disks and spheres of all frames as extended XYZ, for OVITO", write_xyz};
