// validation/b34_rock_wedge.c -- B34: a wedge of rock on two joints.
//
// Question: does a wedge cut out by the compass slide where and when it should? Reference: the line
// of both planes plunges 31.196514 degrees towards 157.732407; with friction along it the wedge
// slides below mu = 0.402252, without dilatancy; with dilatancy it is wedged in down to 0.361906.
// Between the two either outcome is right. Source: Hoek & Bray; the linear program by another
// implementation.
#include "builders.h"
#include "limit_rig.h"
#include "table.h"

#include <math.h>

static cn_limits wedge(cn_book *book, double mu)
{
    cn_limits l = cn_limits_begin(book, 3, 2600.0, mu);
    cn_limits_add(&l, "bodies:\n"
                      "  slope:\n"
                      "    generate:\n"
                      "      rock_slope: {height: 10, angle: 65deg, azimuth: 185deg, length: 20, "
                      "width: 20,\n"
                      "        planes: [{at: [-8, 0, 10], dip: 45deg, dip_direction: 105deg},\n"
                      "          {at: [-8, 0, 10], dip: 70deg, dip_direction: 235deg}],\n"
                      "        hold_base: true, hold_back: true, hold_sides: true}\n"
                      "    material: m\n"
                      "solver: {accuracy: 1e-6}\n"
                      "stages: [{step: 2e-3, duration: 1}]\n"
                      "limit: [{name: out, load: {acceleration: [1, 0, 0]}}]\n");
    return l;
}

// Velocity of the wedge after 0.1 s.
static cn_vec3 slide(cn_book *book, double mu)
{
    cn_limits l = wedge(book, mu);
    cn_scene_source source = {.name = "wedge.yaml", .text = l.text, .length = l.length};
    cn_world *w = NULL;
    cn_error err = {0};
    cn_vec3 v = {0};
    cn_status status = cn_scene_read(&source, NULL, NULL, &l.scene, &err);
    status = status == CN_OK ? cn_scene_build(l.scene, 1, &w, &err) : status;
    for (int k = 0; k < 50 && status == CN_OK; k++) {
        status = cn_world_step(w, 2e-3, &err);
    }
    if (status != CN_OK) {
        cn_book_failure(book, err.text);
    } else {
        cn_view view = cn_world_view(w);
        for (int i = 0; i < view.body_count; i++) {
            const double *u = view.v + 6 * (size_t)i;
            v = view.fixed[i] == 0 ? cn_v3(u[0], u[1], u[2]) : v;
        }
    }
    cn_world_destroy(w);
    cn_limits_end(&l);
    return v;
}

void cn_case_B34(cn_book *book)
{
    const double mu = 0.5;
    cn_limits l = wedge(book, mu);
    cn_limit_share share;
    if (cn_limits_least(&l, CN_LIMIT_LESS_FRICTION, 1e-6, &share)) {
        cn_check(book, "least friction, dilating: stands", mu * share.stands, 0.361906, 3e-5);
        cn_check(book, "least friction, dilating: falls", mu * share.falls, 0.361906, 3e-5);
    }
    cn_limits_end(&l);
    cn_check(book, "speed with mu 0.41 [m/s]", cn_norm3(slide(book, 0.41)), 0.0, 1e-9);
    cn_vec3 v = slide(book, 0.355);
    cn_check_least(book, "speed with mu 0.355 [m/s]", cn_norm3(v), 0.01);
    cn_check(book, "plunge of its path [degrees]", asin(-v.z / cn_norm3(v)) / cn_degrees(1.0),
             31.196514, 0.1);
    cn_check(book, "trend of its path [degrees]", 185.0 - atan2(v.y, v.x) / cn_degrees(1.0),
             157.732407, 0.1);
}
