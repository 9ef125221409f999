// A ball falls from 1 m for 0.1 s: with theta = 1/2 it is then exactly g t^2 / 2 lower.
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>

static int fail(const cn_error *err)
{
    fprintf(stderr, "fall: %s\n", err->text);
    return 1;
}

int main(void)
{
    cn_error err = {0};
    cn_world_def def = cn_world_def_default();
    cn_world *world;
    if (cn_world_create(&def, &world, &err) != CN_OK) {
        return fail(&err);
    }
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
    cn_body_def body = cn_body_def_default();
    body.shapes = (cn_shape_parts){1, &disk};
    body.at[1] = 1.0;
    cn_body_id id;
    if (cn_body_add(world, &body, &id, &err) != CN_OK) {
        return fail(&err);
    }
    for (int n = 0; n < 100; n++) {
        if (cn_world_step(world, 1e-3, &err) != CN_OK) {
            return fail(&err);
        }
    }
    cn_body_state state;
    if (cn_body_get(world, id, &state, &err) != CN_OK) {
        return fail(&err);
    }
    double depth = 0.5 * -def.gravity[1] * 0.1 * 0.1;
    printf("cairn %s: fell %.6f m\n", cn_version(), 1.0 - state.position[1]);
    cn_world_destroy(world);
    return fabs(1.0 - state.position[1] - depth) < 1e-12 ? 0 : 1;
}
