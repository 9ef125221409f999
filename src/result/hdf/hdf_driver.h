// result/hdf/hdf_driver.h -- where the bytes of HDF5 go: a file driver that keeps write errors away
// from it.
//
// HDF5 cannot be trusted to close a file after a failed write (datasets stay half released and the
// program crashes at its end). So a failed write is remembered here and reported to HDF5 as done;
// from then on nothing more reaches the file, which stays as it was at its last good write. The
// writer asks for the failure after each flush. Files that are only read go through it as well: it
// refuses addresses that a damaged file makes HDF5 look at.
#pragma once

#include <hdf5.h>

#include "cairn/base.h"

typedef struct cn_disk {
    hid_t driver;    // as HDF5 knows it, 0 before cn_disk_use
    int code;        // errno of the first write that failed, 0 if none has
    bool is_cut;     // nothing is written any more
    bool is_refused; // a header was read that HDF5 must not see
} cn_disk;

// Makes files opened with this access list go through the driver. `disk` must live until the file
// is closed. Returns whether it worked.
bool cn_disk_use(hid_t access, cn_disk *disk);

// The file is closed. HDF5 calls the driver once more after it has let go of it, so that ours must
// be the last hold on it.
void cn_disk_done(cn_disk *disk);
