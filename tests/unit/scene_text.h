// tests/unit/scene_text.h -- scenes written in the test itself, and what was said about them.
#pragma once

#include <stdio.h>
#include <string.h>

#include "cairn/scene.h"
#include "test.h"

static char lines[16384];

// Collects what is said; empty `lines` before.
static inline void keep(void *context, const char *line)
{
    (void)context;
    size_t used = strlen(lines);
    snprintf(lines + used, sizeof lines - used, "%s\n", line);
}

// A scene that must be right.
static inline cn_scene *parse(const char *text)
{
    cn_scene *scene = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, NULL, NULL, &scene,
                        &test_error));
    return scene;
}
