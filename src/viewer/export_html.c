// viewer/export_html.c -- application and data in one file.
//
// The data stand in script elements of type text/plain, which browsers do not run, in base64: none
// of their characters means anything in HTML. Titles and names are inside, never in the page.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/viewer.h"
#include "export/export.h"
#include "viewer/page.h"
#include "viewer/viewer_scene.h"

#define MARK "<!--cairn-data-->" // where the data go in the page

static void print_base64(cn_out *out, const unsigned char *bytes, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4 * 1024];
    size_t used = 0;
    for (size_t k = 0; k < size; k += 3) {
        size_t rest = size - k < 3 ? size - k : 3;
        unsigned word = (unsigned)bytes[k] << 16 | (rest > 1 ? (unsigned)bytes[k + 1] << 8 : 0u) |
                        (rest > 2 ? bytes[k + 2] : 0u);
        text[used++] = digit[word >> 18];
        text[used++] = digit[word >> 12 & 63u];
        text[used++] = rest > 1 ? digit[word >> 6 & 63u] : '=';
        text[used++] = rest > 2 ? digit[word & 63u] : '=';
        if (used == sizeof text) {
            cn_out_bytes(out, text, used);
            used = 0;
        }
    }
    cn_out_bytes(out, text, used);
}

static void print_data(cn_out *out, const char *name, int number, const unsigned char *bytes,
                       size_t size)
{
    cn_out_print(out, "<script type=\"text/plain\" id=\"cairn-%s-%d\">", name, number);
    print_base64(out, bytes, size);
    cn_out_print(out, "</script>\n");
}

static cn_status print_blocks(cn_out *out, const char *name, int number, const cn_blocks *blocks,
                              cn_error *err)
{
    unsigned char *packed;
    size_t size;
    CN_TRY(cn_blocks_pack(blocks, &packed, &size, err));
    print_data(out, name, number, packed, size);
    free(packed);
    return CN_OK;
}

static cn_status print_meta(cn_out *out, cn_reader *reader, cn_error *err)
{
    char *json;
    size_t size;
    CN_TRY(cn_viewer_meta(reader, false, &json, &size, err));
    print_data(out, "meta", 0, (const unsigned char *)json, size);
    free(json);
    return CN_OK;
}

static cn_status print_all(cn_out *out, cn_reader *reader, cn_blocks *blocks, cn_error *err)
{
    double origin[3];
    CN_TRY(print_meta(out, reader, err));
    CN_TRY(cn_viewer_origin(reader, origin, err));
    CN_TRY(cn_viewer_shapes(reader, origin, blocks, err));
    CN_TRY(print_blocks(out, "shapes", 0, blocks, err));
    for (int k = 0; k < cn_reader_column_count(reader); k++) {
        CN_TRY(cn_viewer_series(reader, k, blocks, err));
        CN_TRY(print_blocks(out, "series", k, blocks, err));
    }
    for (int k = 0; k < cn_reader_summary(reader)->frames; k++) {
        CN_TRY(cn_viewer_frame(reader, k, origin, blocks, err));
        CN_TRY(print_blocks(out, "frame", k, blocks, err));
        CN_TRY(cn_viewer_contacts(reader, k, origin, blocks, err));
        CN_TRY(print_blocks(out, "contacts", k, blocks, err));
    }
    return CN_OK;
}

static cn_status write_page(cn_reader *reader, const char *page, size_t size, const char *path,
                            cn_error *err)
{
    const char *mark = strstr(page, MARK);
    if (mark == NULL) {
        return cn_fail(err, CN_BROKEN, "the embedded page of the viewer has no place for data");
    }
    cn_out out;
    cn_blocks blocks = {0};
    CN_TRY(cn_out_open(NULL, path, &out, err));
    cn_out_bytes(&out, page, (size_t)(mark - page));
    cn_status status = print_all(&out, reader, &blocks, err);
    cn_out_bytes(&out, mark, size - (size_t)(mark - page));
    cn_blocks_free(&blocks);
    return cn_out_close_all(status, &out, 1, NULL, NULL, err);
}

cn_status cn_export_html(cn_reader *reader, const char *path, cn_error *err)
{
    CN_NEED(err, reader, path);
    char *page;
    size_t size;
    CN_TRY(cn_page_text(&page, &size, err));
    cn_status status = write_page(reader, page, size, path, err);
    free(page);
    return status;
}
