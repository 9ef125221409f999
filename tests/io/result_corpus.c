// Replays the corpus of the fuzz target of results and checkpoints: nothing may crash, whatever the
// file; good ones are good.
#include <dirent.h>

#include "../fuzz/fuzz_result.c"
#include "files.h"
#include "test.h"

CN_TEST(corpus_is_read)
{
    const char *folder = CAIRN_SOURCE_DIR "/tests/fuzz/corpus/result";
    DIR *open = opendir(folder);
    CN_TRUE(open != NULL);
    int count = 0;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        char path[1024];
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t size = 0;
        char *bytes = files_read(path, &size);
        LLVMFuzzerTestOneInput((const uint8_t *)bytes, size);
        cn_status status = read_in_memory((const uint8_t *)bytes, size, &test_error);
        free(bytes);
        bool is_good = strncmp(entry->d_name, "good", 4) == 0;
        count += is_good;
        test_count++;
        if (is_good != (status == CN_OK)) {
            test_failures++;
            printf("%s: %s: %s\n", entry->d_name, cn_status_name(status), test_error.text);
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    CN_TRUE(count >= 5);
}

CN_MAIN(CN_RUN(corpus_is_read);)
