/// cairn/file.h -- files are written whole, and by one writer at a time.
///
/// A file is written as NAME.part beside its place and takes it when it is complete; a symbolic
/// link stays, the file behind it is replaced. While one writer holds the claim on a name, every
/// other one is refused: "the file is in use". The claim is a lock that the system takes back when
/// the program ends, however that may be; readers are not kept out.
#pragma once

#include <stddef.h>

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The exclusive right to write one file.
typedef struct cn_claim cn_claim;

/// CN_IO: the file is in use by another writer, is a folder, a device or a pipe, or cannot be
/// written; CN_BAD_INPUT: the name is empty. *claim is NULL then.
CN_API cn_status cn_claim_take(const char *path, cn_claim **claim, cn_error *err);

/// Gives the right back; NULL is allowed. Whatever was not complete is removed.
CN_API void cn_claim_release(cn_claim *claim);

/// Writes bytes as a file, all of them or none, and brings it to the disk. Devices and pipes are
/// written to as they are.
CN_API cn_status cn_file_save(const char *path, const void *bytes, size_t size, cn_error *err);

#ifdef __cplusplus
}
#endif
