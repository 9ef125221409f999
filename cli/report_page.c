// cli/report_page.c -- the page of a report: marks, tables, and pictures as data.
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:60rem;margin:2rem auto;"
    "padding:0 1rem}\n"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid #bbb}\n"
    "h3{font-size:1.05rem;margin-top:1.6rem}\n"
    "table{border-collapse:collapse;font-size:.86rem;margin:.6rem 0}\n"
    "th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd}\n"
    "th:first-child,td:first-child{text-align:left}\n"
    ".facts td{text-align:left}\n"
    "figure{margin:1rem 0}figure img{max-width:100%;border:1px solid #ddd}\n"
    "figcaption{font-size:.86rem;color:#555}\n"
    "pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.8rem;white-space:pre-wrap}\n"
    ".verdict{border-left:6px solid #2b7a4b;background:#eef6f1;padding:.6rem 1rem}\n"
    ".missed{border-color:#b3261e;background:#fbeeed}\n"
    "@media print{body{max-width:none;margin:0;font-size:10pt}figure,tr{break-inside:avoid}"
    "h2,h3{break-after:avoid}section{break-before:page}section:first-of-type{break-before:auto}}\n";

void cn_report_text(FILE *page, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '&':
            fputs("&amp;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        default:
            fputc((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t' ? *c : '?', page);
        }
    }
}

void cn_report_begin(FILE *page, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          page);
    cn_report_text(page, title);
    fprintf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    cn_report_text(page, title);
    fputs("</h1>\n", page);
}

void cn_report_end(FILE *page)
{
    fprintf(page, "<p>Made by cairn %s.</p>\n</body>\n</html>\n", cn_version());
}

void cn_report_row(FILE *page, const char *mark, int count, const char *const *cell)
{
    fputs("<tr>", page);
    for (int k = 0; k < count; k++) {
        fprintf(page, "<%s>", mark);
        cn_report_text(page, cell[k]);
        fprintf(page, "</%s>", mark);
    }
    fputs("</tr>\n", page);
}

static void print_base64(FILE *page, const unsigned char *byte, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        unsigned long three = (unsigned long)byte[k] << 16;
        three |= k + 1 < size ? (unsigned long)byte[k + 1] << 8 : 0;
        three |= k + 2 < size ? byte[k + 2] : 0;
        for (int d = 0; d < 4; d++) {
            bool is_there = k + (size_t)d <= size;
            fputc(is_there ? digit[three >> (18 - 6 * d) & 63] : '=', page);
        }
    }
}

static unsigned char *read_whole(const char *path, size_t *size, cn_error *err)
{
    FILE *file = fopen(path, "rb");
    long end = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    unsigned char *byte = end > 0 ? malloc((size_t)end) : NULL;
    bool is_read = byte != NULL && fseek(file, 0, SEEK_SET) == 0 &&
                   fread(byte, 1, (size_t)end, file) == (size_t)end;
    if (file != NULL) {
        fclose(file);
    }
    if (!is_read) {
        cn_fail(err, CN_IO, "%s cannot be read: %s", path, strerror(errno));
        free(byte);
        return NULL;
    }
    *size = (size_t)end;
    return byte;
}

cn_status cn_report_picture(FILE *page, const char *path, const char *caption, cn_error *err)
{
    size_t size = 0;
    unsigned char *byte = read_whole(path, &size, err);
    if (byte == NULL) {
        return CN_IO;
    }
    fprintf(page, "<figure><img alt=\"");
    cn_report_text(page, caption);
    fprintf(page, "\" src=\"data:image/%s;base64,",
            cn_has_ending(path, ".svg") ? "svg+xml" : "png");
    print_base64(page, byte, size);
    fputs("\"><figcaption>", page);
    cn_report_text(page, caption);
    fputs("</figcaption></figure>\n", page);
    free(byte);
    return CN_OK;
}
