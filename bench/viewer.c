// bench/viewer.c -- what it costs to look at a result: a frame request at the server, the size of
// one page, exports beside the run that made the data.
//
// Budgets (docs/howto/viewer.md): a frame of 10^4 bodies in 20 ms, 100 frames of 1000 bodies in
// 20 MB, CSV and ParaView files in a tenth of the time of the run. The time to the first picture is
// measured in a browser by viewer/bench.mjs.
#include <arpa/inet.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "bench.h"
#include "cairn/viewer.h"
#include "viewer/viewer_scene.h"

#define REQUESTS 20
#define STEPS 200

static void check(cn_status status, const cn_error *err)
{
    if (status != CN_OK) {
        fprintf(stderr, "bench: %s\n", err->text);
        exit(1);
    }
}

// Random velocities, so that no two numbers of the file are alike.
static void shake(cn_world *w)
{
    uint64_t random = 5;
    cn_view view = cn_world_view(w);
    for (int i = 0; i < view.body_count; i++) {
        cn_body_state state = scene_state(w, view.id[i]);
        if (view.fixed[i] == 0) {
            for (int k = 0; k < 3; k++) {
                state.velocity[k] = 0.1 * (cn_random(&random) - 0.5);
                state.angular_velocity[k] = cn_random(&random) - 0.5;
            }
            cn_body_set(w, view.id[i], &state, NULL);
        }
    }
}

// Spheres on a lattice where each touches its neighbours, shaken and recorded; blocks as they
// stand: to solve for so many contacts would take longer than all the rest.
static void record(const char *path, int n, bool is_block, int frames)
{
    cn_error err = {0};
    cn_world *w = scene_space(0.3, 0.0, 1e-2);
    cn_writer *writer = NULL;
    cn_provenance p = {.title = "heap"};
    if (is_block) {
        bench_heap3(w, n, 0.05, true);
    } else {
        int side = (int)ceil(cbrt((double)n));
        scene_floor(w, 0.0);
        for (int k = 0; k < n; k++) {
            scene_sphere(w, 0.1 * (k % side), 0.1 * (k / side % side),
                         0.05 + 0.1 * (k / side / side), 0.05);
        }
    }
    if (!is_block) {
        shake(w);
    }
    check(cn_world_detect(w, 1e-3, &err), &err);
    check(cn_writer_create(path, &p, w, 0, NULL, &writer, &err), &err);
    for (int k = 1; k < frames; k++) {
        if (!is_block) {
            scene_run(w, 1e-3, 1);
            check(cn_writer_step(writer, w, NULL, &err), &err);
        }
        check(cn_writer_frame(writer, w, &err), &err);
    }
    check(cn_writer_close(writer, w, "done", 0.0, &err), &err);
    cn_world_destroy(w);
}

// Asks for a frame as a browser does; returns the bytes that came.
static size_t request(const cn_viewer *viewer, const char *what, int frame)
{
    char text[256], bytes[65536];
    int port = cn_viewer_port(viewer);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    snprintf(text, sizeof text,
             "GET /api/%s/%d?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
             what, frame, cn_viewer_token(viewer), port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    size_t used = 0;
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
        send(fd, text, strlen(text), MSG_NOSIGNAL) > 0) {
        for (ssize_t got; (got = recv(fd, bytes, sizeof bytes, 0)) > 0;) {
            used += (size_t)got;
        }
    }
    close(fd);
    return used;
}

static void time_server(const char *path, const char *what)
{
    char name[80], beside[80];
    cn_error err = {0};
    cn_reader *reader = NULL;
    cn_blocks blocks = {0};
    cn_frame f;
    double begin = bench_now();
    check(cn_reader_open(path, &reader, &err), &err);
    check(cn_viewer_shapes(reader, (const double[3]){0.0, 0.0, 0.0}, &blocks, &err), &err);
    snprintf(name, sizeof name, "open and shapes, %s", what);
    bench_report("viewer", name, 1e3 * (bench_now() - begin), "ms", "");
    check(cn_reader_frame(reader, 1, &f, &err), &err);
    snprintf(beside, sizeof beside, "%d bodies, %d contacts; budget 20 ms", f.body_count,
             f.contact_count);
    cn_reader_close(reader);
    cn_blocks_free(&blocks);
    cn_viewer *viewer = NULL;
    check(cn_viewer_start(path, &(cn_viewer_def){0}, &viewer, &err), &err);
    const char *const part[2] = {"frame", "contacts"};
    for (int p = 0; p < 2; p++) {
        size_t size = request(viewer, part[p], 1);
        begin = bench_now();
        for (int k = 0; k < REQUESTS; k++) {
            request(viewer, part[p], 1 + k % 2);
        }
        double spent = 1e3 * (bench_now() - begin) / REQUESTS;
        snprintf(name, sizeof name, "request of %s, %s", part[p], what);
        bench_report("viewer", name, spent, "ms", p == 0 ? beside : "");
        snprintf(name, sizeof name, "size of %s, %s", part[p], what);
        bench_report("viewer", name, 1e-6 * (double)size, "MB", "");
    }
    cn_viewer_stop(viewer);
}

static void weigh_page(const char *path, const char *what)
{
    char name[80];
    cn_error err = {0};
    cn_reader *reader = NULL;
    struct stat state = {0};
    check(cn_reader_open(path, &reader, &err), &err);
    double begin = bench_now();
    check(cn_export_html(reader, "bench-viewer.html", &err), &err);
    double spent = bench_now() - begin;
    cn_reader_close(reader);
    stat("bench-viewer.html", &state);
    snprintf(name, sizeof name, "page, %s", what);
    bench_report("viewer", name, 1e-6 * (double)state.st_size, "MB", "budget 20 MB");
    bench_report("viewer", "processor time of the export", spent, "s", "");
    unlink("bench-viewer.html");
}

// 10^4 disks that fall into a heap, a frame every 10 steps as in a run of 1000 steps and 100
// frames, of which the first fifth is enough for a ratio. Returns the processor time.
static double run_disks(const char *path)
{
    cn_error err = {0};
    cn_bench_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = bench_heap_world(10000, &bytes, &hooks);
    cn_writer *writer = NULL;
    cn_provenance p = {.title = "disks"};
    double begin = bench_now();
    check(cn_writer_create(path, &p, w, 0, NULL, &writer, &err), &err);
    for (int k = 1; k <= STEPS; k++) {
        check(cn_world_step(w, 1e-3, &err), &err);
        check(cn_writer_step(writer, w, NULL, &err), &err);
        if (k % 10 == 0) {
            check(cn_writer_frame(writer, w, &err), &err);
        }
    }
    check(cn_writer_close(writer, w, "done", 0.0, &err), &err);
    cn_world_destroy(w);
    return bench_now() - begin;
}

static int remove_entry(const char *path, const struct stat *state, int kind, struct FTW *place)
{
    (void)state;
    (void)kind;
    (void)place;
    return remove(path);
}

static void time_export(cn_reader *reader, const char *name, double run)
{
    typedef cn_status export_call(cn_reader *, const char *, cn_tell *, void *, cn_error *);
    export_call *call = strcmp(name, "CSV") == 0 ? cn_export_csv : cn_export_paraview;
    cn_error err = {0};
    char quantity[80], beside[80];
    double begin = bench_now();
    check(call(reader, "bench-export", NULL, NULL, &err), &err);
    double spent = bench_now() - begin;
    nftw("bench-export", remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    snprintf(quantity, sizeof quantity, "run over export to %s, 20 frames of 10^4 disks", name);
    snprintf(beside, sizeof beside, "%.1f s over %.2f s; at least 10", run, spent);
    bench_report("viewer", quantity, run / spent, "", beside);
}

static void time_exports(const char *path)
{
    cn_error err = {0};
    cn_reader *reader = NULL;
    double run = run_disks(path);
    check(cn_reader_open(path, &reader, &err), &err);
    time_export(reader, "CSV", run);
    time_export(reader, "ParaView", run);
    cn_reader_close(reader);
}

void bench_viewer(void)
{
    const char *path = "bench-viewer.h5";
    time_exports(path);
    record(path, 10000, false, 3);
    time_server(path, "10^4 spheres");
    record(path, 10000, true, 3);
    time_server(path, "10^4 blocks");
    record(path, 1000, false, 100);
    weigh_page(path, "100 frames of 1000 spheres");
    unlink(path);
}
