// Replays the corpora of the geometry readers: nothing may crash; good ones are read, bad ones not.
#include "../fuzz/fuzz_mesh.h"
#include "corpus.h"

static cn_status read_one(const char *name, bool is_good, const uint8_t *bytes, size_t size,
                          void *context, cn_error *err)
{
    (void)name, (void)is_good, (void)err;
    return try_surface(*(cn_surface_format *)context, bytes, size);
}

CN_TEST(corpora_are_read)
{
    static const char *const corpus[] = {"mesh_stl", "mesh_obj", "mesh_ply", "mesh_msh"};
    cn_surface_format format[] = {CN_SURFACE_STL, CN_SURFACE_OBJ, CN_SURFACE_PLY, CN_SURFACE_MSH};
    for (int k = 0; k < 4; k++) {
        corpus_replay(corpus[k], 15, 7, read_one, &format[k]);
    }
}

CN_TEST(drawings_are_read)
{
    cn_surface_format format = CN_SURFACE_DXF;
    corpus_replay("mesh_dxf", 4, 2, read_one, &format);
}

CN_MAIN(CN_RUN(corpora_are_read); CN_RUN(drawings_are_read);)
