// Replays the corpora of the geometry readers: nothing may crash; good ones are read, bad ones not.
#include <dirent.h>

#include "../fuzz/fuzz_mesh.h"
#include "base/file.h"
#include "test.h"

static void replay(cn_surface_format format, const char *folder, const char *name, int *good_count)
{
    char path[1024];
    char *bytes = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CN_DO(cn_file_bytes(path, FUZZ_BYTES_MAX, &bytes, &length, &test_error));
    cn_status status = try_surface(format, (const uint8_t *)bytes, length);
    free(bytes);
    bool is_good = strncmp(name, "good", 4) == 0;
    *good_count += is_good ? 1 : 0;
    test_count++;
    if (is_good != (status == CN_OK)) {
        test_failures++;
        printf("%s: %s\n", path, cn_status_name(status));
    }
}

static void replay_folder(cn_surface_format format, const char *folder)
{
    DIR *open = opendir(folder);
    CN_TRUE(open != NULL);
    int count = 0, good_count = 0;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] != '.') {
            replay(format, folder, entry->d_name, &good_count);
            count++;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    CN_TRUE(count >= 15 && good_count >= 7);
}

CN_TEST(corpora_are_read)
{
    replay_folder(CN_SURFACE_STL, CAIRN_SOURCE_DIR "/tests/fuzz/corpus/mesh_stl");
    replay_folder(CN_SURFACE_OBJ, CAIRN_SOURCE_DIR "/tests/fuzz/corpus/mesh_obj");
    replay_folder(CN_SURFACE_PLY, CAIRN_SOURCE_DIR "/tests/fuzz/corpus/mesh_ply");
    replay_folder(CN_SURFACE_MSH, CAIRN_SOURCE_DIR "/tests/fuzz/corpus/mesh_msh");
}

CN_MAIN(CN_RUN(corpora_are_read);)
