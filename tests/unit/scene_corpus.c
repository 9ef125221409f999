// Replays the corpus of the fuzz target: nothing may crash, whatever the file; good ones are good.
#include "../fuzz/fuzz_scene.c"
#include "corpus.h"

static cn_status read_one(const char *name, bool is_good, const uint8_t *bytes, size_t size,
                          void *context, cn_error *err)
{
    (void)is_good, (void)context;
    LLVMFuzzerTestOneInput(bytes, size);
    cn_scene *scene = NULL;
    cn_status status = read_in_memory(name, (const char *)bytes, size, &scene, err);
    cn_scene_destroy(scene);
    return status;
}

CN_TEST(corpus_is_read)
{
    corpus_replay("scene", 20, 8, read_one, NULL);
}

CN_MAIN(CN_RUN(corpus_is_read);)
