// geometry/surface/doctor/defect.c -- what the defects are called and what can be done about them.
#include "cairn/surface.h"

typedef struct about {
    const char *name, *remedy;
    bool is_error;
} about;

static const about abouts[CN_DEFECT_COUNT] = {
    [CN_DEFECT_OPEN_EDGE] =
        {"open edge",
         "a hole or a crack: --fix --weld DISTANCE closes cracks, holes must be "
         "filled in the program that made the file",
         true},
    [CN_DEFECT_CROWDED_EDGE] =
        {"edge of more than two triangles",
         "--fix parts bodies that touch along an edge; walls inside must be taken out in the "
         "program that made the file",
         true},
    [CN_DEFECT_CROWDED_VERTEX] = {"vertex where separate surfaces meet",
                                  "--fix parts bodies that touch in a point", true},
    [CN_DEFECT_ORIENTATION] = {"edge between triangles that face opposite ways",
                               "--fix turns them to one side", true},
    [CN_DEFECT_INVERTED] = {"part turned inside out", "--fix turns its triangles", true},
    [CN_DEFECT_DEGENERATE] = {"triangle without area",
                              "--fix removes it; if it has a short edge, --fix --weld DISTANCE",
                              true},
    [CN_DEFECT_DUPLICATE] = {"triangle given twice", "--fix removes the later one", true},
    [CN_DEFECT_INTERSECTION] = {"pair of triangles that cross or overlap",
                                "unite the bodies in the program that made the file", true},
    [CN_DEFECT_SLIVER] = {"sliver", "mesh again if contact on it matters", false},
    [CN_DEFECT_DUPLICATE_VERTEX] = {"vertex given twice", "--fix joins those of one surface",
                                    false},
    [CN_DEFECT_UNUSED_VERTEX] = {"vertex of no triangle", "--fix removes it", false},
    [CN_DEFECT_PARTS] = {"separate part beyond the first",
                         "several bodies, or a cavity, in one file: is that meant?", false},
    [CN_DEFECT_UNIT] = {"implausible size",
                        "lengths are metres: give --scale 0.001 for a file in millimetres", false},
};

const char *cn_defect_name(cn_defect defect)
{
    return abouts[defect].name;
}

const char *cn_defect_remedy(cn_defect defect)
{
    return abouts[defect].remedy;
}

bool cn_defect_is_error(cn_defect defect)
{
    return abouts[defect].is_error;
}

int64_t cn_surface_error_count(const cn_surface_report *report)
{
    if (report == NULL) {
        return 0;
    }
    int64_t count = 0;
    for (int k = 0; k < CN_DEFECT_COUNT; k++) {
        count += abouts[k].is_error ? report->count[k] : 0;
    }
    return count;
}
