// Starter scenes are the examples, byte for byte.
#include "cairn/scene.h"
#include "test.h"

static bool is_same_as_file(const char *name, const char *ending, const char *text)
{
    char path[512], read[20000];
    snprintf(path, sizeof path, "%s/examples/%s%s", CAIRN_SOURCE_DIR, name, ending);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(read, 1, sizeof read, file);
    fclose(file);
    return length == strlen(text) && memcmp(read, text, length) == 0;
}

CN_TEST(every_starter_is_an_example)
{
    const char *const *name = cn_starter_names();
    int count = 0;
    for (; name[count] != NULL; count++) {
        const char *text = cn_starter_text(name[count]);
        CN_TRUE(text != NULL && is_same_as_file(name[count], ".yaml", text));
    }
    CN_TRUE(count >= 40 && strcmp(name[0], "wall") == 0);
}

CN_TEST(some_starters_come_with_data)
{
    const char *text = NULL, *file = cn_starter_data("house", &text);
    CN_TRUE(file != NULL && strcmp(file, "quake.csv") == 0 && is_same_as_file(file, "", text));
    CN_TRUE(cn_starter_data("wall", &text) == NULL);
}

CN_TEST(unknown_starters_are_null)
{
    CN_TRUE(cn_starter_text("cathedral") == NULL && cn_starter_text("") == NULL);
}

CN_MAIN(CN_RUN(every_starter_is_an_example); CN_RUN(some_starters_come_with_data);
        CN_RUN(unknown_starters_are_null);)
