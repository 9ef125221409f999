// cli/doctor.h -- the parts of cairn doctor.
#pragma once

#include "command.h"

// Runs small scenes with known answers and prints what came out. Returns how many missed, -1
// if there is no place for their files (doctor_checks.c).
int cn_doctor_check_all(void);

// Prints what should be changed in the next run of the scene, the worst first; *found counts what
// was asked for and missed (doctor_result.c).
cn_status cn_doctor_examine(cn_reader *reader, int *found, cn_error *err);
