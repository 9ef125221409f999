// tests/unit/mesh_surfaces.h -- surfaces built from cubes, and what the doctor says of them.
#pragma once

#include "mesh_files.h"

// A cube of side `size` with its lower corner at x y z, written as OBJ; inside out if asked.
static inline void print_cube(file *f, double size, double x, double y, double z, bool is_inverted)
{
    for (int v = 0; v < 8; v++) {
        print(f, "v %.17g %.17g %.17g\n", x + size * cube_vertex(v, 0),
              y + size * cube_vertex(v, 1), z + size * cube_vertex(v, 2));
    }
    for (int n = 0; n < 6; n++) {
        print(f, "f");
        for (int k = 0; k < 4; k++) {
            print(f, " %d", cube_face[n][is_inverted ? 3 - k : k] - 8);
        }
        print(f, "\n");
    }
}

static inline cn_surface surface_of(const file *f)
{
    cn_surface s = {0};
    CN_DO(parse("a.obj", f, &s));
    return s;
}

static inline cn_surface surface_of_text(const char *text)
{
    cn_surface s = {0};
    CN_DO(parse_text("a.obj", text, &s));
    return s;
}

static cn_surface_report report; // of the last examination

static inline void examine(const cn_surface *s)
{
    cn_surface_check_def def = cn_surface_check_def_default();
    CN_DO(cn_surface_check(s, &def, &report, &test_error));
}

// Nothing but `count` of one kind may be found (CN_DEFECT_COUNT: nothing at all).
static inline void expect_only(const cn_surface *s, cn_defect defect, int64_t count)
{
    examine(s);
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        int64_t wanted = k == (int)defect ? count : 0;
        test_count++;
        if (report.count[k] != wanted) {
            test_failures++;
            printf("%s: %lld x %s, wanted %lld\n", test_name, (long long)report.count[k],
                   cn_defect_name((cn_defect)k), (long long)wanted);
        }
    }
}

#define CUBE                                                                                       \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"                     \
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
#define CUBE_LAST "f 4 1 5 8\n"
