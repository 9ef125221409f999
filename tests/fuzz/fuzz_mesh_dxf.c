// Fuzz target of the DXF reader.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= FUZZ_BYTES_MAX) {
        try_surface(CN_SURFACE_DXF, data, size);
    }
    return 0;
}
