// The ParaView export, read back by VTK itself (python3-vtk9); skipped where that is missing.
#include "show.h"
#include "test.h"

#define PYTHON "/usr/bin/python3"

// Exports what was written and has it checked against the weight of bodies `first` to `last`, which
// lie on the ground.
static void check_export(const char *kind, cn_body_id first, cn_body_id last)
{
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("show.h5"), &r, &test_error));
    CN_DO(cn_export_paraview(r, files_path(kind), NULL, NULL, &test_error));
    double weight = 0.0;
    for (cn_body_id id = first; id <= last; id++) {
        weight += 9.81 * cn_reader_mass(r, id);
    }
    cn_reader_close(r);
    char command[512];
    snprintf(command, sizeof command,
             PYTHON " " CAIRN_SOURCE_DIR "/tests/io/read_vtk.py %s %s %.17g", kind,
             files_path(kind), weight);
    CN_TRUE(system(command) == 0);
}

CN_TEST(vtk_reads_what_was_written)
{
    CN_DO(show_write(files_path("show.h5"), &test_error));
    check_export("plane", 3, 6);
}

CN_TEST(vtk_reads_results_in_space)
{
    CN_DO(show_write_world(files_path("show.h5"), show_space_world(), &test_error));
    check_export("space", 2, 5);
}

CN_MAIN(if (system(PYTHON " -c 'import vtk' 2> /dev/null") != 0) {
    return 77;
} CN_RUN(vtk_reads_what_was_written);
        CN_RUN(vtk_reads_results_in_space); files_remove();)
