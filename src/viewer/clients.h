// viewer/clients.h -- connections of the viewer's server: idle ones never keep others out.
//
// More than CN_CLIENTS_KEPT connections at a time are more than a browser opens. Then the one that
// was answered longest ago is closed, those that never were, for want of a request or of the token,
// before all others. All calls come from the one thread of the server.
#pragma once

#include <stdbool.h>

#include "viewer/http_library.h"

#define CN_CLIENTS_KEPT 24
#define CN_CLIENTS_MAX 256 // that may arrive before the first ones are gone

typedef struct cn_client {
    int socket;
    bool is_open, is_closing;
    unsigned long long served;  // number of its last answer, 0: none
    unsigned long long arrived; // number of its arrival
} cn_client;

typedef struct cn_clients {
    const cn_http *http; // of the server
    cn_client client[CN_CLIENTS_MAX];
    unsigned long long count; // of arrivals and answers
} cn_clients;

// For MHD_OPTION_NOTIFY_CONNECTION.
void cn_clients_notify(void *context, struct MHD_Connection *connection, void **slot,
                       enum MHD_ConnectionNotificationCode code);

// A request of this connection was a rightful one.
void cn_clients_served(cn_clients *clients, struct MHD_Connection *connection);
