// import/write_bodies.c -- entries of `bodies`: tables of equal grains, and one entry for each
// other body.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "import/importing.h"
#include "math/mat3_quat.h"

static const cn_dat_contactor *contactor_of(const cn_importing *m, const cn_rigid *r, int k)
{
    return &m->box.contactor.item[r->body->contactor.first + k];
}

static bool has_drive(const cn_rigid *r)
{
    for (int k = 0; k < 6; k++) {
        if (r->velocity_of[k] != NULL || r->force_of[k] != NULL) {
            return true;
        }
    }
    return false;
}

// A disk or ball alone, whose moment tables can tell.
static bool is_grain(const cn_importing *m, const cn_rigid *r)
{
    const double NEAR = 5e-7;
    if (r->body->contactor.count != 1 || r->has_centre || has_drive(r)) {
        return false;
    }
    const cn_dat_contactor *c = contactor_of(m, r, 0);
    if (m->dim == 2) {
        return strcmp(c->kind, "DISKx") == 0;
    }
    double ball = 0.4 * r->mass * c->size[0] * c->size[0];
    bool is_ball = strcmp(c->kind, "SPHER") == 0;
    for (int k = 0; k < 3; k++) {
        is_ball = is_ball && fabs(r->inertia[k] - ball) <= NEAR * ball;
    }
    return is_ball;
}

static void put(FILE *out, double value, char end)
{
    char text[32];
    fputs(cn_import_number(value, text), out);
    fputc(end, out);
}

static void write_row(const cn_importing *m, const cn_rigid *r, FILE *out)
{
    double radius = contactor_of(m, r, 0)->size[0];
    for (int k = 0; k < m->dim; k++) {
        put(out, r->at[k], ',');
    }
    if (m->dim == 2) {
        put(out, r->angle, ',');
        put(out, r->inertia[2], ',');
        put(out, r->rate[2], ',');
    } else {
        for (int k = 0; k < 3; k++) {
            put(out, r->rate[k], ',');
        }
    }
    for (int k = 0; k < m->dim; k++) {
        put(out, r->velocity[k], ',');
    }
    put(out, radius, ',');
    put(out, r->mass, '\n');
}

// The grains of a set; false if there are fewer than two.
static bool write_table(cn_importing *m, int set)
{
    const char *path, *name = m->sets.item[set].name;
    char file[96];
    int count = 0, others = 0;
    for (size_t k = 0; k < m->rigid.count; k++) {
        cn_rigid *r = &m->rigid.item[k];
        r->is_listed = r->is_listed || (r->set == set && is_grain(m, r));
        count += r->set == set && r->is_listed ? 1 : 0;
        others += r->set == set && !r->is_listed ? 1 : 0;
    }
    if (count == 0) {
        return false;
    }
    snprintf(file, sizeof file, ".files/%s.csv", name);
    FILE *out = cn_import_open(m, file, &path);
    if (out == NULL) {
        return false;
    }
    const char *entry_end = others > 0 ? "-free" : "";
    fputs(m->dim == 2 ? "x,y,angle,inertia,spin,vx,vy,radius,mass\n"
                      : "x,y,z,wx,wy,wz,vx,vy,vz,radius,mass\n",
          out);
    int row = 0;
    for (size_t k = 0; k < m->rigid.count; k++) {
        cn_rigid *r = &m->rigid.item[k];
        if (r->set == set && r->is_listed) {
            write_row(m, r, out);
            snprintf(r->name, sizeof r->name, "%s%s[%d]", name, entry_end, ++row);
        }
    }
    fprintf(m->scene, "  %s%s: {from: \"%s\"", name, entry_end, path);
    fprintf(m->scene, others > 0 ? ", group: %s}\n" : "}\n", name);
    return true;
}

// Corners less the mass centre, counterclockwise.
static void write_corners(cn_importing *m, const cn_rigid *r, const cn_dat_contactor *c)
{
    const double *x = m->box.vertex.item + 3 * (size_t)c->vertex.first;
    double area = 0.0;
    int count = c->vertex.count, dim = m->dim;
    for (int k = 0; k < count && dim == 2; k++) {
        const double *p = x + 3 * (size_t)k, *q = x + 3 * (size_t)((k + 1) % count);
        area += (p[0] - x[0]) * (q[1] - x[1]) - (p[1] - x[1]) * (q[0] - x[0]);
    }
    if (area < 0.0) {
        cn_import_changed(m, c->at, "the corners of a polygon are turned: they went clockwise");
    }
    fprintf(m->scene, "{%s: [", dim == 2 ? "polygon" : "polyhedron");
    for (int k = 0; k < count; k++) {
        const double *p = x + 3 * (size_t)(area < 0.0 ? count - 1 - k : k);
        double q[3] = {p[0] - r->centre[0], p[1] - r->centre[1], p[2] - r->centre[2]};
        fputs(k == 0 ? "" : ", ", m->scene);
        cn_import_vector(m->scene, q, dim);
    }
    fputs("]}", m->scene);
}

static void write_sized(cn_importing *m, const cn_dat_contactor *c)
{
    char a[32], b[32];
    if (strcmp(c->kind, "JONCx") == 0 || strcmp(c->kind, "CYLND") == 0) {
        fprintf(m->scene, "{capsule: {length: %s, radius: %s}}",
                cn_import_number(2.0 * c->size[0], a), cn_import_number(c->size[1], b));
    } else if (strcmp(c->kind, "DNLYC") == 0) {
        fprintf(m->scene, "{hollow_cylinder: {length: %s, radius: %s, ends: false}}",
                cn_import_number(2.0 * c->size[0], a), cn_import_number(c->size[1], b));
    } else if (strcmp(c->kind, "PLANx") == 0) {
        double size[3] = {2.0 * c->size[0], 2.0 * c->size[1], 2.0 * c->size[2]};
        fputs("{box: ", m->scene);
        cn_import_vector(m->scene, size, 3);
        fputc('}', m->scene);
    } else {
        const char *shape = strcmp(c->kind, "xKSID") == 0 ? "hollow_disk"
                            : m->dim == 2                 ? "disk"
                                                          : "sphere";
        fprintf(m->scene, "{%s: %s}", shape, cn_import_number(c->size[0], a));
    }
}

static void write_shape(cn_importing *m, const cn_rigid *r, const cn_dat_contactor *c)
{
    if (c->vertex.count > 0) {
        write_corners(m, r, c);
        return;
    }
    write_sized(m, c);
    if (strcmp(c->kind, "CYLND") == 0) {
        cn_import_changed(m, c->at,
                          "CYLND is a capsule, as LMGC90 has it against planes and "
                          "cylinders; mass and inertia are those of the flat cylinder");
    } else if (strcmp(c->kind, "JONCx") == 0) {
        cn_import_changed(m, c->at,
                          "JONCx has round ends; polygons meet its flat sides only in "
                          "LMGC90");
    } else if (strcmp(c->kind, "PLANx") == 0) {
        cn_import_changed(m, c->at, "PLANx is a block, whose edges LMGC90 does not look at");
    }
}

// Axes as columns become the quaternion w x y z; false if they are those of the world.
static bool quaternion(const double *axes, double q[4])
{
    cn_mat3 R;
    for (int k = 0; k < 3; k++) {
        R.row[k] = cn_v3(axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]);
    }
    cn_quat turn = cn_quat_unit(cn_mat3_quat(&R));
    memcpy(q, (double[4]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
    return fabs(turn.w) < 1.0;
}

static void write_part(cn_importing *m, const cn_rigid *r, const cn_dat_contactor *c)
{
    double q[4], at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = c->shift[k] - r->centre[k];
    }
    fputs("{shape: ", m->scene);
    write_shape(m, r, c);
    if (c->vertex.count == 0) {
        fputs(", at: ", m->scene);
        cn_import_vector(m->scene, at, m->dim);
    }
    if (c->is_turned && quaternion(c->axes, q)) {
        fputs(", rotation: ", m->scene);
        cn_import_vector(m->scene, q, 4);
    }
    fputc('}', m->scene);
}

// One shape at the mass centre, or a cluster.
static void write_shapes(cn_importing *m, const cn_rigid *r)
{
    const cn_dat_contactor *only = NULL;
    int count = 0;
    for (int k = 0; k < r->body->contactor.count; k++) {
        const cn_dat_contactor *c = contactor_of(m, r, k);
        only = cn_dat_is_point(c) ? only : c;
        count += cn_dat_is_point(c) ? 0 : 1;
    }
    bool is_centred = count == 1;
    for (int k = 0; k < 3 && is_centred && only->vertex.count == 0; k++) {
        is_centred = only->shift[k] - r->centre[k] == 0.0;
    }
    if (is_centred && !only->is_turned) {
        fputs("shape: ", m->scene);
        write_shape(m, r, only);
        return;
    }
    fputs("cluster: [", m->scene);
    for (int k = 0, n = 0; k < r->body->contactor.count; k++) {
        const cn_dat_contactor *c = contactor_of(m, r, k);
        if (!cn_dat_is_point(c)) {
            fputs(n++ > 0 ? ", " : "", m->scene);
            write_part(m, r, c);
        }
    }
    fputc(']', m->scene);
}

static void write_vector(FILE *out, const char *key, const double *value, int count)
{
    bool is_any = false;
    for (int k = 0; k < count; k++) {
        is_any = is_any || value[k] != 0.0;
    }
    if (is_any) {
        fprintf(out, ", %s: ", key);
        cn_import_vector(out, value, count);
    }
}

static void write_motion(cn_importing *m, const cn_rigid *r)
{
    char text[32];
    double velocity[3], rate[3];
    const int dofs = m->dim == 2 ? 3 : 6;
    bool is_dropped = false;
    for (int k = 0; k < 3; k++) {
        bool is_held = r->velocity_of[k] != NULL;
        int dof = m->dim == 2 ? 2 : 3 + k;
        velocity[k] = is_held && k < m->dim ? 0.0 : r->velocity[k];
        rate[k] = dof < dofs && r->velocity_of[dof] != NULL ? 0.0 : r->rate[k];
        is_dropped = is_dropped || velocity[k] != r->velocity[k] || rate[k] != r->rate[k];
    }
    if (is_dropped) {
        cn_import_changed(m, r->body->at,
                          "a driven degree of freedom starts with the velocity of "
                          "its drive, not that of DOF.INI");
    }
    write_vector(m->scene, "velocity", velocity, m->dim);
    if (m->dim == 2 && rate[2] != 0.0) {
        fprintf(m->scene, ", angular_velocity: %s", cn_import_number(rate[2], text));
    } else if (m->dim == 3) {
        write_vector(m->scene, "angular_velocity", rate, 3);
    }
}

static void write_fixed(cn_importing *m, const cn_rigid *r)
{
    static const char *const plane[] = {"x", "y", "rotation"};
    static const char *const space[] = {"x", "y", "z", "rx", "ry", "rz"};
    const char *const *word = m->dim == 2 ? plane : space;
    int dofs = m->dim == 2 ? 3 : 6, count = 0;
    bool is_driven = false;
    for (int k = 0; k < dofs; k++) {
        count += r->velocity_of[k] != NULL ? 1 : 0;
        is_driven = is_driven || (r->velocity_of[k] != NULL && !cn_dat_is_zero(r->velocity_of[k]));
    }
    if (count == dofs) {
        fputs(", fixed: true", m->scene);
    } else if (count > 0 && !is_driven) {
        fputs(", fixed: [", m->scene);
        for (int k = 0, n = 0; k < dofs; k++) {
            if (r->velocity_of[k] != NULL) {
                fprintf(m->scene, "%s%s", n++ > 0 ? ", " : "", word[k]);
            }
        }
        fputc(']', m->scene);
    }
}

static void write_mass(cn_importing *m, const cn_rigid *r)
{
    char text[32];
    fprintf(m->scene, ", mass: %s, inertia: ", cn_import_number(r->mass, text));
    if (m->dim == 2) {
        fputs(cn_import_number(r->inertia[2], text), m->scene);
    } else {
        bool is_diagonal = r->inertia[3] == 0.0 && r->inertia[4] == 0.0 && r->inertia[5] == 0.0;
        cn_import_vector(m->scene, r->inertia, is_diagonal ? 3 : 6);
    }
    if (r->has_centre) {
        fputs(m->dim == 2 ? ", centre: [0, 0]" : ", centre: [0, 0, 0]", m->scene);
    }
}

static void write_body(cn_importing *m, cn_rigid *r)
{
    char text[32];
    double q[4];
    snprintf(r->name, sizeof r->name, "b%d", r->body->number);
    fprintf(m->scene, "  %s: {", r->name);
    write_shapes(m, r);
    fputs(", at: ", m->scene);
    cn_import_vector(m->scene, r->at, m->dim);
    if (m->dim == 2 && r->angle != 0.0) {
        fprintf(m->scene, ", rotation: %s", cn_import_number(r->angle, text));
    } else if (m->dim == 3 && quaternion(r->axes, q)) {
        fputs(", rotation: ", m->scene);
        cn_import_vector(m->scene, q, 4);
    }
    write_mass(m, r);
    write_motion(m, r);
    write_fixed(m, r);
    fprintf(m->scene, ", group: %s}\n", m->sets.item[r->set].name);
}

static void write_names(cn_importing *m)
{
    const char *path;
    FILE *out = cn_import_open(m, ".names.csv", &path);
    if (out == NULL) {
        return;
    }
    fputs("kind,number,contactors,colours,material,name\n", out);
    for (size_t k = 0; k < m->rigid.count; k++) {
        const cn_rigid *r = &m->rigid.item[k];
        int count = r->body->contactor.count;
        fprintf(out, "%s,%d,", m->dim == 2 ? "RBDY2" : "RBDY3", r->body->number);
        for (int n = 0; n < count; n++) {
            fprintf(out, "%s%s", n > 0 ? " " : "", contactor_of(m, r, n)->kind);
        }
        fputc(',', out);
        for (int n = 0; n < count; n++) {
            fprintf(out, "%s%s", n > 0 ? " " : "", contactor_of(m, r, n)->colour);
        }
        fprintf(out, ",%s,\"%s\"\n", r->body->material, r->name);
    }
    for (size_t k = 0; k < m->meshes.count; k++) {
        const cn_dat_body *body = m->meshes.item[k].body;
        fprintf(out, "MAILx,%d,,,%s,m%d\n", body->number,
                m->box.element.item[body->element.first].material, body->number);
    }
}

void cn_import_write_bodies(cn_importing *m)
{
    fprintf(m->scene, "bodies:\n");
    for (size_t k = 0; k < m->sets.count && m->status == CN_OK; k++) {
        write_table(m, (int)k);
    }
    for (size_t k = 0; k < m->rigid.count && m->status == CN_OK; k++) {
        cn_rigid *r = &m->rigid.item[k];
        if (!r->is_listed && r->set >= 0) {
            write_body(m, r);
        } else if (r->set < 0) {
            cn_import_lost(m, r->body->at, "a body that is only points of wires");
        }
    }
    cn_import_write_meshes(m);
    if (m->status == CN_OK) {
        write_names(m);
    }
}
