// export/export_csv.c -- results as tables of text: bodies, contacts, joints, moments, history,
// series, and nodes if there are any.
//
// Numbers carry 17 digits, so that nothing is lost.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/export.h"
#include "export/state_columns.h"

// A name; quoted where a comma, quote or line end would break the table.
static void print_name(cn_out *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        cn_out_bytes(out, text, strlen(text));
        return;
    }
    cn_out_bytes(out, "\"", 1);
    for (const char *at = text; *at != '\0'; at++) {
        cn_out_bytes(out, at, 1);
        cn_out_bytes(out, at, *at == '"'); // a quote is doubled
    }
    cn_out_bytes(out, "\"", 1);
}

static void print_numbers(cn_out *out, const double *value, int count)
{
    for (int k = 0; k < count; k++) {
        cn_out_print(out, ",%.17g", value[k]);
    }
}

static void print_body(cn_out *out, const cn_reader *reader, const cn_frame *f, int i)
{
    cn_out_print(out, "%d,%lld,%.17g,%llu,", f->index, (long long)f->step, f->time,
                 (unsigned long long)f->id[i]);
    const char *name = cn_reader_body_name(reader, f->id[i]);
    print_name(out, name != NULL ? name : "");
    cn_out_print(out, ",");
    print_name(out, cn_reader_group_name(reader, f->group[i]));
    print_numbers(out, f->q + (size_t)f->q_size * (size_t)i, f->q_size);
    print_numbers(out, f->v + (size_t)f->v_size * (size_t)i, f->v_size);
    cn_out_print(out, "\n");
}

static void print_contact(cn_out *out, const cn_frame *f, int a, cn_state_columns *states)
{
    const cn_contact *c = &f->contact[a];
    const double *state = cn_state_columns_of(states, f, a);
    double t1[3], t2[3];
    cn_contact_tangents(c, f->dim, t1, t2);
    cn_out_print(out, "%d,%lld,%.17g,%llu,%llu,%d,%s", f->index, (long long)f->step, f->time,
                 (unsigned long long)f->id[c->i], (unsigned long long)f->id[c->j], c->law,
                 cn_contact_status_name(c->status));
    print_numbers(out, c->point, f->dim);
    print_numbers(out, c->normal, f->dim);
    print_numbers(out, t1, f->dim == 3 ? 3 : 0);
    print_numbers(out, &c->gap, 1);
    print_numbers(out, c->r, f->dim);
    print_numbers(out, c->u, f->dim);
    for (int k = 0; k < states->count; k++) {
        cn_out_print(out, ",");
        if (!isnan(state[k])) {
            cn_out_print(out, "%.17g", state[k]);
        }
    }
    for (int d = 0; d < f->dim && f->cell != NULL; d++) {
        cn_out_print(out, ",%d", c->shift[d]);
    }
    cn_out_print(out, "\n");
}

// Vectors of the periodic cell as columns, and its velocity gradient, row by row.
static void print_cell(cn_out *out, const cn_frame *f)
{
    int count = f->dim * f->dim;
    cn_out_print(out, "%d,%lld,%.17g", f->index, (long long)f->step, f->time);
    for (int n = 0; n < 2 * count; n++) {
        int k = n % count, place = 3 * (k / f->dim) + k % f->dim;
        const double *from = n < count ? f->cell : f->cell_state->gradient;
        print_numbers(out, &from[place], 1);
    }
    cn_out_print(out, "\n");
}

static cn_status print_cells(cn_reader *reader, cn_out *out, cn_error *err)
{
    cn_out_print(out, "frame,step,time,%s\n",
                 cn_reader_summary(reader)->dim == 2
                     ? "cxx,cxy,cyx,cyy,lxx,lxy,lyx,lyy"
                     : "cxx,cxy,cxz,cyx,cyy,cyz,czx,czy,czz,lxx,lxy,lxz,lyx,lyy,lyz,lzx,lzy,lzz");
    for (int k = 0; k < cn_reader_summary(reader)->frames; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(reader, k, &f, err));
        if (f.cell_state != NULL) {
            print_cell(out, &f);
        }
    }
    return CN_OK;
}

static void print_joint(cn_out *out, const cn_frame *f, const cn_joint_state *s)
{
    cn_out_print(out, "%d,%lld,%.17g,%llu,%s,%llu,%llu,%d", f->index, (long long)f->step, f->time,
                 (unsigned long long)s->id, cn_joint_kind_name(s->kind),
                 (unsigned long long)f->id[s->i], (unsigned long long)(s->j < 0 ? 0 : f->id[s->j]),
                 s->is_broken);
    print_numbers(out, s->point, f->dim);
    print_numbers(out, s->impulse, f->dim);
    print_numbers(out, f->dim == 2 ? s->moment + 2 : s->moment, f->dim == 2 ? 1 : 3);
    print_numbers(out, (double[]){s->motor, s->gap, s->gap_angle, s->position, s->speed, s->stop},
                  6);
    cn_out_print(out, "\n");
}

static void print_joint_header(cn_out *out, int dim)
{
    cn_out_print(out, "frame,step,time,joint,kind,id_i,id_j,broken,%s,%s\n",
                 dim == 2 ? "x,y,rx,ry,moment" : "x,y,z,rx,ry,rz,mx,my,mz",
                 "motor,gap,gap_angle,position,speed,stop");
}

static void print_body_header(cn_out *out, int dim)
{
    cn_out_print(out, "frame,step,time,id,name,group,%s\n",
                 dim == 2 ? "x,y,angle,vx,vy,spin" : "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
}

static bool has_cell(cn_reader *reader)
{
    cn_frame first;
    return cn_reader_frame(reader, 0, &first, NULL) == CN_OK && first.cell != NULL;
}

static void print_contact_header(cn_out *out, int dim, const cn_state_columns *states, bool shifts)
{
    cn_out_print(out, "frame,step,time,id_i,id_j,law,status,%s",
                 dim == 2 ? "x,y,nx,ny,gap,r_n,r_t,u_n,u_t"
                          : "x,y,z,nx,ny,nz,t1x,t1y,t1z,gap,r_n,r_t1,r_t2,u_n,u_t1,u_t2");
    for (int k = 0; k < states->count; k++) {
        cn_out_print(out, ",");
        print_name(out, states->name[k]);
    }
    cn_out_print(out, "%s\n",
                 !shifts    ? ""
                 : dim == 2 ? ",shift_x,shift_y"
                            : ",shift_x,shift_y,shift_z");
}

static cn_status print_frames(cn_reader *reader, cn_state_columns *states, cn_out *bodies,
                              cn_out *contacts, cn_out *joints, cn_error *err)
{
    int dim = cn_reader_summary(reader)->dim;
    print_body_header(bodies, dim);
    print_contact_header(contacts, dim, states, has_cell(reader));
    print_joint_header(joints, dim);
    for (int k = 0; k < cn_reader_summary(reader)->frames; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(reader, k, &f, err));
        for (int i = 0; i < f.body_count; i++) {
            print_body(bodies, reader, &f, i);
        }
        for (int a = 0; a < f.contact_count; a++) {
            print_contact(contacts, &f, a, states);
        }
        for (int n = 0; n < f.joint_count; n++) {
            print_joint(joints, &f, &f.joint[n]);
        }
    }
    return CN_OK;
}

// Bodies, contacts and joints, frame by frame.
static cn_status print_states(cn_reader *reader, cn_out *bodies, cn_out *contacts, cn_out *joints,
                              cn_error *err)
{
    cn_state_columns states = {0};
    cn_status status = cn_state_columns_make(reader, &states, err);
    CN_THEN(status, print_frames(reader, &states, bodies, contacts, joints, err));
    cn_state_columns_free(&states);
    return status;
}

static bool is_series(const char *column)
{
    return strncmp(column, "series/", 7) == 0;
}

// Columns that belong to the file: all but the series, or step, time and the series.
static bool belongs(const char *column, bool to_series)
{
    bool is_clock = strcmp(column, "step") == 0 || strcmp(column, "time") == 0;
    return to_series ? is_clock || is_series(column) : !is_series(column);
}

static cn_status gather_columns(cn_reader *reader, bool to_series, cn_column *column, int *count,
                                cn_error *err)
{
    *count = 0;
    for (int k = 0; k < cn_reader_column_count(reader); k++) {
        const char *name = cn_reader_column_name(reader, k);
        if (belongs(name, to_series)) {
            CN_TRY(cn_reader_column(reader, name, &column[(*count)++], err));
        }
    }
    return CN_OK;
}

static void print_columns(cn_out *out, const cn_column *column, int count)
{
    for (int k = 0; k < count; k++) {
        cn_out_bytes(out, ",", k > 0);
        print_name(out, is_series(column[k].name) ? column[k].name + 7 : column[k].name);
    }
    cn_out_print(out, "\n");
    for (int64_t row = 0; count > 0 && row < column[0].count; row++) {
        for (int k = 0; k < count; k++) {
            cn_out_print(out, "%s%.17g", k > 0 ? "," : "", column[k].value[row]);
        }
        cn_out_print(out, "\n");
    }
}

static cn_status print_history(cn_reader *reader, bool of_series, cn_out *out, cn_error *err)
{
    cn_column *column = calloc((size_t)cn_reader_column_count(reader) + 1, sizeof *column);
    if (column == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the columns of %s", out->path);
    }
    int count;
    cn_status status = gather_columns(reader, of_series, column, &count, err);
    if (status == CN_OK) {
        print_columns(out, column, count);
    }
    free(column);
    return status;
}

enum { LAST = 6, FILES };

static bool has_meshes(cn_reader *reader)
{
    cn_frame last;
    return cn_reader_frame(reader, -1, &last, NULL) == CN_OK && last.mesh_count > 0;
}

static cn_status print_all(cn_reader *reader, const char *folder, cn_out out[FILES], cn_error *err)
{
    CN_TRY(cn_out_open(folder, "bodies.csv", &out[0], err));
    CN_TRY(cn_out_open(folder, "contacts.csv", &out[1], err));
    CN_TRY(cn_out_open(folder, "joints.csv", &out[2], err));
    CN_TRY(cn_out_open(folder, "history.csv", &out[3], err));
    CN_TRY(cn_out_open(folder, "moments.csv", &out[4], err));
    CN_TRY(cn_out_open(folder, "series.csv", &out[5], err));
    CN_TRY(print_states(reader, &out[0], &out[1], &out[2], err));
    CN_TRY(print_history(reader, false, &out[3], err));
    CN_TRY(cn_export_moments(reader, &out[4], err));
    if (has_meshes(reader)) {
        CN_TRY(cn_out_open(folder, "nodes.csv", &out[LAST], err));
        CN_TRY(cn_export_nodes(reader, &out[LAST], err));
    } else if (has_cell(reader)) { // which takes no meshes
        CN_TRY(cn_out_open(folder, "cell.csv", &out[LAST], err));
        CN_TRY(print_cells(reader, &out[LAST], err));
    }
    return print_history(reader, true, &out[5], err);
}

cn_status cn_export_csv(cn_reader *reader, const char *folder, cn_tell *told, void *context,
                        cn_error *err)
{
    CN_NEED(err, reader, folder);
    cn_out out[FILES] = {0};
    CN_TRY(cn_out_folder(folder, err));
    cn_status status = print_all(reader, folder, out, err);
    return cn_out_close_all(status, out, out[LAST].path != NULL ? FILES : FILES - 1, told, context,
                            err);
}

static cn_status write_csv(cn_reader *reader, const cn_export_def *def, cn_error *err)
{
    return cn_export_csv(reader, def->folder, def->told, def->context, err);
}

const cn_export_format cn_export_csv_format = {"csv", "tables of steps, bodies and contacts",
                                               write_csv};
