// cli/lmgc90.h -- the interaction laws of LMGC90 by name, and what they are here.
#pragma once

#include <stdio.h>

// Prints what a name of LMGC90 becomes, or all of them for "all". False if there is no such name.
int cn_lmgc90_print(const char *name, FILE *out);
