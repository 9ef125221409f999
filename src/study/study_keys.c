// study/study_keys.c -- the language of study files as a table, read by the same code as scenes.
#include <math.h>

#include "study/study_keys.h"

#define REQUIRED .fallback = NULL
#define OPTIONAL .fallback = ""
#define POSITIVE .least = 0.0, .most = INFINITY, .is_open = true
#define ANY_UNIT .unit = "*" // of a param
#define KEYS(list) .count = sizeof(list) / sizeof *(list), .key = (list)

// A table, one key per line where it fits.
// clang-format off

static const cn_key range_keys[] = {
    {.name = "from", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED, .help = "first value"},
    {.name = "to", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED, .help = "last value"},
    {.name = "count", .type = CN_TYPE_INTEGER, .least = 2.0, .most = CN_STUDY_RUN_MAX, REQUIRED,
     .help = "number of values, evenly spaced"},
};
static const cn_section range = {"range", "evenly spaced values", KEYS(range_keys)};

static const cn_key uniform_keys[] = {
    {.name = "from", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED, .help = "least value"},
    {.name = "to", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED, .help = "largest value"},
};
static const cn_section uniform = {"uniform", "values drawn at random", KEYS(uniform_keys)};

static const cn_key bisect_keys[] = {
    {.name = "from", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED, .help = "one end"},
    {.name = "to", .type = CN_TYPE_NUMBER, ANY_UNIT, REQUIRED,
     .help = "the other end, where the outcome is another one"},
    {.name = "tolerance", .type = CN_TYPE_NUMBER, ANY_UNIT, POSITIVE, REQUIRED,
     .help = "halves the interval until it is no longer than this"},
};
static const cn_section bisect = {
    "bisect", "the value at which the outcome changes", KEYS(bisect_keys)};

static const cn_key param_keys[] = {
    {.name = "list", .type = CN_TYPE_NUMBERS, ANY_UNIT, OPTIONAL, .help = "these values"},
    {.name = "range", .type = CN_TYPE_MAP, .section = &range, OPTIONAL,
     .help = "evenly spaced values"},
    {.name = "uniform", .type = CN_TYPE_MAP, .section = &uniform, OPTIONAL,
     .help = "values drawn at random, `draws` times"},
    {.name = "bisect", .type = CN_TYPE_MAP, .section = &bisect, OPTIONAL,
     .help = "the value at which the outcome changes"},
};
static const cn_section param = {
    "param", "the values of a param", KEYS(param_keys), .short_list = "list",
    .short_scalar = "list"};
static const cn_key param_item = {.name = "param", .type = CN_TYPE_ONE, .section = &param};

#define TAKE {.name = "take", .type = CN_TYPE_WORD, .choices = "last first least most mean", \
              .fallback = "last", .help = "which number the series is reduced to"}
#define SERIES {.name = "series", .type = CN_TYPE_TEXT, REQUIRED, \
                .help = "an observed series such as top.x, or a column of the history"}

static const cn_key probe_keys[] = {SERIES, TAKE};
static const cn_section probe = {
    "report", "a number noted of each run", KEYS(probe_keys), .short_scalar = "series"};
static const cn_key probe_item = {.name = "report", .type = CN_TYPE_MAP, .section = &probe};

static const cn_key verdict_keys[] = {
    SERIES, TAKE,
    {.name = "below", .type = CN_TYPE_NUMBER, OPTIONAL, .help = "failed if it is less than this"},
    {.name = "above", .type = CN_TYPE_NUMBER, OPTIONAL, .help = "failed if it is more than this"},
};
static const cn_section verdict = {"value", "a limit on a series", KEYS(verdict_keys)};
static const cn_section stopped = {.name = "stopped", .help = "a stop_when of the scene held"};

static const cn_key fails_keys[] = {
    {.name = "stopped", .type = CN_TYPE_MAP, .section = &stopped, OPTIONAL,
     .help = "a `stop_when` of the scene ended the run"},
    {.name = "value", .type = CN_TYPE_MAP, .section = &verdict, OPTIONAL,
     .help = "a series leaves its limits"},
};
static const cn_section fails = {"fails_when", "what counts as failure", KEYS(fails_keys)};

static const cn_key study_keys[] = {
    {.name = "study", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1.0, REQUIRED,
     .help = "version of the language of studies"},
    {.name = "title", .type = CN_TYPE_TEXT, .fallback = "", .help = "for tables"},
    {.name = "scene", .type = CN_TYPE_TEXT, REQUIRED, .help = "scene file, relative to this one"},
    {.name = "params", .type = CN_TYPE_NAMED, .item = &param_item, REQUIRED,
     .help = "params of the scene and the values they take"},
    {.name = "combine", .type = CN_TYPE_WORD, .choices = "grid together", .fallback = "grid",
     .help = "lists: every combination, or first with first, second with second"},
    {.name = "draws", .type = CN_TYPE_INTEGER, .least = 1.0, .most = CN_STUDY_RUN_MAX,
     .fallback = "1", .help = "how often values of `uniform` are drawn, for each combination"},
    {.name = "seed", .type = CN_TYPE_INTEGER, .least = 0.0, .most = 9e15, .fallback = "1",
     .help = "of what is drawn"},
    {.name = "fails_when", .type = CN_TYPE_ONE, .section = &fails, OPTIONAL,
     .help = "what counts as failure, for `bisect` and the column `failed`"},
    {.name = "fragility", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "a param that is an intensity: a lognormal probability of failure over it is fitted"},
    {.name = "report", .type = CN_TYPE_NAMED, .item = &probe_item, .fallback = "{}",
     .help = "columns of the table, by name"},
};
static const cn_section study = {"study", "a study file", KEYS(study_keys)};

// clang-format on

const cn_section *cn_section_study(void)
{
    return &study;
}
