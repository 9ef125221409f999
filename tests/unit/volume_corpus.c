// Replays the corpora of volume meshes: nothing may crash, bad files are refused with a reason, and
// good ones all fill the unit square or cube, whatever their elements, format and byte order.
#include "cairn/mesh.h"
#include "corpus.h"
#include "fem/assembly/fem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#include "../fuzz/fuzz_volume_msh.c"

// Content of the mesh; wrong middle nodes would change it or turn elements inside out.
static void check_content(const cn_volume *volume, const char *path)
{
    cn_mesh_def mesh = *cn_volume_mesh(volume);
    cn_material_def material = cn_material_def_default();
    cn_fem *fem = NULL;
    material.density = material.young = 1.0;
    mesh.material_count = 1;
    mesh.material = &material;
    CN_DO(cn_fem_create(NULL, &mesh, &fem, &test_error));
    if (fem != NULL) {
        CN_NEAR(fem->volume, 1.0, 1e-14, path);
        CN_NEAR(fem->total_mass, 1.0, 1e-14, path);
        for (int f = 0; f < fem->face_count; f++) { // straight edges: middles lie midway
            const int *node = fem->face_node + fem->face_start[f];
            int count = fem->face_start[f + 1] - fem->face_start[f], corners = count / 2;
            bool has_middles = fem->face_type[f] != CN_QUAD4 && count >= 6;
            for (int k = 0; k < (has_middles ? fem->dim * corners : 0); k++) {
                int d = k % fem->dim, c = k / fem->dim;
                double ends =
                    fem->X[fem->dim * node[c] + d] + fem->X[fem->dim * node[(c + 1) % corners] + d];
                CN_NEAR(fem->X[fem->dim * node[corners + c] + d], 0.5 * ends, 1e-15, path);
            }
        }
    }
    cn_fem_destroy(fem);
}

static cn_status read_one(const char *name, bool is_good, const uint8_t *bytes, size_t size,
                          void *context, cn_error *err)
{
    (void)context;
    bool is_plane = strstr(name, "_quad") != NULL || strstr(name, "_tri") != NULL;
    cn_volume *volume = NULL;
    LLVMFuzzerTestOneInput(bytes, size);
    cn_status status = cn_volume_parse(name, bytes, size, is_plane ? 2 : 3, 1.0, &volume, err);
    CN_TRUE(is_good || strstr(err->text, name) != NULL);
    for (const char *c = err->text; *c != '\0'; c++) { // nothing in a file steers a terminal
        CN_TRUE((unsigned char)*c >= ' ' && *c != 127);
    }
    if (volume != NULL && is_good) {
        check_content(volume, name);
        bool has_foot = strstr(name, "hex") != NULL || strstr(name, "tet") != NULL;
        CN_TRUE(!has_foot || cn_volume_group_count(volume) == 2);
    }
    cn_volume_destroy(volume);
    return status;
}

CN_TEST(corpora_are_read)
{
    corpus_replay("volume_msh", 20, 13, read_one, NULL);
    corpus_replay("volume_vtu", 20, 13, read_one, NULL);
}

CN_MAIN(CN_RUN(corpora_are_read);)
