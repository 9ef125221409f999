// Replays the corpora of volume meshes: nothing may crash, bad files are refused with a reason, and
// good ones all fill the unit square or cube, whatever their elements, format and byte order.
#include <dirent.h>

#include "base/file.h"
#include "cairn/volume.h"
#include "fem/fem.h"
#include "test.h"

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

static void replay(const char *folder, const char *name, int *good_count)
{
    char path[1024];
    char *bytes = NULL;
    size_t length = 0;
    bool is_good = strncmp(name, "good", 4) == 0;
    bool is_plane = strstr(name, "_quad") != NULL || strstr(name, "_tri") != NULL;
    cn_volume *volume = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CN_DO(cn_file_bytes(path, FUZZ_BYTES_MAX, &bytes, &length, &test_error));
    LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
    cn_error err = {0};
    cn_status status = cn_volume_parse(name, bytes, length, is_plane ? 2 : 3, 1.0, &volume, &err);
    free(bytes);
    test_count++;
    *good_count += is_good;
    if (is_good != (status == CN_OK) || (!is_good && strstr(err.text, name) == NULL)) {
        test_failures++;
        printf("%s: %s: %s\n", path, cn_status_name(status), err.text);
    }
    for (const char *c = err.text; *c != '\0'; c++) { // nothing in a file steers a terminal
        CN_TRUE((unsigned char)*c >= ' ' && *c != 127);
    }
    if (volume != NULL && is_good) {
        check_content(volume, path);
        bool has_foot = strstr(name, "hex") != NULL || strstr(name, "tet") != NULL;
        CN_TRUE(!has_foot || cn_volume_group_count(volume) == 2);
    }
    cn_volume_destroy(volume);
}

static void replay_folder(const char *folder)
{
    DIR *open = opendir(folder);
    CN_TRUE(open != NULL);
    int count = 0, good_count = 0;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] != '.') {
            replay(folder, entry->d_name, &good_count);
            count++;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    CN_TRUE(count >= 20 && good_count >= 13);
}

CN_TEST(corpora_are_read)
{
    replay_folder(CAIRN_SOURCE_DIR "/tests/fuzz/corpus/volume_msh");
    replay_folder(CAIRN_SOURCE_DIR "/tests/fuzz/corpus/volume_vtu");
}

CN_MAIN(CN_RUN(corpora_are_read);)
