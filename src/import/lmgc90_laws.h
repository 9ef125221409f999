// import/lmgc90_laws.h -- what a contact law of LMGC90 becomes.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct cn_lmgc90_known {
    bool is_known; // LMGC90 has it
    bool is_taken; // it is a law here, with parameters that can be taken as they are
    bool is_joint; // it ties points: a joint here
    int count;     // of numbers that TACT_BEHAV.DAT lists
    const char *note;
} cn_lmgc90_known;

cn_lmgc90_known cn_lmgc90_law_find(const char *name);

// Writes the law of a scene, "{type: coulomb, friction: 0.3}", of one that is taken.
void cn_lmgc90_law_write(const char *name, const double *value, FILE *out);

// A number of TACT_BEHAV.DAT that the law of the scene has no use for, the next one after *place
// (-1 to begin); NULL: no more. *place is its place in the list.
const char *cn_lmgc90_law_unused(const char *name, int *place, char word[16]);
