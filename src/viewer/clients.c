// viewer/clients.c
#ifdef CN_HAS_SERVER

#include "viewer/clients.h"

#include <stddef.h>
#include <sys/socket.h>

static bool is_before(const cn_client *a, const cn_client *b)
{
    return a->served != b->served ? a->served < b->served : a->arrived < b->arrived;
}

// Closes the one that is missed least if there are too many. The server notices and lets it go.
static void make_room(cn_clients *clients)
{
    cn_client *least = NULL;
    int open = 0;
    for (int k = 0; k < CN_CLIENTS_MAX; k++) {
        cn_client *c = &clients->client[k];
        if (c->is_open && !c->is_closing) {
            open++;
            least = least == NULL || is_before(c, least) ? c : least;
        }
    }
    if (open > CN_CLIENTS_KEPT) {
        least->is_closing = true;
        shutdown(least->socket, SHUT_RDWR);
    }
}

static void arrive(cn_clients *clients, struct MHD_Connection *connection, void **slot)
{
    const union MHD_ConnectionInfo *info =
        clients->http->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (int k = 0; info != NULL && k < CN_CLIENTS_MAX; k++) {
        cn_client *c = &clients->client[k];
        if (!c->is_open) {
            *c = (cn_client){
                .socket = info->connect_fd, .is_open = true, .arrived = ++clients->count};
            *slot = c;
            make_room(clients);
            return;
        }
    }
}

void cn_clients_notify(void *context, struct MHD_Connection *connection, void **slot,
                       enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        arrive(context, connection, slot);
    } else if (*slot != NULL) {
        *(cn_client *)*slot = (cn_client){0};
        *slot = NULL;
    }
}

void cn_clients_served(cn_clients *clients, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        clients->http->get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    cn_client *c = info != NULL ? info->socket_context : NULL;
    if (c != NULL) {
        c->served = ++clients->count;
    }
}

#else

typedef int cn_no_clients; // a file needs a declaration

#endif
