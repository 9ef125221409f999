// export/vtk.c
#include "export/vtk.h"

#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#define BLOCK_BYTES ((size_t)1 << 18) // compressed separately, as the format wants it

static size_t type_size(cn_vtk_type type)
{
    return type == CN_VTK_INT32 || type == CN_VTK_FLOAT32 ? 4 : 8;
}

static const char *type_name(cn_vtk_type type)
{
    static const char *const name[] = {"Float64", "Float32", "Int64", "Int32", "String"};
    return name[type];
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? "LittleEndian" : "BigEndian";
}

void cn_vtk_clear(cn_vtk *vtk)
{
    vtk->array_count = 0;
    vtk->size = 0;
}

void cn_vtk_free(cn_vtk *vtk)
{
    CN_RELEASE(vtk->array, vtk->bytes);
    *vtk = (cn_vtk){0};
}

// Appends one compressed block; its compressed size goes to *size.
static cn_status add_block(cn_vtk *vtk, const unsigned char *bytes, size_t count, uint64_t *size,
                           cn_error *err)
{
    uLong room = compressBound((uLong)count);
    CN_TRY(cn_reserve(NULL, &vtk->bytes, &vtk->capacity, vtk->size + room, err));
    if (compress2(vtk->bytes + vtk->size, &room, bytes, (uLong)count, 1) != Z_OK) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory while compressing %zu bytes", count);
    }
    vtk->size += room;
    *size = room;
    return CN_OK;
}

// Header: number of blocks, their size, size of a shorter last block (0: none), compressed sizes.
static cn_status add_bytes(cn_vtk *vtk, const unsigned char *bytes, size_t count, cn_error *err)
{
    size_t whole = count / BLOCK_BYTES;
    size_t rest = count % BLOCK_BYTES;
    size_t blocks = whole + (rest > 0);
    size_t header = vtk->size;
    size_t header_size = (3 + blocks) * sizeof(uint64_t);
    CN_TRY(cn_reserve(NULL, &vtk->bytes, &vtk->capacity, vtk->size + header_size, err));
    uint64_t start[3] = {blocks, BLOCK_BYTES, rest};
    memcpy(vtk->bytes + header, start, sizeof start);
    vtk->size += header_size;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t size = 0;
        size_t length = k < whole ? BLOCK_BYTES : rest;
        CN_TRY(add_block(vtk, bytes + k * BLOCK_BYTES, length, &size, err));
        memcpy(vtk->bytes + header + (3 + k) * sizeof size, &size, sizeof size);
    }
    return CN_OK;
}

static cn_status add_array(cn_vtk *vtk, cn_vtk_array array, const void *values, size_t size,
                           cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &vtk->array, &vtk->array_capacity, vtk->array_count + 1, err));
    array.offset = vtk->size;
    vtk->array[vtk->array_count++] = array;
    return add_bytes(vtk, values, size, err);
}

cn_status cn_vtk_add(cn_vtk *vtk, cn_vtk_array array, const void *values, cn_error *err)
{
    size_t size = array.tuples * (size_t)array.components * type_size(array.type);
    return add_array(vtk, array, values, size, err);
}

cn_status cn_vtk_add_texts(cn_vtk *vtk, cn_vtk_array array, const char *texts, size_t size,
                           cn_error *err)
{
    return add_array(vtk, array, texts, size, err);
}

// A name inside quotes; what XML would take for its own becomes a line.
static void print_name(cn_out *out, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        bool is_plain = (unsigned char)*at >= ' ' && strchr("<>&\"", *at) == NULL;
        cn_out_bytes(out, is_plain ? at : "_", 1);
    }
}

static void print_array(cn_out *out, const cn_vtk_array *a)
{
    cn_out_print(out, "<DataArray type=\"%s\" Name=\"", type_name(a->type));
    print_name(out, a->name);
    cn_out_print(out,
                 "\" NumberOfComponents=\"%d\" NumberOfTuples=\"%zu\" format=\"appended\" "
                 "offset=\"%zu\"/>\n",
                 a->components, a->tuples, a->offset);
}

static void print_section(cn_out *out, const cn_vtk *vtk, cn_vtk_place place, const char *tag)
{
    cn_out_print(out, "<%s>\n", tag);
    for (size_t k = 0; k < vtk->array_count; k++) {
        if (vtk->array[k].place == place) {
            print_array(out, &vtk->array[k]);
        }
    }
    cn_out_print(out, "</%s>\n", tag);
}

static size_t cell_count(const cn_vtk *vtk, cn_vtk_place place)
{
    for (size_t k = 0; k < vtk->array_count; k++) {
        if (vtk->array[k].place == place && strcmp(vtk->array[k].name, "offsets") == 0) {
            return vtk->array[k].tuples;
        }
    }
    return 0;
}

// The line that opens the piece, with its counts.
static void print_piece(cn_out *out, const cn_vtk *vtk, size_t points, size_t cells)
{
    if (cells > 0) {
        cn_out_print(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", points, cells);
        return;
    }
    cn_out_print(out,
                 "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
                 "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                 points, cell_count(vtk, CN_VTK_VERTS), cell_count(vtk, CN_VTK_POLYS));
}

cn_status cn_vtk_write(const cn_vtk *vtk, const char *folder, const char *name, size_t points,
                       cn_error *err)
{
    size_t cells = cell_count(vtk, CN_VTK_CELLS);
    const char *kind = cells > 0 ? "UnstructuredGrid" : "PolyData";
    cn_out out;
    CN_TRY(cn_out_open(folder, name, &out, err));
    cn_out_print(&out,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
                 "byte_order=\"%s\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
                 "<%s>\n",
                 kind, byte_order(), kind);
    print_section(&out, vtk, CN_VTK_FIELD, "FieldData");
    print_piece(&out, vtk, points, cells);
    print_section(&out, vtk, CN_VTK_POINT_DATA, "PointData");
    print_section(&out, vtk, CN_VTK_CELL_DATA, "CellData");
    print_section(&out, vtk, CN_VTK_POINTS, "Points");
    if (cells > 0) {
        print_section(&out, vtk, CN_VTK_CELLS, "Cells");
    } else {
        print_section(&out, vtk, CN_VTK_VERTS, "Verts");
        print_section(&out, vtk, CN_VTK_POLYS, "Polys");
    }
    cn_out_print(&out, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", kind);
    cn_out_bytes(&out, vtk->bytes, vtk->size);
    cn_out_print(&out, "\n</AppendedData>\n</VTKFile>\n");
    return cn_out_close(&out, NULL, NULL, err);
}
