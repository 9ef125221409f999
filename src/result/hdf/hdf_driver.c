// result/hdf/hdf_driver.c
#include "result/hdf/hdf_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result/hdf/header_check.h"

#define ADDRESS_MAX ((haddr_t)INT64_MAX)

// `eoa` is how far HDF5 has given out addresses, `eof` how far the file reaches [byte].
typedef struct disk_file {
    H5FD_t common; // must come first
    int descriptor;
    bool is_read_only;
    haddr_t eoa, eof;
    haddr_t rest_at; // where the header that HDF5 has begun to read goes on; 0: nowhere
    size_t rest;
    cn_disk *disk;
} disk_file;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t address_max)
{
    (void)address_max;
    cn_disk *const *disk = H5Pget_driver_info(access);
    disk_file *file = calloc(1, sizeof *file);
    int mode = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | O_CLOEXEC |
               (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) | (flags & H5F_ACC_CREAT ? O_CREAT : 0) |
               (flags & H5F_ACC_EXCL ? O_EXCL : 0);
    int descriptor = file != NULL && disk != NULL ? open(name, mode, 0666) : -1;
    struct stat state;
    if (descriptor < 0 || fstat(descriptor, &state) != 0) {
        if (disk != NULL) {
            (*disk)->code = errno;
        }
        free(file);
        return NULL;
    }
    file->descriptor = descriptor;
    file->is_read_only = (flags & H5F_ACC_RDWR) == 0;
    file->eof = (haddr_t)state.st_size;
    file->disk = *disk;
    return &file->common;
}

static herr_t close_file(H5FD_t *common)
{
    disk_file *file = (disk_file *)common;
    close(file->descriptor);
    free(file);
    return 0;
}

static herr_t query(const H5FD_t *common, unsigned long *flags)
{
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    // HDF5 asks once without a file. The two buffers help when writing; when reading, addresses of
    // damaged files make HDF5 copy between them and nowhere.
    if (common == NULL || !((const disk_file *)common)->is_read_only) {
        *flags |= H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE;
    }
    return 0;
}

static haddr_t get_eoa(const H5FD_t *common, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)common)->eoa;
}

static herr_t set_eoa(H5FD_t *common, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((disk_file *)common)->eoa = address;
    return 0;
}

static haddr_t get_eof(const H5FD_t *common, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)common)->eof;
}

// A part of an object's header has a signature and a checksum at least. HDF5 takes the length of
// one that another part names as it is, and of less than its checksum it sums up all memory [byte].
enum { HEADER_LEAST = 8 };

// Whether HDF5 may read these bytes of a header. It guesses the length of a first part and reads
// the rest of a longer one, which may be a few bytes, right afterwards.
static bool may_read_header(disk_file *file, haddr_t address, size_t size)
{
    if (file->rest > 0 && address == file->rest_at && size == file->rest) {
        file->rest = 0;
        return true;
    }
    uint64_t length = cn_header_length(file->descriptor, address);
    file->rest = length > size ? (size_t)(length - size) : 0;
    file->rest_at = address + size;
    return size >= HEADER_LEAST && cn_header_is_sound(file->descriptor, address);
}

// Beyond the end of a file that is being written there are zeros. Nothing that was committed lies
// beyond the end of one that is only read: there it is damage, which must not cost memory.
static herr_t read_bytes(H5FD_t *common, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                         void *bytes)
{
    (void)list;
    disk_file *file = (disk_file *)common;
    char *at = bytes;
    if (type == H5FD_MEM_OHDR && file->is_read_only && !may_read_header(file, address, size)) {
        file->disk->is_refused = true;
        return -1;
    }
    while (size > 0) {
        ssize_t count = pread(file->descriptor, at, size, (off_t)address);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return -1;
        }
        if (count == 0 && file->is_read_only) {
            return -1;
        }
        if (count == 0) {
            memset(at, 0, size);
            return 0;
        }
        at += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
    return 0;
}

static void cut(disk_file *file)
{
    file->disk->code = errno;
    file->disk->is_cut = true;
}

static herr_t write_bytes(H5FD_t *common, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                          const void *bytes)
{
    (void)type;
    (void)list;
    disk_file *file = (disk_file *)common;
    haddr_t end = address + size;
    const char *at = bytes;
    while (size > 0 && !file->disk->is_cut) {
        ssize_t count = pwrite(file->descriptor, at, size, (off_t)address);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            cut(file);
            break;
        }
        at += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
    file->eof = end > file->eof ? end : file->eof;
    return 0;
}

static herr_t truncate_file(H5FD_t *common, hid_t list, hbool_t is_closing)
{
    (void)list;
    (void)is_closing;
    disk_file *file = (disk_file *)common;
    if (file->eoa != file->eof && !file->disk->is_cut &&
        ftruncate(file->descriptor, (off_t)file->eoa) != 0) {
        cut(file);
    }
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver = {
    .name = "cairn",
    .maxaddr = ADDRESS_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(cn_disk *),
    .open = open_file,
    .close = close_file,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool cn_disk_use(hid_t access, cn_disk *disk)
{
    disk->driver = H5FDregister(&driver);
    return disk->driver > 0 && H5Pset_driver(access, disk->driver, &disk) >= 0;
}

void cn_disk_done(cn_disk *disk)
{
    if (disk->driver > 0) {
        H5Idec_ref(disk->driver);
    }
    disk->driver = 0;
}
