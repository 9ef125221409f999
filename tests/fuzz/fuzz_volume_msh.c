// Fuzz target of the reader of volume meshes: what is accepted is a mesh whose numbers are all
// there, what is refused says why.
#include <math.h>
#include <stdlib.h>

#include "cairn/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_BYTES_MAX = 1 << 16 };

static void verify(const cn_mesh_def *mesh)
{
    for (int k = 0; k < mesh->element_start[mesh->element_count]; k++) {
        if (mesh->element_node[k] < 0 || mesh->element_node[k] >= mesh->node_count) {
            abort();
        }
    }
    for (int s = 0; s < mesh->set_count; s++) {
        for (int k = 0; k < mesh->set[s].node_count; k++) {
            if (mesh->set[s].node[k] < 0 || mesh->set[s].node[k] >= mesh->node_count) {
                abort();
            }
        }
        for (int k = 0; k < 2 * mesh->set[s].side_count; k += 2) {
            if (mesh->set[s].side[k] < 0 || mesh->set[s].side[k] >= mesh->element_count) {
                abort();
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int dim = 2; dim <= 3 && size <= FUZZ_BYTES_MAX; dim++) {
        cn_error err = {0};
        cn_volume *volume = NULL;
        cn_status status = cn_volume_parse("fuzz", data, size, dim, 1.0, &volume, &err);
        if ((status == CN_OK) != (volume != NULL) || (status != CN_OK && err.text[0] == '\0')) {
            abort();
        }
        if (volume != NULL) {
            verify(cn_volume_mesh(volume));
        }
        cn_volume_destroy(volume);
    }
    return 0;
}
