// validation/unpack.c
#include "unpack.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 512, NAME_SIZE = 100, SIZE_AT = 124, SIZE_LENGTH = 12, KIND_AT = 156 };

bool cn_folder_make(cn_book *book, char folder[CN_FOLDER_SIZE])
{
    const char *scratch = getenv("TMPDIR");
    snprintf(folder, CN_FOLDER_SIZE, "%.40s/cairn-XXXXXX", scratch != NULL ? scratch : "/tmp");
    if (mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        cn_book_failure(book, "no room for the files of a case");
    }
    return folder[0] != '\0';
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *at)
{
    (void)what, (void)kind, (void)at;
    return remove(path);
}

void cn_folder_remove(const char *folder)
{
    if (folder[0] != '\0') {
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
}

// Copies the bytes of one file; what an archive holds comes in blocks.
static bool copy_file(gzFile archive, const char *path, long size)
{
    char block[BLOCK];
    FILE *to = fopen(path, "wb");
    bool done = to != NULL;
    for (long left = size; done && left > 0; left -= BLOCK) {
        size_t now = left < BLOCK ? (size_t)left : BLOCK;
        done = gzread(archive, block, BLOCK) == BLOCK && fwrite(block, 1, now, to) == now;
    }
    return to != NULL && fclose(to) == 0 && done;
}

// A folder or a plain file of the archive; others do not occur.
static bool take_entry(gzFile archive, const char header[BLOCK], const char *folder)
{
    char path[CN_FOLDER_SIZE + NAME_SIZE + 2], size[SIZE_LENGTH + 1] = {0};
    snprintf(path, sizeof path, "%s/%.*s", folder, NAME_SIZE, header);
    memcpy(size, header + SIZE_AT, SIZE_LENGTH);
    if (header[KIND_AT] == '5') {
        return mkdir(path, 0700) == 0;
    }
    return header[KIND_AT] == '0' && copy_file(archive, path, strtol(size, NULL, 8));
}

bool cn_unpack_model(cn_book *book, const char *name, const char *folder)
{
    char path[512], header[BLOCK];
    snprintf(path, sizeof path, "%s/%s.tar.gz", CAIRN_MODEL_FOLDER, name);
    gzFile archive = gzopen(path, "rb");
    bool done = archive != NULL;
    while (done && gzread(archive, header, BLOCK) == BLOCK && header[0] != '\0') {
        done = take_entry(archive, header, folder);
    }
    if (archive != NULL) {
        gzclose(archive);
    }
    if (!done) {
        cn_book_failure(book, cn_name(book, "cannot unpack %s", path));
    }
    return done;
}

bool cn_write_text(cn_book *book, const char *path, const char *text, bool is_added)
{
    FILE *to = fopen(path, is_added ? "ab" : "wb");
    bool done = to != NULL && fputs(text, to) >= 0;
    done = to != NULL && fclose(to) == 0 && done;
    if (!done) {
        cn_book_failure(book, cn_name(book, "cannot write %s", path));
    }
    return done;
}
