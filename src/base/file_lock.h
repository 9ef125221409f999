// base/file_lock.h -- where a file goes, and the right to write it (cairn/file.h).
//
// The claim is a lock on an open file description (fcntl, F_OFD_SETLK): it ends with the process,
// also after kill -9, and it does not meet the locks that HDF5 in other programs takes (flock). It
// lies on NAME.part, or on NAME itself; a newcomer asks for both, in this order, so that the rename
// from one to the other leaves no moment without it.
#pragma once

#include "cairn/file.h"

typedef enum cn_place_kind {
    CN_PLACE_FILE,  // a regular file, or none yet
    CN_PLACE_STREAM // a device, a pipe, a socket
} cn_place_kind;

// Follows links. *path is the file behind them (malloc), or the name as given for a stream.
cn_status cn_place_find(const char *name, cn_place_kind *kind, char **path, cn_error *err);

struct cn_claim {
    char *shown; // as the caller named it
    char *path;  // behind links
    char *part;
    int part_lock, path_lock; // descriptors, -1: none
};

// Whether somebody is writing the file.
bool cn_claim_is_held(const char *path);

// Fails, saying that the file is in use, if somebody is writing it.
cn_status cn_claim_check(const char *path, cn_error *err);

// An empty NAME.part that is ours; its name is claim->part.
cn_status cn_claim_begin(cn_claim *claim, cn_error *err);

// NAME.part takes the place of NAME. The claim stays.
cn_status cn_claim_publish(cn_claim *claim, cn_error *err);

// Removes NAME.part, if there is one. The claim stays if NAME is there.
void cn_claim_drop(cn_claim *claim);
