// load/ground_record.h -- a record while it is read.
#pragma once

#include "cairn/record.h"

// What the lines before the first number say; 0: nothing.
typedef struct cn_record_header {
    int64_t count; // NPTS, NDATA
    double dt;     // [s]
    cn_record_unit unit;
} cn_record_header;

// Reads one line of a header into what is known so far. (load/record_header.c)
void cn_record_header_line(const char *line, size_t length, cn_record_header *header);

// Taper, baseline, band and scale of a record in place. (load/record_motion.c)
cn_status cn_record_correct(const cn_record_def *def, cn_record *record, cn_error *err);

// Keeps what is between two frequencies; 0: no end there. (load/record_band.c)
cn_status cn_record_filter(const double band[2], cn_record *record, cn_error *err);
