// Replays the corpus of the fuzz target: nothing may crash, whatever the file; good ones are good.
#include <dirent.h>
#include <stdlib.h>

#include "../fuzz/fuzz_scene.c"
#include "scene/report.h"
#include "test.h"

static cn_status replay(const char *path, const char *name)
{
    cn_arena arena = {0};
    const char *text = NULL;
    size_t length = 0;
    CN_DO(cn_file_read(path, 1 << 20, &arena, &text, &length, &test_error));
    LLVMFuzzerTestOneInput((const uint8_t *)text, length);
    cn_scene *scene = NULL;
    cn_status status = read_in_memory(name, text, length, &scene, &test_error);
    cn_scene_destroy(scene);
    cn_arena_free(&arena);
    return status;
}

CN_TEST(corpus_is_read)
{
    const char *folder = CAIRN_SOURCE_DIR "/tests/fuzz/corpus/scene";
    DIR *open = opendir(folder);
    CN_TRUE(open != NULL);
    int count = 0, good_count = 0;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        char path[1024];
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        cn_status status = replay(path, entry->d_name);
        bool is_good = strncmp(entry->d_name, "good", 4) == 0;
        count++;
        good_count += is_good ? 1 : 0;
        test_count++;
        if (is_good != (status == CN_OK)) {
            test_failures++;
            printf("%s: %s: %s\n", entry->d_name, cn_status_name(status), test_error.text);
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    CN_TRUE(count >= 20 && good_count >= 8);
}

CN_MAIN(CN_RUN(corpus_is_read);)
