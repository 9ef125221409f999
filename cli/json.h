// cli/json.h -- writes one JSON object on one line. Keys are ours and need no escaping; values in a
// list have NULL instead.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cn_json {
    FILE *out;
    bool has_member;
} cn_json;

cn_json cn_json_begin(FILE *out);
void cn_json_number(cn_json *json, const char *key, double value); // null unless finite
void cn_json_integer(cn_json *json, const char *key, int64_t value);
void cn_json_bool(cn_json *json, const char *key, bool value);
void cn_json_text(cn_json *json, const char *key, const char *value);
void cn_json_hash(cn_json *json, const char *key, uint64_t value); // 16 hex digits, a string
void cn_json_object_begin(cn_json *json, const char *key);
void cn_json_object_end(cn_json *json);
void cn_json_list_begin(cn_json *json, const char *key);
void cn_json_list_end(cn_json *json);
void cn_json_end(cn_json *json); // closes the object and the line
