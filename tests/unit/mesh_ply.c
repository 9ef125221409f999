// PLY: text and both byte orders, properties in any order and type, and damaged files.
#include "mesh_files.h"

typedef enum { TEXT, LITTLE, BIG } form;

// A value as text or in the byte order of the file.
static void put_value(file *f, form how, char type, double value)
{
    if (how == TEXT) {
        print(f, "%.9g ", value);
    } else if (type == 'c') {
        put_i8(f, (int)value);
    } else if (type == 's') {
        put_i16(f, (int)value);
    } else if (type == 'i') {
        put_i32(f, (int)value);
    } else if (type == 'f') {
        put_f32(f, value);
    } else {
        put_f64(f, value);
    }
}

// Vertices as z (double), a list of colours, y (float), x (short) and a quality; faces with a flag
// in front, and an element of edges between that nobody needs.
static void write_cube(file *f, form how, const char *count_type, const char *index_type,
                       const char *codes)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    *f = (file){.is_big = how == BIG};
    print(f, "ply\r\nformat %s 1.0\r\ncomment by hand\r\nobj_info none\r\n", names[how]);
    print(f, "element vertex 8\r\nproperty float64 z\r\nproperty list uchar uint8 colours\r\n");
    print(f, "property float y\r\nproperty short x\r\nproperty float32 quality\r\n");
    print(f, "element edge 1\r\nproperty int a\r\nproperty uint b\r\nelement nothing 5\r\n");
    print(f, "element face 6\r\nproperty ushort flag\r\nproperty list %s %s vertex_indices\r\n",
          count_type, index_type);
    print(f, "end_header\r\n");
    for (int v = 0; v < 8; v++) {
        put_value(f, how, 'd', cube_vertex(v, 2));
        put_value(f, how, 'c', 3.0);
        for (int k = 0; k < 3; k++) {
            put_value(f, how, 'c', 100.0);
        }
        put_value(f, how, 'f', cube_vertex(v, 1));
        put_value(f, how, 's', cube_vertex(v, 0));
        put_value(f, how, 'f', NAN);
    }
    put_value(f, how, 'i', 0.0);
    put_value(f, how, 'i', 1.0);
    for (int n = 0; n < 6; n++) {
        put_value(f, how, 's', 7.0);
        put_value(f, how, codes[0], 4.0);
        for (int k = 0; k < 4; k++) {
            put_value(f, how, codes[1], cube_face[n][k]);
        }
    }
}

CN_TEST(every_form_and_type)
{
    static file f;
    static const char *const types[][3] = {{"uchar", "int", "ci"},     {"uint8", "uint32", "ci"},
                                           {"int8", "ushort", "cs"},   {"int16", "int16", "ss"},
                                           {"uint", "char", "ic"},     {"uint16", "uint8", "sc"},
                                           {"int32", "float64", "id"}, {"ushort", "float", "sf"}};
    for (int k = 0; k < 8; k++) {
        for (int n = TEXT; n <= BIG; n++) {
            cn_surface s;
            write_cube(&f, (form)n, types[k][0], types[k][1], types[k][2]);
            CN_DO(parse("a.ply", &f, &s));
            expect_cube(&s);
            CN_TRUE(s.element[11] == 6 && s.group == NULL);
            cn_surface_free(&s);
        }
    }
}

// Cut anywhere, a file is refused; the binary ones say at which byte.
CN_TEST(cut_anywhere)
{
    static file f;
    for (int n = TEXT; n <= BIG; n++) {
        write_cube(&f, (form)n, "uchar", "int", "ci");
        size_t length = f.length - 2; // text ends in a digit and a blank
        for (size_t cut = 0; cut < length; cut++) {
            cn_surface s;
            CN_FAILS(parse_bytes("a.ply", f.byte, cut, &s), CN_BAD_INPUT, "a.ply");
        }
    }
    CN_TRUE(strstr(test_error.text, "byte") != NULL);
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define THREE "element vertex 3\n" XYZ
#define LIST "property list uchar int vertex_index\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

CN_TEST(headers_that_cannot_be_obeyed)
{
    REFUSED("a.ply", "solid\n", "begins with 'ply'");
    REFUSED("a.ply", "ply\nend_header\n", "no line 'format'");
    REFUSED("a.ply", "ply\nformat ebcdic 1.0\nend_header\n", "a.ply:2: the format is ascii");
    REFUSED("a.ply", HEAD "elephant\n", "a.ply:3: unknown line 'elephant'");
    REFUSED("a.ply", HEAD THREE, "no 'end_header'");
    REFUSED("a.ply", HEAD "property float x\n", "before the first element");
    REFUSED("a.ply", HEAD "element vertex many\n", "whole number");
    REFUSED("a.ply", HEAD "element vertex -1\n", "must be 0 to");
    REFUSED("a.ply", HEAD "element vertex 3\nproperty quad x\n", "unknown type 'quad'");
    REFUSED("a.ply", HEAD "element vertex 3\nproperty list uchar int x\n",
            "'x' must not be a list");
    REFUSED("a.ply", HEAD "element face 3\nproperty int vertex_index\n",
            "'vertex_index' must be a list");
    REFUSED("a.ply", HEAD "element face 3\nproperty list float int vertex_index\n", "whole type");
    REFUSED("a.ply", HEAD "element tristrips 1\n", "strips of triangles are not read");
    REFUSED("a.ply", HEAD THREE "property float x\nend_header\n" POINTS, "there twice");
    REFUSED("a.ply", HEAD THREE THREE "end_header\n" POINTS, "an element is there twice");
    REFUSED("a.ply", HEAD "element vertex 3\nproperty float x\nend_header\n", "no properties x, y");
    REFUSED("a.ply", HEAD THREE "element face 1\nend_header\n" POINTS, "no list vertex_indices");
    REFUSED("a.ply", HEAD "element face 1\n" LIST THREE "end_header\n", "must come before");
    static file f;
    cn_surface s;
    print(&f, HEAD);
    for (int k = 0; k < 65; k++) {
        print(&f, "element e%d 0\n", k);
    }
    CN_FAILS(parse("a.ply", &f, &s), CN_BAD_INPUT, "more than 64 elements");
    f.length = 0;
    print(&f, HEAD THREE);
    for (int k = 0; k < 257; k++) {
        print(&f, "property int p%d\n", k);
    }
    CN_FAILS(parse("a.ply", &f, &s), CN_BAD_INPUT, "more than 256 properties");
}

CN_TEST(rows_that_cannot_be_read)
{
    REFUSED("a.ply", HEAD THREE "end_header\n" POINTS, "holds no triangles");
    REFUSED("a.ply", HEAD "element vertex 200000000\n" XYZ "end_header\n" POINTS,
            "promises 200000000 rows");
    REFUSED("a.ply", HEAD THREE "end_header\n0 0 x\n", "a.ply:8: a coordinate should be a number");
#define FACE HEAD THREE "element face 1\n" LIST "end_header\n" POINTS
    REFUSED("a.ply", FACE "2 0 1\n", "a.ply:13: face 1 has 2 corners");
    REFUSED("a.ply", FACE "3 0 1 3\n", "a face names vertex 3; there are 3, counted from 0");
    REFUSED("a.ply", FACE "3 0 1 -1\n", "names vertex -1");
    REFUSED("a.ply", FACE "3 0 1 0.5\n", "names vertex 0.5");
    REFUSED("a.ply", FACE "3.5 0 1 2\n", "a list has 3.5 values");
    REFUSED("a.ply", FACE "-3 0 1 2\n", "a list has -3 values");
    REFUSED("a.ply", FACE "100000000 0 1 2\n", "more than the file can hold");
    REFUSED("a.ply", FACE "3 0 1", "more than the file can hold");
    REFUSED("a.ply", HEAD "element other 2\nproperty int a\nproperty int b\nend_header\n1 2 3",
            "ends within an element");
}

CN_MAIN(CN_RUN(every_form_and_type); CN_RUN(cut_anywhere); CN_RUN(headers_that_cannot_be_obeyed);
        CN_RUN(rows_that_cannot_be_read);)
