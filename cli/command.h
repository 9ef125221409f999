// cli/command.h -- the commands of the program and what they share.
#pragma once

#include "cairn/cairn.h"
#include "options.h"

#include <stdio.h>

extern const cn_command cn_command_run;
extern const cn_command cn_command_check;
extern const cn_command cn_command_info;
extern const cn_command cn_command_export;
extern const cn_command cn_command_render;
extern const cn_command cn_command_plot;
extern const cn_command cn_command_analyse;
extern const cn_command cn_command_fields;
extern const cn_command cn_command_patches;
extern const cn_command cn_command_report;
extern const cn_command cn_command_view;
extern const cn_command cn_command_compare;
extern const cn_command cn_command_validate;
extern const cn_command cn_command_solve;
extern const cn_command cn_command_bench;
extern const cn_command cn_command_sweep;
extern const cn_command cn_command_spread;
extern const cn_command cn_command_limit;
extern const cn_command cn_command_law;
extern const cn_command cn_command_record;
extern const cn_command cn_command_import;
extern const cn_command cn_command_new;
extern const cn_command cn_command_schema;
extern const cn_command cn_command_doctor;
extern const cn_command cn_command_cite;
extern const cn_command cn_command_help;

// All of them in the order of the help, NULL at the end (main.c).
extern const cn_command *const cn_commands[];
void cn_commands_help(FILE *out);

// NULL if there is no such command (help.c).
const cn_command *cn_command_find(const char *name);

// The name of a command that a misspelt one may mean, NULL if none is near (help.c).
const char *cn_command_nearest(const char *name);

// Prints what may stand for the last of the words of a command line (complete.c).
void cn_complete(int count, char **word);

// Rules for a shell that use it; NULL for a shell that is not known.
const char *cn_completion_rules(const char *shell);

// What a starter scene asks, of the length that is returned (new.c).
int cn_starter_question(const char *name, const char **question);

// Starts the program once more, with threads that wait without keeping a core busy, if the command
// uses threads (threads.c).
void cn_threads_wait_gently(const cn_command *command, char **argv);

// Prints the sentence of a failed call and returns the exit code of its status.
int cn_command_fail(const cn_command *command, cn_status status, const cn_error *err);

// A text of others for the terminal (cn_text_shown), in memory that the eighth call after this one
// uses again.
const char *cn_shown(const char *text);

// A cn_tell whose context is a FILE: one line each, as a terminal may show it.
void cn_tell_file(void *context, const char *line);

// Loads a scene with the -D overrides; problems go to stderr. Returns CN_PARSE_GO or an exit code.
int cn_command_load(const cn_command *command, const char *path, const cn_list *define,
                    cn_scene **scene);

// Loads a study likewise.
int cn_command_study(const cn_command *command, const char *path, cn_study **study);

// cairn run --refine: the scene at h, h/2, ... and what its observed series converge to (refine.c).
int cn_command_refine(const cn_command *command, const char *path, const cn_list *define,
                      int halvings, int threads, bool is_quiet);

// What a repair does, line by line: printed at once, and kept for the file COPY.log.
typedef struct cn_repair_log {
    FILE *screen, *kept;
    char *text;
    size_t length;
    bool is_worth_keeping; // there is a copy
} cn_repair_log;

// False without memory.
bool cn_repair_log_begin(cn_repair_log *log, FILE *screen);

// A cn_tell whose context is a cn_repair_log.
void cn_repair_log_tell(void *context, const char *line);

// Tells that the copy is written, with `more` words, and where its log will be.
void cn_repair_log_wrote(cn_repair_log *log, const char *copy, const char *more);

// Saves the lines beside the copy if there is one.
cn_status cn_repair_log_end(cn_repair_log *log, const char *copy, cn_error *err);

// What cairn check does with a geometry file (geometry.c).
typedef struct cn_geometry_args {
    bool is_fixed, as_json;
    const char *output;
    double weld, scale; // [m], file unit [m]
} cn_geometry_args;

// Whether both names lead to one file.
bool cn_is_same_file(const char *a, const char *b);

int cn_command_geometry(const cn_command *command, const char *path, const cn_geometry_args *args);

// Opens a result. Returns CN_PARSE_GO or an exit code.
int cn_command_open(const cn_command *command, const char *path, cn_reader **reader);

// A path without its folders.
const char *cn_base_name(const char *path);

bool cn_has_ending(const char *path, const char *ending);

// Name of a file made from another: the ending replaced. Returns `name`.
char *cn_change_ending(const char *path, const char *ending, char *name, size_t size);

// The same in the current folder.
char *cn_derive_name(const char *path, const char *ending, char *name, size_t size);
