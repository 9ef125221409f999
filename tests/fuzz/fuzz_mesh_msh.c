// Fuzz target of the MSH reader.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= FUZZ_BYTES_MAX) {
        try_surface(CN_SURFACE_MSH, data, size);
    }
    return 0;
}
