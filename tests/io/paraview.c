// The ParaView export, read back by VTK itself (python3-vtk9); skipped where that is missing.
#include "show.h"
#include "test.h"

#define PYTHON "/usr/bin/python3"

CN_TEST(vtk_reads_what_was_written)
{
    CN_DO(show_write(files_path("show.h5"), &test_error));
    cn_reader *r = NULL;
    CN_DO(cn_reader_open(files_path("show.h5"), &r, &test_error));
    CN_DO(cn_export_paraview(r, files_path("paraview"), NULL, NULL, &test_error));
    double weight = 0.0; // of all that lies on the ground
    for (cn_body_id id = 3; id <= 6; id++) {
        weight += 9.81 * cn_reader_mass(r, id);
    }
    cn_reader_close(r);
    char command[512];
    snprintf(command, sizeof command, PYTHON " " CAIRN_SOURCE_DIR "/tests/io/read_vtk.py %s %.17g",
             files_path("paraview"), weight);
    CN_TRUE(system(command) == 0);
}

CN_MAIN(if (system(PYTHON " -c 'import vtk' 2> /dev/null") != 0) {
    return 77;
} CN_RUN(vtk_reads_what_was_written);
        files_remove();)
