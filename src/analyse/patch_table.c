// analyse/patch_table.c -- the contact patches and the bonded points of a frame as tables of text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/patch_table.h"
#include "base/memory.h"

static void print_header(FILE *out, int dim)
{
    fputs(dim == 2 ? "body,other,x,y,nx,ny,push,shear,ratio,moment,length,eccentricity,in_kernel,"
                     "points\n"
                   : "body,other,x,y,z,nx,ny,nz,push,shear,ratio,moment,twist,area,eccentricity,"
                     "in_kernel,points\n",
          out);
}

// Names of the scene may hold commas and quotes.
static void print_name(FILE *out, const char *name)
{
    bool is_quoted = strpbrk(name, ",\"\n") != NULL;
    fputs(is_quoted ? "\"" : "", out);
    for (const char *c = name; *c != '\0'; c++) {
        fprintf(out, "%s%c", *c == '"' ? "\"" : "", *c);
    }
    fputs(is_quoted ? "\"," : ",", out);
}

void cn_print_body(FILE *out, const cn_reader *reader, cn_body_id id)
{
    char number[32];
    const char *name = cn_reader_body_name(reader, id);
    snprintf(number, sizeof number, "%lld", (long long)id);
    print_name(out, name != NULL ? name : number);
}

void cn_print_vector(FILE *out, const double *a, int dim)
{
    for (int d = 0; d < dim; d++) {
        fprintf(out, "%.9g,", a[d]);
    }
}

static void print_patch(FILE *out, const cn_reader *reader, const cn_frame *f,
                        const cn_patch_force *patch)
{
    cn_print_body(out, reader, f->id[patch->i]);
    cn_print_body(out, reader, f->id[patch->j]);
    cn_print_vector(out, patch->at, f->dim);
    cn_print_vector(out, patch->normal, f->dim);
    const double *m = patch->moment, *n = patch->normal;
    double twist = m[0] * n[0] + m[1] * n[1] + m[2] * n[2], square = 0.0;
    for (int d = 0; d < 3; d++) {
        square += (m[d] - twist * n[d]) * (m[d] - twist * n[d]);
    }
    fprintf(out, "%.9g,%.9g,%.9g,", patch->push / f->h, patch->shear / f->h,
            patch->push > 0.0 ? patch->shear / patch->push : NAN);
    if (f->dim == 2) {
        fprintf(out, "%.9g,", m[2] / f->h);
    } else {
        fprintf(out, "%.9g,%.9g,", sqrt(square) / f->h, twist / f->h);
    }
    fprintf(out, "%.9g,%.9g,%d,%d\n", patch->area, patch->eccentricity, patch->in_kernel,
            patch->count);
}

static cn_status print_patches(FILE *out, const cn_reader *reader, const cn_frame *f, cn_error *err)
{
    cn_patch_forces patches;
    CN_TRY(cn_patch_forces_find(f->contact, f->contact_count, f->dim, &patches, err));
    print_header(out, f->dim);
    for (int k = 0; k < patches.count; k++) {
        print_patch(out, reader, f, &patches.patch[k]);
    }
    cn_patch_forces_free(&patches);
    return CN_OK;
}

// ---- bonded points

// Mode of an opening and a slip: the angle between them over a right one.
static double mode_of(double opening, double slip)
{
    double open = fmax(opening, 0.0);
    return open > 0.0 || slip > 0.0 ? atan2(slip, open) / (0.5 * CN_PI) : NAN;
}

static void print_bond(FILE *out, const cn_reader *reader, const cn_frame *f, int a)
{
    const cn_contact *c = &f->contact[a];
    double area = cn_reader_state(reader, f, a, "area");
    double opening = cn_reader_state(reader, f, a, "opening");
    double second = cn_reader_state(reader, f, a, "slip_2");
    double slip = hypot(cn_reader_state(reader, f, a, "slip"), f->dim == 3 ? second : 0.0);
    double shear = hypot(c->r[1], f->dim == 3 ? c->r[2] : 0.0);
    cn_print_body(out, reader, f->id[c->i]);
    cn_print_body(out, reader, f->id[c->j]);
    fprintf(out, "%s,", cn_reader_law(reader, c->law)->name);
    cn_print_vector(out, c->point, f->dim);
    cn_print_vector(out, c->normal, f->dim);
    fprintf(out, "%.9g,%.9g,%.9g,%.9g,", area, cn_reader_state(reader, f, a, "damage"), opening,
            slip);
    fprintf(out, "%.9g,%.9g,%.9g,%.9g\n", -c->r[0] / (f->h * area), shear / (f->h * area),
            mode_of(opening, slip), cn_reader_state(reader, f, a, "spent"));
}

static cn_status print_bonds(FILE *out, const cn_reader *reader, const cn_frame *f, cn_error *err)
{
    (void)err;
    fputs(f->dim == 2 ? "body,other,law,x,y,nx,ny" : "body,other,law,x,y,z,nx,ny,nz", out);
    fputs(",area,damage,opening,slip,traction_n,traction_t,mode,spent\n", out);
    for (int a = 0; a < f->contact_count; a++) {
        if (cn_reader_state(reader, f, a, "bond") == 1.0) {
            print_bond(out, reader, f, a);
        }
    }
    return CN_OK;
}

// ---- as text

typedef cn_status print_table(FILE *out, const cn_reader *reader, const cn_frame *f, cn_error *err);

static cn_status make_table(cn_reader *reader, int frame, print_table *print, char **table,
                            cn_error *err)
{
    cn_frame f;
    size_t size = 0;
    *table = NULL;
    CN_TRY(cn_reader_frame(reader, frame, &f, err));
    CN_TRY(cn_reader_need_contacts(reader, &f, err));
    if (!(f.h > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "frame %d is the state before the first step and has no forces: take a "
                       "later one",
                       f.index);
    }
    FILE *out = open_memstream(table, &size);
    cn_status status = out != NULL ? print(out, reader, &f, err)
                                   : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    if (out != NULL && fclose(out) != 0 && status == CN_OK) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    }
    if (status != CN_OK) {
        free(*table);
        *table = NULL;
    }
    return status;
}

cn_status cn_patch_force_table(cn_reader *reader, int frame, char **table, cn_error *err)
{
    CN_NEED(err, reader, table);
    return make_table(reader, frame, print_patches, table, err);
}

cn_status cn_bond_table(cn_reader *reader, int frame, char **table, cn_error *err)
{
    CN_NEED(err, reader, table);
    return make_table(reader, frame, print_bonds, table, err);
}
