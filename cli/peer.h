// cli/peer.h -- solvers of other programs in the same table.
//
// A peer is a program called as  PROGRAM FILE TOL SECONDS  that prints one line per solver,
//     NAME CPU_SECONDS ERROR ITERATIONS converged|failed
// and exits with 0. It does its own timing; what else it prints is skipped.
#pragma once

#include "cairn/cairn.h"

typedef struct cn_peer_answer {
    char solver[64];
    double seconds, error;
    long long iterations;
    bool is_converged;
} cn_peer_answer;

// Runs a peer on a file and hands on each of its answers.
cn_status cn_peer_run(const char *program, const char *path, double tol, double max_seconds,
                      void (*take)(void *context, const cn_peer_answer *answer), void *context,
                      cn_error *err);
