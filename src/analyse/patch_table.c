// analyse/patch_table.c -- the contact patches of a frame as a table of text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "cairn/vec.h"

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

static void print_body(FILE *out, const cn_reader *reader, cn_body_id id)
{
    char number[32];
    const char *name = cn_reader_body_name(reader, id);
    snprintf(number, sizeof number, "%lld", (long long)id);
    print_name(out, name != NULL ? name : number);
}

static void print_vector(FILE *out, const double *a, int dim)
{
    for (int d = 0; d < dim; d++) {
        fprintf(out, "%.9g,", a[d]);
    }
}

static void print_patch(FILE *out, const cn_reader *reader, const cn_frame *f,
                        const cn_patch_force *patch)
{
    print_body(out, reader, f->id[patch->i]);
    print_body(out, reader, f->id[patch->j]);
    print_vector(out, patch->at, f->dim);
    print_vector(out, patch->normal, f->dim);
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

cn_status cn_patch_force_table(cn_reader *reader, int frame, char **table, cn_error *err)
{
    CN_NEED(err, reader, table);
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
    cn_status status = out != NULL ? print_patches(out, reader, &f, err)
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
