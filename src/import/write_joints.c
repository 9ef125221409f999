// import/write_joints.c -- wires and rods between points of bodies become joints.
//
// LMGC90 ties every pair of points whose colours a wire law joins and that are within the alert
// distance in BODIES.DAT. Their distance there is the length without load but for a strain prst;
// stiffness and damping are given per strain.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"
#include "import/lmgc90_laws.h"

typedef struct point {
    const cn_rigid *body;
    const cn_dat_contactor *contactor;
    double first[3], now[3]; // in BODIES.DAT, and at the start [m]
} point;

static void put_point(const double *centre, const double *axes, double angle, int dim,
                      const double *arm, double *out)
{
    double c = cos(angle), s = sin(angle);
    for (int n = 0; n < 3; n++) {
        out[n] = dim == 3 ? centre[n] + axes[3 * n] * arm[0] + axes[3 * n + 1] * arm[1] +
                                axes[3 * n + 2] * arm[2]
                 : n == 0 ? centre[0] + c * arm[0] - s * arm[1]
                 : n == 1 ? centre[1] + s * arm[0] + c * arm[1]
                          : 0.0;
    }
}

static void place_point(const cn_importing *m, point *p)
{
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const cn_rigid *r = p->body;
    const double *I = r->body->inertia;
    bool has_moments = I[0] > 0.0 || I[1] > 0.0 || I[2] > 0.0; // then the axes are always there
    double arm[3];
    for (int n = 0; n < 3; n++) {
        arm[n] = p->contactor->shift[n] - r->centre[n];
    }
    put_point(r->first, has_moments ? r->axes : none, r->first_angle, m->dim, arm, p->first);
    put_point(r->at, r->axes, r->angle, m->dim, arm, p->now);
}

typedef CN_DAT_LIST(point) point_list;

static void collect_points(cn_importing *m, point_list *list)
{
    for (size_t k = 0; k < m->rigid.count; k++) {
        const cn_rigid *r = &m->rigid.item[k];
        for (int n = 0; n < r->body->contactor.count; n++) {
            point p = {.body = r,
                       .contactor = &m->box.contactor.item[r->body->contactor.first + n]};
            if (cn_dat_is_point(p.contactor)) {
                place_point(m, &p);
                CN_THEN(m->status, CN_DAT_ADD(*list, p, m->err));
            }
        }
    }
}

// What LMGC90 lists of each law: force per strain, strain without load, and one number more.
typedef struct wire {
    const char *type, *joint, *more; // what the third number is; NULL: there is none
} wire;

static const wire *find_wire(const char *type)
{
    static const wire wires[] = {{"ELASTIC_WIRE", "cable", NULL},
                                 {"BRITTLE_ELASTIC_WIRE", "cable", "strength"},
                                 {"ELASTIC_ROD", "rod", NULL},
                                 {"VOIGT_ROD", "rod", "damping"},
                                 {"VOIGT_WIRE", "cable", "damping"}};
    for (size_t k = 0; k < sizeof wires / sizeof *wires; k++) {
        if (strcmp(wires[k].type, type) == 0) {
            return &wires[k];
        }
    }
    return NULL;
}

static bool check_wire(cn_importing *m, const cn_dat_law *law, const wire *w, double length)
{
    if (w == NULL) {
        cn_import_lost(m, law->at, "law %s between points", law->type);
        return false;
    }
    if (law->count != (w->more != NULL ? 3 : 2)) {
        cn_complain(&m->report, law->at, "law %s has %d numbers, here are %d", law->type,
                    w->more != NULL ? 3 : 2, law->count);
        return false;
    }
    if (!(length > 0.0) || !(law->param[1].value > -1.0) || !(law->param[0].value > 0.0)) {
        cn_import_lost(m, law->at, "a wire of length %g m, strain %g and force %g N", length,
                       law->param[1].value, law->param[0].value);
        return false;
    }
    return true;
}

static void write_joint(cn_importing *m, const point *p, const point *q, const cn_dat_law *law,
                        int *number)
{
    const wire *w = find_wire(law->type);
    char text[32];
    double d[3] = {q->first[0] - p->first[0], q->first[1] - p->first[1], q->first[2] - p->first[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!check_wire(m, law, w, length)) {
        return;
    }
    *number += 1;
    bool is_damped = w->more != NULL && strcmp(w->more, "damping") == 0;
    fprintf(m->scene, "%s  w%d: {between: [%s, %s], %s: {from: ", *number == 1 ? "joints:\n" : "",
            *number, p->body->name, q->body->name, w->joint);
    cn_import_vector(m->scene, p->now, m->dim);
    fputs(", to: ", m->scene);
    cn_import_vector(m->scene, q->now, m->dim);
    fprintf(m->scene, ", length: %s", cn_import_number(length * (1.0 + law->param[1].value), text));
    fprintf(m->scene, ", stiffness: %s", cn_import_number(law->param[0].value / length, text));
    if (is_damped) {
        fprintf(m->scene, ", damping: %s", cn_import_number(law->param[2].value / length, text));
    }
    fputc('}', m->scene);
    if (w->more != NULL && !is_damped) {
        fprintf(m->scene, ", strength: %s", cn_import_number(law->param[2].value, text));
    }
    fprintf(m->scene, "}   # %s\n", law->type);
    cn_import_changed(m, law->at,
                      "%s is a joint: LMGC90 takes its force at the end of the step, "
                      "which damps; here it follows theta",
                      law->type);
}

void cn_import_write_joints(cn_importing *m)
{
    point_list list = {0};
    int number = 0;
    collect_points(m, &list);
    for (size_t a = 0; a < list.count && m->status == CN_OK; a++) {
        for (size_t b = a + 1; b < list.count; b++) {
            const point *p = &list.item[a], *q = &list.item[b];
            const cn_dat_see *see = p->body == q->body
                                        ? NULL
                                        : cn_import_see(m, p->body->body->kind, p->contactor,
                                                        q->body->body->kind, q->contactor);
            double square = 0.0;
            for (int n = 0; n < 3; n++) {
                square += (q->first[n] - p->first[n]) * (q->first[n] - p->first[n]);
            }
            int law = see != NULL && square <= see->alert * see->alert ? cn_import_law(m, see) : -1;
            if (law >= 0) {
                write_joint(m, p, q, &m->box.law.item[law], &number);
            }
        }
    }
    free(list.item);
}
