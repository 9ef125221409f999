// Checkpoints: what goes in comes out, the one before is kept, damage is found.
#include "result/checkpoint.h"
#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"
#include "test.h"

static const double real[3] = {1.5, -0.0, 1e-300};
static const int64_t number[2] = {-7, INT64_MAX};
static const int32_t small[1] = {42};
static const signed char byte[5] = {1, -2, 3, -4, 5};

static cn_status save(const char *path, double first)
{
    double values[3] = {first, real[1], real[2]};
    cn_state_part state[3] = {
        {.name = "q", .element_size = 8, .is_real = true, .count = 3, .data = values},
        {.name = "key", .element_size = 8, .count = 2, .data = number},
        {.name = "nothing", .element_size = 8, .is_real = true, .count = 0, .data = NULL},
    };
    cn_state_part extra[2] = {
        {.name = "stage", .element_size = 4, .count = 1, .data = small},
        {.name = "observers/flags", .element_size = 1, .count = 5, .data = byte},
    };
    return cn_checkpoint_save(path, state, 3, extra, 2, &test_error);
}

CN_TEST(parts_come_back_as_they_were)
{
    CN_DO(save(files_path("a.ckpt.h5"), 1.5));
    cn_checkpoint *c = NULL;
    CN_DO(cn_checkpoint_open(files_path("a.ckpt.h5"), &c, &test_error));
    int count;
    const cn_state_part *state = cn_checkpoint_state(c, &count);
    CN_TRUE(count == 3 && strcmp(state[0].name, "q") == 0 && state[0].is_real);
    CN_TRUE(state[0].count == 3 && memcmp(state[0].data, real, sizeof real) == 0);
    CN_TRUE(state[1].count == 2 && memcmp(state[1].data, number, sizeof number) == 0);
    CN_TRUE(!state[1].is_real && state[2].count == 0 && state[2].is_real);
    const cn_state_part *stage = cn_checkpoint_part(c, "stage");
    CN_TRUE(stage != NULL && stage->element_size == 4 && *(const int32_t *)stage->data == 42);
    const cn_state_part *flags = cn_checkpoint_part(c, "observers/flags");
    CN_TRUE(flags != NULL && memcmp(flags->data, byte, sizeof byte) == 0);
    CN_TRUE(cn_checkpoint_part(c, "q") == NULL && cn_checkpoint_part(c, "none") == NULL);
    cn_checkpoint_close(c);
}

static double first_number(const char *path)
{
    cn_checkpoint *c = NULL;
    CN_DO(cn_checkpoint_open(path, &c, &test_error));
    int count;
    double value = c != NULL ? *(const double *)cn_checkpoint_state(c, &count)->data : NAN;
    cn_checkpoint_close(c);
    return value;
}

// Small parts are stored in the header of their dataset, which HDF5 reads in two pieces where it is
// longer than it guessed: the second may be of a few bytes.
CN_TEST(parts_of_every_length_come_back)
{
    double values[80];
    signed char bytes[640];
    for (int k = 0; k < 80; k++) {
        values[k] = 0.1 * k;
    }
    for (int k = 0; k < 640; k++) {
        bytes[k] = (signed char)(k % 100);
    }
    for (int k = 0; k < 160; k++) {
        bool is_real = k < 80;
        size_t count = (size_t)(is_real ? k : 220 + (k - 80));
        cn_state_part part = {.name = "q",
                              .element_size = is_real ? 8 : 1,
                              .is_real = is_real,
                              .count = count,
                              .data = is_real ? (const void *)values : bytes};
        CN_DO(cn_checkpoint_save(files_path("n.ckpt.h5"), &part, 1, NULL, 0, &test_error));
        cn_checkpoint *c = NULL;
        CN_DO(cn_checkpoint_open(files_path("n.ckpt.h5"), &c, &test_error));
        if (c == NULL) {
            return;
        }
        int parts;
        const cn_state_part *back = cn_checkpoint_state(c, &parts);
        CN_TRUE(parts == 1 && back->count == count);
        CN_TRUE(count == 0 || memcmp(back->data, part.data, count * part.element_size) == 0);
        cn_checkpoint_close(c);
    }
}

CN_TEST(the_last_two_are_kept)
{
    const char *path = files_path("b.ckpt.h5");
    for (int k = 1; k <= 3; k++) {
        CN_DO(save(path, k));
    }
    CN_NEAR(first_number(path), 3.0, 0.0, "the last one");
    CN_NEAR(first_number(files_path("b.ckpt.h5.old")), 2.0, 0.0, "the one before");
    CN_TRUE(access(files_path("b.ckpt.h5.part"), F_OK) != 0);
}

// A flipped byte or a cut is found wherever it is, or it hit bytes that mean nothing.
CN_TEST(damage_is_found)
{
    CN_DO(save(files_path("c.ckpt.h5"), 1.5));
    size_t size = 0;
    char *bytes = files_read(files_path("c.ckpt.h5"), &size);
    const char *path = files_path("damaged.ckpt.h5");
    int found = 0;
    for (int k = 0; k < 200; k++) {
        size_t place = (size_t)k * size / 200;
        bytes[place] = (char)(bytes[place] ^ 0x10);
        files_write(path, bytes, size);
        bytes[place] = (char)(bytes[place] ^ 0x10);
        cn_checkpoint *c = NULL;
        cn_status status = cn_checkpoint_open(path, &c, &test_error);
        found += status != CN_OK;
        if (status == CN_OK) {
            int count;
            const cn_state_part *state = cn_checkpoint_state(c, &count);
            CN_TRUE(count == 3 && memcmp(state[0].data, real, sizeof real) == 0);
        } else {
            CN_TRUE((status == CN_IO || status == CN_BAD_INPUT) && test_error.text[0] != '\0');
        }
        cn_checkpoint_close(c);
    }
    CN_TRUE(found > 10);
    for (int k = 0; k < 50; k++) {
        files_write(path, bytes, (size_t)k * size / 50);
        cn_checkpoint *c = NULL;
        cn_status status = cn_checkpoint_open(path, &c, &test_error);
        CN_TRUE(status == CN_IO || status == CN_BAD_INPUT);
    }
    free(bytes);
}

// The bytes of a part are known, so that exactly they can be changed.
CN_TEST(a_wrong_checksum_names_the_part)
{
    CN_DO(save(files_path("d.ckpt.h5"), 1.25));
    size_t size = 0;
    char *bytes = files_read(files_path("d.ckpt.h5"), &size);
    double values[3] = {1.25, real[1], real[2]};
    char *place = memmem(bytes, size, values, sizeof values);
    CN_TRUE(place != NULL);
    *place = (char)(*place ^ 1);
    files_write(files_path("d.ckpt.h5"), bytes, size);
    free(bytes);
    cn_checkpoint *c = NULL;
    CN_FAILS(cn_checkpoint_open(files_path("d.ckpt.h5"), &c, &test_error), CN_BAD_INPUT,
             "part 'q' has a wrong checksum; try the one before");
}

CN_TEST(other_files_are_refused)
{
    cn_checkpoint *c = NULL;
    CN_FAILS(cn_checkpoint_open(files_path("none.h5"), &c, &test_error), CN_IO, "No such file");
    files_write(files_path("text.h5"), "hello", 5);
    CN_FAILS(cn_checkpoint_open(files_path("text.h5"), &c, &test_error), CN_BAD_INPUT,
             "not an HDF5 file (5 bytes)");
    CN_FAILS(cn_checkpoint_open(".", &c, &test_error), CN_IO, "not a file");
    CN_FAILS(save(files_path("none/a.h5"), 0.0), CN_IO, "No such file");
    cn_world *w = scene_world(0.3, 0.0, 1e-8);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_provenance provenance = {.title = "t"};
    cn_writer *writer = NULL;
    CN_DO(cn_writer_create(files_path("result.h5"), &provenance, w, 0, NULL, &writer, &test_error));
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    cn_world_destroy(w);
    CN_FAILS(cn_checkpoint_open(files_path("result.h5"), &c, &test_error), CN_BAD_INPUT,
             "not a cairn checkpoint");
}

static cn_world *make_pile(void)
{
    cn_world *w = scene_world(0.4, 0.0, 1e-8);
    scene_packing(w, 30, 0.05);
    return w;
}

// A run that was stopped and continued ends in the same bits.
CN_TEST(a_restarted_run_continues_bit_for_bit)
{
    cn_world *whole = make_pile();
    scene_run(whole, 1e-3, 60);
    CN_DO(cn_checkpoint_write(files_path("e.ckpt.h5"), whole, NULL, 0, &test_error));
    scene_run(whole, 1e-3, 60);
    cn_world *again = make_pile();
    cn_checkpoint *c = NULL;
    CN_DO(cn_checkpoint_open(files_path("e.ckpt.h5"), &c, &test_error));
    CN_DO(cn_checkpoint_restore(c, again, &test_error));
    scene_run(again, 1e-3, 60);
    CN_TRUE(cn_world_state_hash(whole) == cn_world_state_hash(again));
    cn_world *other = scene_world(0.4, 0.0, 1e-8);
    CN_TRUE(cn_checkpoint_restore(c, other, &test_error) == CN_BAD_INPUT);
    cn_checkpoint_close(c);
    cn_world_destroy(whole);
    cn_world_destroy(again);
    cn_world_destroy(other);
}

CN_MAIN(CN_RUN(parts_come_back_as_they_were); CN_RUN(parts_of_every_length_come_back);
        CN_RUN(the_last_two_are_kept); CN_RUN(damage_is_found);
        CN_RUN(a_wrong_checksum_names_the_part); CN_RUN(other_files_are_refused);
        CN_RUN(a_restarted_run_continues_bit_for_bit); files_remove();)
