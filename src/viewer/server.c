// viewer/server.c -- serves one result, or two beside each other, to browsers of this machine.
//
// One thread of the HTTP library does everything, so that the reader has one user. Nothing of a
// request reaches the file system: paths are compared with a fixed list, numbers are parsed. The
// Host header is checked, so that a page of a stranger, whose name has been made to mean this
// machine, learns nothing; and the token, so that other users of this machine do not either.
#include "cairn/viewer.h"

#include "base/memory.h"
#include "viewer/page.h"
#include "viewer/viewer_scene.h"

#ifdef CN_HAS_SERVER

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "viewer/clients.h"

#define SECONDS_IDLE 10u
#define TOKEN_SIZE 33                        // 128 bits in hexadecimal, and the final zero
#define MEMORY_OF_REQUEST ((size_t)32 << 10) // longer requests are refused by the library

#define RESULTS_MAX 2

typedef struct served {
    char *path;
    bool is_live;
    cn_reader *reader; // NULL: could not be opened again; tried at the next look
    double origin[3];
    int run;          // counts files that took the place of the one before
    struct stat seen; // of the file that is open
} served;

struct cn_viewer {
    served result[RESULTS_MAX];
    int result_count, port;
    unsigned long long mark;
    cn_http http;
    struct MHD_Daemon *daemon;
    char token[TOKEN_SIZE];
    cn_clients clients;
};

typedef struct answer {
    unsigned code;
    const char *type;
    unsigned char *bytes; // malloc, or NULL with `fixed`
    const unsigned char *fixed;
    size_t size;
    bool is_gzip, is_tagged;
} answer;

bool cn_viewer_is_built(void)
{
    return true;
}

static answer fail(unsigned code, const char *text)
{
    answer a = {.code = code, .type = "text/plain; charset=utf-8"};
    a.bytes = (unsigned char *)strdup(text);
    a.size = a.bytes != NULL ? strlen(text) : 0;
    return a;
}

static answer fail_with(cn_status status, const cn_error *err)
{
    return fail(status == CN_BAD_INPUT ? 404u : 500u, err->text);
}

static answer give_blocks(cn_status status, cn_blocks *blocks, const cn_error *err)
{
    if (status != CN_OK) {
        cn_blocks_free(blocks);
        return fail_with(status, err);
    }
    return (answer){.code = 200,
                    .type = "application/octet-stream",
                    .bytes = blocks->bytes,
                    .size = blocks->size,
                    .is_tagged = true};
}

static answer give_page(served *s, int number)
{
    (void)s;
    (void)number;
    answer a = {.code = 200, .type = "text/html; charset=utf-8", .is_gzip = true};
    a.fixed = cn_page_bytes(&a.size);
    return a;
}

static answer give_meta(served *s, int number)
{
    (void)number;
    cn_error err = {0};
    answer a = {.code = 200, .type = "application/json"};
    char *json;
    cn_status status = cn_viewer_meta(s->reader, s->is_live, &json, &a.size, &err);
    a.bytes = (unsigned char *)json;
    return status == CN_OK ? a : fail_with(status, &err);
}

static answer give_shapes(served *s, int number)
{
    (void)number;
    cn_error err = {0};
    cn_blocks blocks = {0};
    answer a = give_blocks(cn_viewer_shapes(s->reader, s->origin, &blocks, &err), &blocks, &err);
    a.is_tagged = false; // bodies may be added
    return a;
}

static answer give_frame(served *s, int number)
{
    cn_error err = {0};
    cn_blocks blocks = {0};
    cn_status status = cn_viewer_frame(s->reader, number, s->origin, &blocks, &err);
    return give_blocks(status, &blocks, &err);
}

static answer give_contacts(served *s, int number)
{
    cn_error err = {0};
    cn_blocks blocks = {0};
    cn_status status = cn_viewer_contacts(s->reader, number, s->origin, &blocks, &err);
    return give_blocks(status, &blocks, &err);
}

static answer give_series(served *s, int number)
{
    cn_error err = {0};
    cn_blocks blocks = {0};
    answer a = give_blocks(cn_viewer_series(s->reader, number, &blocks, &err), &blocks, &err);
    a.is_tagged = false; // steps are added
    return a;
}

static answer give_live(served *s, int number)
{
    (void)number;
    const cn_summary *r = cn_reader_summary(s->reader);
    char text[160];
    snprintf(text, sizeof text, "{\"run\":%d,\"frames\":%d,\"steps\":%lld,\"complete\":%s}", s->run,
             r->frames, (long long)r->steps, r->is_complete ? "true" : "false");
    answer a = fail(200, text);
    a.type = "application/json";
    return a;
}

// Every address there is. Those that end in a slash are followed by a number.
static const struct route {
    const char *path;
    answer (*give)(served *s, int number);
    bool is_numbered, is_free; // free: needs no result
} routes[] = {
    {"/", give_page, false, true},
    {"/api/meta", give_meta, false, false},
    {"/api/shapes", give_shapes, false, false},
    {"/api/frame/", give_frame, true, false},
    {"/api/contacts/", give_contacts, true, false},
    {"/api/series/", give_series, true, false},
    {"/api/live", give_live, false, false},
};

// Digits only, at most nine of them; -1: something else.
static int parse_number(const char *text)
{
    size_t length = strspn(text, "0123456789");
    return length > 0 && length < 10 && text[length] == '\0' ? (int)strtol(text, NULL, 10) : -1;
}

static const struct route *find_route(const char *url, int *number)
{
    for (size_t k = 0; k < sizeof routes / sizeof routes[0]; k++) {
        const struct route *r = &routes[k];
        size_t length = strlen(r->path);
        *number =
            r->is_numbered && strncmp(url, r->path, length) == 0 ? parse_number(url + length) : -1;
        if (r->is_numbered ? *number >= 0 : strcmp(url, r->path) == 0) {
            return r;
        }
    }
    return NULL;
}

static bool is_our_name(const cn_viewer *v, const char *host)
{
    char name[2][40];
    snprintf(name[0], sizeof name[0], "127.0.0.1:%d", v->port);
    snprintf(name[1], sizeof name[1], "localhost:%d", v->port);
    return host != NULL && (strcmp(host, name[0]) == 0 || strcmp(host, name[1]) == 0);
}

// Takes as long for a near miss as for any other.
static bool has_token(const cn_viewer *v, const char *given)
{
    unsigned char differs = given == NULL || strlen(given) != TOKEN_SIZE - 1;
    for (int k = 0; !differs && k < TOKEN_SIZE - 1; k++) {
        differs |= (unsigned char)(given[k] ^ v->token[k]);
    }
    return differs == 0;
}

// Whether a request calls this machine by its name and brings the token.
static bool is_allowed(const cn_viewer *v, struct MHD_Connection *connection)
{
    const char *host = v->http.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *token = v->http.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    return is_our_name(v, host) && has_token(v, token);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static cn_status open_result(served *s, cn_error *err)
{
    stat(s->path, &s->seen);
    CN_TRY(cn_reader_open(s->path, &s->reader, err));
    return cn_viewer_origin(s->reader, s->origin, err);
}

// A run that has just begun may be writing; a file that is not there is not waited for.
static cn_status open_patiently(served *s, cn_error *err)
{
    enum { TRIES = 60, PAUSE = 50000 }; // [us]
    struct stat seen;
    cn_status status = open_result(s, err);
    for (int k = 0; k < TRIES && status != CN_OK && s->is_live && stat(s->path, &seen) == 0; k++) {
        usleep(PAUSE);
        cn_reader_close(s->reader);
        s->reader = NULL;
        status = open_result(s, err);
    }
    return status;
}

// Opens the file again if it has grown or another one has taken its place. It must be closed first:
// HDF5 would give us what it remembers.
static void look_again(served *s)
{
    struct stat now;
    if (stat(s->path, &now) != 0) {
        return; // a run that starts again; what is open can still be read
    }
    bool is_old = s->reader != NULL && is_same_file(&now, &s->seen) &&
                  now.st_size == s->seen.st_size && now.st_mtim.tv_sec == s->seen.st_mtim.tv_sec &&
                  now.st_mtim.tv_nsec == s->seen.st_mtim.tv_nsec;
    if (is_old) {
        return;
    }
    s->run += !is_same_file(&now, &s->seen);
    cn_reader_close(s->reader);
    s->reader = NULL;
    if (open_result(s, NULL) != CN_OK) {
        cn_reader_close(s->reader);
        s->reader = NULL;
    }
}

// A run writes while we read: what cannot be read may be half written. Opens the file anew and asks
// again, a few times.
static answer give_live_frame(served *s, const struct route *route, int number)
{
    enum { TRIES = 6, PAUSE = 50000 }; // [us]
    answer a = route->give(s, number);
    for (int k = 0; k < TRIES && s->is_live && a.code >= 400; k++) {
        usleep(PAUSE);
        s->seen = (struct stat){.st_ino = s->seen.st_ino, .st_dev = s->seen.st_dev};
        look_again(s);
        if (s->reader != NULL) {
            free(a.bytes);
            a = route->give(s, number);
        }
    }
    return a;
}

// The result that a request asks for by ?result=1; the first one if it names none or another.
static int result_of(const cn_viewer *v, struct MHD_Connection *connection)
{
    const char *text = v->http.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "result");
    int number = text != NULL ? parse_number(text) : 0;
    return number > 0 && number < v->result_count ? number : 0;
}

static answer make_answer(served *s, const char *url, const char *method, bool allowed)
{
    if (!allowed) {
        return fail(403, "this is served to this machine only, at the address that 'cairn view' "
                         "prints, with its token\n");
    }
    if (strcmp(method, "GET") != 0) {
        return fail(405, "only GET is answered\n");
    }
    int number;
    const struct route *route = find_route(url, &number);
    if (route == NULL) {
        return fail(404, "there is nothing at this address\n");
    }
    if (s->is_live && (route->give == give_live || s->reader == NULL)) {
        look_again(s);
    }
    if (s->reader == NULL && !route->is_free) {
        return fail(503, "the result cannot be read just now\n");
    }
    return give_live_frame(s, route, number);
}

static void add_headers(const cn_http *http, const answer *a, struct MHD_Response *response,
                        const char *tag)
{
    const char *const header[][2] = {
        {"Content-Type", a->type},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "SAMEORIGIN"}, // two results beside each other
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", a->is_tagged ? "private, no-cache" : "no-store"},
        {a->is_tagged ? "ETag" : NULL, tag},
        {a->is_gzip ? "Content-Encoding" : NULL, "gzip"},
        {a->code == 405 ? "Allow" : NULL, "GET"},
    };
    for (size_t k = 0; k < sizeof header / sizeof header[0]; k++) {
        if (header[k][0] != NULL) {
            http->add_response_header(response, header[k][0], header[k][1]);
        }
    }
}

static enum MHD_Result send_answer(const cn_http *http, struct MHD_Connection *connection,
                                   answer *a, const char *tag)
{
    void *bytes = a->fixed != NULL ? (void *)a->fixed : a->bytes;
    struct MHD_Response *response = http->create_response_from_buffer(
        a->size, bytes, a->fixed != NULL ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(a->bytes);
        return MHD_NO;
    }
    add_headers(http, a, response, tag);
    enum MHD_Result done = http->queue_response(connection, a->code, response);
    http->destroy_response(response);
    return done;
}

// Frames do not change while their file is the same one.
static bool is_known(const cn_http *http, struct MHD_Connection *connection, const char *url,
                     const char *tag)
{
    const char *given = http->lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    int number;
    const struct route *route = find_route(url, &number);
    return given != NULL && strcmp(given, tag) == 0 && route != NULL &&
           (route->give == give_frame || route->give == give_contacts);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    (void)version;
    (void)upload;
    cn_viewer *v = context;
    bool is_get = strcmp(method, "GET") == 0;
    if (is_get && *state == NULL) {
        *state = v; // the head is complete; answer when the rest of the request is
        return MHD_YES;
    }
    if (is_get && *upload_size > 0) {
        *upload_size = 0; // nobody asked for it
        return MHD_YES;
    }
    bool allowed = is_allowed(v, connection);
    if (allowed) {
        cn_clients_served(&v->clients, connection);
    }
    char tag[80];
    served *s = &v->result[result_of(v, connection)];
    snprintf(tag, sizeof tag, "\"%llx-%d-%d\"", v->mark, (int)(s - v->result), s->run);
    if (is_get && allowed && is_known(&v->http, connection, url, tag)) {
        answer same = {.code = 304, .type = "application/octet-stream", .is_tagged = true};
        same.fixed = (const unsigned char *)"";
        return send_answer(&v->http, connection, &same, tag);
    }
    answer a = make_answer(s, url, method, allowed);
    return send_answer(&v->http, connection, &a, tag);
}

// Our addresses need no escapes, so that none is taken apart: a zero could hide in it.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

// A socket that only this machine can reach; *port is the one it got.
static cn_status listen_at(int *port, int *socket_fd, cn_error *err)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)*port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_done = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                   bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 32) == 0 &&
                   getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    if (!is_done) {
        int code = errno;
        if (fd >= 0) {
            close(fd);
        }
        return cn_fail(
            err, CN_IO, "cannot listen on port %d of this machine: %s%s", *port, strerror(code),
            code == EADDRINUSE ? "; choose another one, or none for any that is free" : "");
    }
    *port = ntohs(address.sin_port);
    *socket_fd = fd;
    return CN_OK;
}

static cn_status make_token(char token[TOKEN_SIZE], cn_error *err)
{
    unsigned char bytes[(TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return cn_fail(err, CN_IO, "no random numbers for the address of the viewer: %s",
                       strerror(errno));
    }
    for (size_t k = 0; k < sizeof bytes; k++) {
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    }
    return CN_OK;
}

static cn_status start_daemon(cn_viewer *v, cn_error *err)
{
    int fd = -1;
    CN_TRY(cn_http_load(&v->http, err));
    v->clients.http = &v->http;
    CN_TRY(listen_at(&v->port, &fd, err));
    v->daemon = v->http.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, handle, v,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CN_CLIENTS_MAX,
        MHD_OPTION_NOTIFY_CONNECTION, cn_clients_notify, &v->clients, MHD_OPTION_CONNECTION_TIMEOUT,
        SECONDS_IDLE, MHD_OPTION_CONNECTION_MEMORY_LIMIT, MEMORY_OF_REQUEST,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
    if (v->daemon == NULL) {
        close(fd);
        return cn_fail(err, CN_IO, "cannot start the server of the viewer: %s", strerror(errno));
    }
    return CN_OK;
}

static cn_status add_result(cn_viewer *v, const char *path, bool is_live, cn_error *err)
{
    served *s = &v->result[v->result_count];
    s->is_live = is_live;
    s->path = strdup(path);
    if (s->path == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the viewer");
    }
    v->result_count++;
    return open_patiently(s, err);
}

cn_status cn_viewer_start(const char *path, const cn_viewer_def *def, cn_viewer **viewer,
                          cn_error *err)
{
    CN_NEED(err, path, def, viewer);
    *viewer = NULL;
    if (def->port < 0 || def->port > 65535) {
        return cn_fail(err, CN_BAD_INPUT, "a port is a number from 0 to 65535, got %d", def->port);
    }
    cn_viewer *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the viewer");
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); // tells frames of this server from those of another
    v->mark = (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
    v->port = def->port;
    cn_status status = make_token(v->token, err);
    CN_THEN(status, add_result(v, path, def->is_live, err));
    if (def->beside != NULL) {
        CN_THEN(status, add_result(v, def->beside, def->is_live, err));
    }
    CN_THEN(status, start_daemon(v, err));
    if (status != CN_OK) {
        cn_viewer_stop(v);
        return status;
    }
    *viewer = v;
    return CN_OK;
}

int cn_viewer_port(const cn_viewer *viewer)
{
    return viewer != NULL ? viewer->port : 0;
}

const char *cn_viewer_token(const cn_viewer *viewer)
{
    return viewer != NULL ? viewer->token : "";
}

void cn_viewer_stop(cn_viewer *viewer)
{
    if (viewer == NULL) {
        return;
    }
    if (viewer->daemon != NULL) {
        viewer->http.stop_daemon(viewer->daemon);
    }
    cn_http_unload(&viewer->http);
    for (int k = 0; k < viewer->result_count; k++) {
        cn_reader_close(viewer->result[k].reader);
        free(viewer->result[k].path);
    }
    free(viewer);
}

#else

bool cn_viewer_is_built(void)
{
    return false;
}

cn_status cn_viewer_start(const char *path, const cn_viewer_def *def, cn_viewer **viewer,
                          cn_error *err)
{
    CN_NEED(err, path, def, viewer);
    (void)def;
    *viewer = NULL;
    return cn_fail(err, CN_BAD_INPUT,
                   "%s: this program was built without the viewer's server (CAIRN_VIEWER=OFF); "
                   "'cairn export --html' writes a file that a browser opens",
                   path);
}

int cn_viewer_port(const cn_viewer *viewer)
{
    (void)viewer;
    return 0;
}

const char *cn_viewer_token(const cn_viewer *viewer)
{
    (void)viewer;
    return "";
}

void cn_viewer_stop(cn_viewer *viewer)
{
    (void)viewer;
}

#endif
