// scene/language/unit.h -- numbers with a unit: "10 mm", "3 kPa", "30deg", "1800 kg/m3". What comes
// out is in SI, and a unit of another kind than the key's is an error, never a silent factor.
//
// A unit is factors with blanks or '*' between them, then factors each after a '/': "kN/m2", "N m",
// "J/m2". A factor is a name with its prefix and a power: m2, m^2, s-1.
#pragma once

#include "base/shared.h"

// True for text that goes on with letters where a number ends: it is meant as one with a unit.
bool cn_quantity_is_meant(const char *text);

// Reads "10 mm" into SI units. `wanted` is the unit of the key; alternatives have " or " between
// them; NULL: the key has none, and any unit is an error; "*": of whatever kind.
cn_status cn_quantity_read(const char *text, const char *wanted, double *number, cn_error *err);

// The unit of that name as a factor for expressions: "=30*deg". Only names of two letters or more
// that change the number: in "=2*g" nobody means grams. False if there is none.
CN_SHARED bool cn_unit_constant(const char *name, double *value);
