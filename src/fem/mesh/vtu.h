// fem/mesh/vtu.h -- what the two files of the VTU reader share.
#pragma once

#include "fem/mesh/mesh_file.h"
#include "geometry/surface/read/cursor.h"

// Between < and >.
typedef struct cn_vtu_tag {
    const char *begin, *end;
} cn_vtu_tag;

typedef struct cn_vtu {
    cn_cursor *c;
    bool is_zlib, is_base64; // arrays are compressed; appended data are text
    int header_size;         // bytes of a count before binary data
    const char *appended;    // NULL: none
    unsigned char *unpacked; // of the array that is read
    size_t unpacked_capacity;
} cn_vtu;

// Value of an attribute, empty and false if it is not there.
bool cn_vtu_attribute(const cn_vtu_tag *tag, const char *name, char text[CN_WORD_MAX + 1]);

// `count` numbers of the array with that tag, which the cursor is behind; appended ones lie
// elsewhere. The caller frees *to.
cn_status cn_vtu_array(cn_vtu *f, const cn_vtu_tag *tag, const char *name, int64_t count,
                       double **to);
