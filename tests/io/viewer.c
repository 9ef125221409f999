// The viewer's server answers its routes, and nothing else; its data are those of the file.
#include <arpa/inet.h>
#include <sys/socket.h>

#include "cairn/cairn.h"
#include "files.h"
#include "scenes.h"
#include "show.h"
#include "test.h"
#include "viewer/array_blocks.h"
#include "viewer/viewer_scene.h"

typedef struct reply {
    int code;
    char *bytes; // head and body
    const char *body;
    size_t size; // of the body
} reply;

// Sends text as it is and reads until the server closes or has sent all it promised.
static reply ask_raw(int port, const char *text)
{
    reply r = {0};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 10};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    CN_TRUE(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
    CN_TRUE(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
    size_t used = 0, room = 1 << 20;
    r.bytes = calloc(1, room + 1);
    for (ssize_t got; (got = recv(fd, r.bytes + used, room - used, 0)) > 0;) {
        used += (size_t)got;
    }
    close(fd);
    sscanf(r.bytes, "HTTP/1.%*d %d", &r.code);
    const char *end = strstr(r.bytes, "\r\n\r\n");
    r.body = end != NULL ? end + 4 : r.bytes;
    r.size = used - (size_t)(r.body - r.bytes);
    return r;
}

static reply ask(const cn_viewer *v, const char *path)
{
    char text[512];
    int port = cn_viewer_port(v);
    snprintf(text, sizeof text,
             "GET %s?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", path,
             cn_viewer_token(v), port);
    return ask_raw(port, text);
}

static int code_of(reply r)
{
    free(r.bytes);
    return r.code;
}

static cn_viewer *start(const char *path)
{
    cn_viewer *viewer = NULL;
    CN_DO(cn_viewer_start(path, &(cn_viewer_def){0}, &viewer, &test_error));
    return viewer;
}

// Data of a block by its name, NULL if there is none.
static const void *find_block(const char *bytes, size_t size, const char *name, unsigned *count)
{
    static const size_t number[] = {0, 4, 4, 1, 8, 4};
    for (size_t at = 8; at + 48 <= size;) {
        unsigned head[3];
        memcpy(head, bytes + at + CN_BLOCK_NAME_SIZE, sizeof head);
        if (strcmp(bytes + at, name) == 0) {
            *count = head[2];
            return bytes + at + 48;
        }
        at += 48 + (number[head[0] & 7u] * head[1] * head[2] + 7) / 8 * 8;
    }
    return NULL;
}

CN_TEST(routes_answer)
{
    const char *path = files_path("plane.h5");
    CN_DO(show_write(path, &test_error));
    cn_viewer *v = start(path);
    reply page = ask(v, "/");
    CN_TRUE(page.code == 200 && strstr(page.bytes, "Content-Encoding: gzip") != NULL);
    reply meta = ask(v, "/api/meta");
    CN_TRUE(meta.code == 200 && strstr(meta.body, "\"dim\":2") != NULL &&
            strstr(meta.body, "\"frames\":3") != NULL &&
            strstr(meta.body, "series/height, of the \\\"disk\\\"") != NULL);
    reply live = ask(v, "/api/live");
    CN_TRUE(live.code == 200 && strstr(live.body, "\"complete\":true") != NULL);
    CN_TRUE(code_of(ask(v, "/api/shapes")) == 200 && code_of(ask(v, "/api/frame/2")) == 200 &&
            code_of(ask(v, "/api/series/0")) == 200);
    CN_TRUE(code_of(ask(v, "/api/frame/3")) == 404 && code_of(ask(v, "/api/contacts/3")) == 404 &&
            code_of(ask(v, "/api/series/9999")) == 404);
    free(page.bytes);
    free(meta.bytes);
    free(live.bytes);
    cn_viewer_stop(v);
}

// What a frame holds is what the reader gives, rounded to single precision.
CN_TEST(frames_are_those_of_the_file)
{
    const char *path = files_path("space.h5");
    CN_DO(show_write_world(path, show_space_world(), &test_error));
    cn_viewer *v = start(path);
    reply r = ask(v, "/api/frame/1");
    reply s = ask(v, "/api/contacts/1");
    cn_reader *reader = NULL;
    cn_frame f;
    CN_DO(cn_reader_open(path, &reader, &test_error));
    CN_DO(cn_reader_frame(reader, 1, &f, &test_error));
    unsigned bodies = 0, contacts = 0;
    const float *at = find_block(r.body, r.size, "body.at", &bodies);
    const float *c = find_block(s.body, s.size, "contact.at", &contacts);
    CN_TRUE(at != NULL && bodies == 5 && c != NULL && contacts == (unsigned)f.contact_count);
    for (int i = 0; at != NULL && i < f.body_count; i++) {
        for (int k = 0; k < 3; k++) {
            float value;
            memcpy(&value, at + 3 * i + k, sizeof value);
            CN_NEAR(value, f.q[7 * i + k], 2e-7, "single precision of a length of about 1 m");
        }
    }
    for (int a = 0; c != NULL && a < f.contact_count; a++) {
        float row[13];
        memcpy(row, c + 13 * a, sizeof row);
        const double *n = f.contact[a].normal;
        double r_n = row[6] * n[0] + row[7] * n[1] + row[8] * n[2];
        CN_NEAR(r_n, f.contact[a].r[0], 1e-6 * (1.0 + fabs(f.contact[a].r[0])),
                "impulse of the world along the normal");
    }
    free(r.bytes);
    free(s.bytes);
    cn_reader_close(reader);
    cn_viewer_stop(v);
}

static void write_scene(const char *path, const char *bodies)
{
    char text[1024];
    cn_scene *scene = NULL;
    cn_run_report report;
    cn_run_def def = cn_run_def_default();
    def.result_path = path;
    snprintf(text, sizeof text, "cairn: 1\n%sstages: [{step: 0.01, duration: 0.01}]\n", bodies);
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "mesh.yaml", .text = text}, NULL, NULL, &scene,
                        &test_error));
    if (scene != NULL) {
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    }
    cn_scene_destroy(scene);
}

// Two elements, of which the plane shows all; a cube of eight, of which space shows the outside.
CN_TEST(meshes_are_sent_as_triangles_and_nodes)
{
    static const struct {
        const char *scene;
        unsigned nodes, triangles, edges, elements;
    } cases[] = {
        {"dimension: 2\nmaterials: {gum: {density: 1, young: 1e5, poisson: 0.3}}\n"
         "bodies: {b: {mesh: {box: [2, 1], cells: [2, 1], elements: quad4}, material: gum}}\n",
         6, 4, 7, 2},
        {"dimension: 3\nmaterials: {gum: {density: 1, young: 1e5, poisson: 0.3}}\n"
         "bodies: {b: {mesh: {box: [1, 1, 1], cells: [2, 2, 2], elements: hex8}, material: gum}}\n",
         27, 48, 48, 8},
    };
    for (int k = 0; k < 2; k++) {
        const char *path = files_path(k == 0 ? "mesh2.h5" : "mesh3.h5");
        write_scene(path, cases[k].scene);
        cn_viewer *v = start(path);
        reply shapes = ask(v, "/api/shapes");
        reply frame = ask(v, "/api/frame/1");
        unsigned nodes = 0, triangles = 0, edges = 0, elements = 0, places = 0, stresses = 0;
        find_block(shapes.body, shapes.size, "mesh.node", &nodes);
        find_block(shapes.body, shapes.size, "mesh.triangle", &triangles);
        find_block(shapes.body, shapes.size, "mesh.edge", &edges);
        find_block(shapes.body, shapes.size, "mesh.element", &elements);
        find_block(frame.body, frame.size, "node.at", &places);
        find_block(frame.body, frame.size, "node.stress", &stresses);
        CN_TRUE(nodes == cases[k].nodes && triangles == cases[k].triangles &&
                edges == cases[k].edges && elements == cases[k].elements);
        CN_TRUE(places == nodes && stresses == nodes);
        free(shapes.bytes);
        free(frame.bytes);
        cn_viewer_stop(v);
    }
}

CN_TEST(strangers_are_refused)
{
    const char *path = files_path("plane.h5");
    CN_DO(show_write(path, &test_error));
    cn_viewer *v = start(path);
    int port = cn_viewer_port(v);
    char text[256];
    CN_TRUE(code_of(ask_raw(port, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"
                                  "\r\n")) == 403);
    CN_TRUE(code_of(ask_raw(port, "GET / HTTP/1.0\r\n\r\n")) == 403);
    snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n",
             port);
    CN_TRUE(code_of(ask_raw(port, text)) == 403); // no token
    const char *const method[] = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"};
    for (int k = 0; k < 6; k++) {
        snprintf(
            text, sizeof text,
            "%s /api/meta?token=%s HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n",
            method[k], cn_viewer_token(v), port);
        CN_TRUE(code_of(ask_raw(port, text)) == 405);
    }
    const char *const path_of[] = {"/etc/passwd",    "/../../etc/passwd", "/api/frame/-1",
                                   "/api/frame/",    "/api/frame/1x",     "/api/frame/../meta",
                                   "/api/frame/%31", "/api/meta/",        "/api/frame/99999999999"};
    for (int k = 0; k < 9; k++) {
        CN_TRUE(code_of(ask(v, path_of[k])) == 404);
    }
    cn_viewer_stop(v);
}

CN_TEST(what_cannot_be_served_is_told)
{
    cn_viewer *v = NULL, *other = NULL;
    CN_FAILS(cn_viewer_start("nowhere.h5", &(cn_viewer_def){0}, &v, &test_error), CN_IO,
             "nowhere.h5");
    const char *text = files_path("text.h5"), *path = files_path("plane.h5");
    files_write(text, "this is no result", 17);
    CN_FAILS(cn_viewer_start(text, &(cn_viewer_def){0}, &v, &test_error), CN_BAD_INPUT, "text.h5");
    CN_DO(show_write(path, &test_error));
    CN_FAILS(cn_viewer_start(path, &(cn_viewer_def){.port = 70000}, &v, &test_error), CN_BAD_INPUT,
             "70000");
    v = start(path);
    CN_FAILS(
        cn_viewer_start(path, &(cn_viewer_def){.port = cn_viewer_port(v)}, &other, &test_error),
        CN_IO, "in use");
    cn_viewer_stop(v);
}

// A run that goes on: new frames are found, and the end.
CN_TEST(live_results_grow)
{
    const char *path = files_path("live.h5");
    cn_world *w = show_world();
    cn_writer *writer = NULL;
    CN_DO(show_start(path, w, &writer, &test_error));
    cn_viewer *v = NULL;
    CN_DO(cn_viewer_start(path, &(cn_viewer_def){.is_live = true}, &v, &test_error));
    reply before = ask(v, "/api/live");
    CN_TRUE(strstr(before.body, "\"frames\":1,") != NULL);
    CN_DO(show_steps(writer, w, 1, 20, &test_error));
    reply after = ask(v, "/api/live");
    CN_TRUE(strstr(after.body, "\"frames\":3,") != NULL &&
            strstr(after.body, "\"complete\":false") != NULL);
    CN_TRUE(code_of(ask(v, "/api/frame/2")) == 200);
    CN_DO(cn_writer_close(writer, w, "done", 0.0, &test_error));
    reply end = ask(v, "/api/live");
    CN_TRUE(strstr(end.body, "\"complete\":true") != NULL);
    free(before.bytes);
    free(after.bytes);
    free(end.bytes);
    cn_world_destroy(w);
    cn_viewer_stop(v);
}

// A file that becomes unreadable, and another run that takes its place.
CN_TEST(live_results_are_replaced)
{
    const char *path = files_path("replaced.h5"), *other = files_path("other.h5");
    CN_DO(show_write(path, &test_error));
    CN_DO(show_write_world(other, show_space_world(), &test_error));
    cn_viewer *v = NULL;
    CN_DO(cn_viewer_start(path, &(cn_viewer_def){.is_live = true}, &v, &test_error));
    files_write(path, "nothing of use", 14);
    CN_TRUE(code_of(ask(v, "/api/live")) == 503 && code_of(ask(v, "/api/frame/0")) == 503);
    CN_TRUE(code_of(ask(v, "/")) == 200);
    CN_TRUE(rename(other, path) == 0);
    reply live = ask(v, "/api/live"), meta = ask(v, "/api/meta");
    CN_TRUE(live.code == 200 && strstr(live.body, "\"run\":1,") != NULL);
    CN_TRUE(meta.code == 200 && strstr(meta.body, "\"dim\":3") != NULL);
    CN_TRUE(remove(path) == 0);
    CN_TRUE(code_of(ask(v, "/api/live")) == 200 && code_of(ask(v, "/api/frame/0")) == 200);
    free(live.bytes);
    free(meta.bytes);
    cn_viewer_stop(v);
}

// Equal blocks are one geometry; other ones are not.
CN_TEST(equal_shapes_are_sent_once)
{
    const char *path = files_path("blocks.h5");
    const double size[2][3] = {{0.4, 0.3, 0.2}, {0.4, 0.3, 0.25}};
    cn_world *w = scene_space(0.3, 0.0, 1e-10);
    for (int k = 0; k < 6; k++) {
        const double at[3] = {(double)k, 0.0, 1.0};
        scene_block(w, at, size[k == 5], NULL, 0);
    }
    CN_DO(show_write_world(path, w, &test_error));
    cn_reader *reader = NULL;
    cn_blocks blocks = {0};
    CN_DO(cn_reader_open(path, &reader, &test_error));
    CN_DO(cn_viewer_shapes(reader, (const double[3]){0.0, 0.0, 0.0}, &blocks, &test_error));
    unsigned starts = 0, triangles = 0;
    const char *bytes = (const char *)blocks.bytes;
    find_block(bytes, blocks.size, "geometry.start", &starts);
    find_block(bytes, blocks.size, "geometry.triangle", &triangles);
    CN_TRUE(starts == 3 && triangles == 24);
    cn_blocks_free(&blocks);
    cn_reader_close(reader);
}

CN_TEST(a_page_holds_all)
{
    const char *path = files_path("plane.h5"), *html = files_path("plane.html");
    CN_DO(show_write(path, &test_error));
    cn_reader *reader = NULL;
    CN_DO(cn_reader_open(path, &reader, &test_error));
    CN_DO(cn_export_html(reader, html, &test_error));
    CN_FAILS(cn_export_html(reader, "no/such/folder.html", &test_error), CN_IO, "no/such");
    cn_reader_close(reader);
    size_t size;
    char *page = files_read(html, &size);
    CN_TRUE(page != NULL && strstr(page, "id=\"cairn-frame-2\"") != NULL &&
            strstr(page, "id=\"cairn-contacts-2\"") != NULL &&
            strstr(page, "id=\"cairn-shapes-0\"") != NULL && strstr(page, "</html>") != NULL);
    free(page);
}

int main(int argc, char **argv)
{
    test_filter = argc > 1 ? argv[1] : NULL;
    if (cn_viewer_is_built()) {
        CN_RUN(routes_answer);
        CN_RUN(frames_are_those_of_the_file);
        CN_RUN(meshes_are_sent_as_triangles_and_nodes);
        CN_RUN(strangers_are_refused);
        CN_RUN(what_cannot_be_served_is_told);
        CN_RUN(live_results_grow);
        CN_RUN(live_results_are_replaced);
    }
    CN_RUN(equal_shapes_are_sent_once);
    CN_RUN(a_page_holds_all);
    files_remove();
    return test_failures > 0 || test_count == 0;
}
