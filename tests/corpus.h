// tests/corpus.h -- replays a folder of tests/fuzz/corpus: files named good* are read, others not.
#pragma once

#include "base/read_file.h"
#include "test.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS_BYTES_MAX (1 << 24)

// What a reader makes of the bytes of the file `name`; may check more, and may say why in `err`.
typedef cn_status corpus_reader(const char *name, bool is_good, const uint8_t *bytes, size_t size,
                                void *context, cn_error *err);

static inline void corpus_replay_file(const char *folder, const char *name, bool is_good,
                                      corpus_reader *read, void *context)
{
    char path[1024];
    char *bytes = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CN_DO(cn_file_bytes(path, CORPUS_BYTES_MAX, &bytes, &size, &test_error));
    cn_error err = {0};
    cn_status status = read(name, is_good, (const uint8_t *)bytes, size, context, &err);
    free(bytes);
    test_count++;
    if (is_good != (status == CN_OK)) {
        test_failures++;
        printf("%s: %s: %s\n", path, cn_status_name(status), err.text);
    }
}

// Fails if there are fewer than count_least files, good_least of them good: the corpus was lost.
static inline void corpus_replay(const char *corpus, int count_least, int good_least,
                                 corpus_reader *read, void *context)
{
    char folder[512];
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", CAIRN_SOURCE_DIR, corpus);
    DIR *open = opendir(folder);
    CN_TRUE(open != NULL);
    int count = 0, good_count = 0;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] != '.') {
            bool is_good = strncmp(entry->d_name, "good", 4) == 0;
            corpus_replay_file(folder, entry->d_name, is_good, read, context);
            count++;
            good_count += is_good;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    CN_TRUE(count >= count_least && good_count >= good_least);
}
