// cli/json.c -- the few JSON forms the program prints.
#include "json.h"

#include <inttypes.h>
#include <math.h>

cn_json cn_json_begin(FILE *out)
{
    fputc('{', out);
    return (cn_json){out, false};
}

static void write_key(cn_json *json, const char *key)
{
    fputs(json->has_member ? ", " : "", json->out);
    if (key != NULL) {
        fprintf(json->out, "\"%s\": ", key);
    }
    json->has_member = true;
}

void cn_json_number(cn_json *json, const char *key, double value)
{
    write_key(json, key);
    if (isfinite(value)) {
        fprintf(json->out, "%.17g", value);
    } else {
        fputs("null", json->out);
    }
}

void cn_json_integer(cn_json *json, const char *key, int64_t value)
{
    write_key(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void cn_json_bool(cn_json *json, const char *key, bool value)
{
    write_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cn_json_text(cn_json *json, const char *key, const char *value)
{
    write_key(json, key);
    fputc('"', json->out);
    for (const unsigned char *c = (const unsigned char *)value; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(json->out, "\\%c", *c);
        } else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { // a control character of terminals
            fprintf(json->out, "\\u%04x", *++c);
        } else if (*c < 0x20 || *c == 0x7f) {
            fprintf(json->out, "\\u%04x", *c);
        } else {
            fputc(*c, json->out);
        }
    }
    fputc('"', json->out);
}

void cn_json_hash(cn_json *json, const char *key, uint64_t value)
{
    write_key(json, key);
    fprintf(json->out, "\"%016" PRIx64 "\"", value);
}

void cn_json_object_begin(cn_json *json, const char *key)
{
    write_key(json, key);
    fputc('{', json->out);
    json->has_member = false;
}

void cn_json_object_end(cn_json *json)
{
    fputc('}', json->out);
    json->has_member = true;
}

void cn_json_list_begin(cn_json *json, const char *key)
{
    write_key(json, key);
    fputc('[', json->out);
    json->has_member = false;
}

void cn_json_list_end(cn_json *json)
{
    fputc(']', json->out);
    json->has_member = true;
}

void cn_json_end(cn_json *json)
{
    fputs("}\n", json->out);
}
