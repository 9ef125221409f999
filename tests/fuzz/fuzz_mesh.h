// Fuzz targets of the geometry readers (tools/fuzz.sh): whatever is accepted is examined, repaired
// and examined again, and must then be made of what is there.
#pragma once

#include <stdlib.h>

#include "geometry/surface/doctor/doctor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_BYTES_MAX = 1 << 16, FUZZ_TRIANGLE_MAX = 1500 };

static void drop_line(void *context, const char *line)
{
    size_t *seen = context;
    while (*line != '\0') {
        *seen += (size_t)*line++;
    }
}

static void repair_and_verify(cn_surface *s, cn_surface_report *report)
{
    cn_error err = {0};
    size_t seen = 0;
    cn_surface_fix_def fix = cn_surface_fix_def_default();
    fix.told = drop_line;
    fix.context = &seen;
    fix.weld = 1e-6;
    cn_surface_check_def check = cn_surface_check_def_default();
    if (cn_surface_check(s, &check, report, &err) != CN_OK ||
        cn_surface_fix(s, &fix, report, &err) != CN_OK) {
        return; // coordinates beyond reason, or nothing left
    }
    if (cn_surface_validate(s, &err) != CN_OK || report->count[CN_DEFECT_DUPLICATE] > 0 ||
        report->count[CN_DEFECT_UNUSED_VERTEX] > 0 || report->count[CN_DEFECT_INVERTED] > 0) {
        abort();
    }
}

// Returns what the reader says.
static cn_status try_surface(cn_surface_format format, const uint8_t *data, size_t size)
{
    cn_error err = {0};
    cn_surface s;
    size_t seen = 0;
    cn_surface_def def = cn_surface_def_default();
    def.told = drop_line;
    def.context = &seen;
    cn_status status = cn_surface_parse("fuzz", format, data, size, &def, &s, &err);
    if (status != CN_OK) {
        if (s.vertex != NULL || err.text[0] == '\0') {
            abort();
        }
        return status;
    }
    cn_surface_report *report = malloc(sizeof *report);
    if (report != NULL && s.triangle_count <= FUZZ_TRIANGLE_MAX) {
        repair_and_verify(&s, report);
    }
    free(report);
    cn_surface_free(&s);
    return CN_OK;
}
