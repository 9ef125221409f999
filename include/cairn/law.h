/// cairn/law.h -- interaction laws, described by data so that a new law is one file.
///
/// A law is not a solver: each step it turns its parameters, its state and the geometry of a
/// contact into a core (cairn/solver.h), which is all that solvers know. Which laws exist, what
/// parameters they take and which state they keep is read from the table below: scenes, the schema
/// and the reference page are made from it.
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CN_LAW_PARAM_MAX 24
#define CN_LAW_STATE_MAX 36

/// One parameter of a law. A parameter with `choices` is a word, stored as its place in the list.
typedef struct cn_param {
    const char *name;
    const char *unit;    ///< "-" for a pure number
    const char *help;    ///< one line
    double least, most;  ///< accepted range, both included
    double fallback;     ///< default; NaN means that the parameter must be given
    const char *choices; ///< words separated by blanks, or NULL
} cn_param;

typedef struct cn_law_type {
    const char *name;
    const char *help;
    int param_count;
    const cn_param *param;
    int state_count;               ///< doubles that each contact keeps from step to step
    const char *const *state_name; ///< names under which they are exported
} cn_law_type;

/// A law with its parameters, in the order of its type's table.
typedef struct cn_law_def {
    const cn_law_type *type;
    double param[CN_LAW_PARAM_MAX];
} cn_law_def;

CN_API int cn_law_type_count(void);
CN_API const cn_law_type *cn_law_type_at(int k);

/// NULL if there is no such law.
CN_API const cn_law_type *cn_law_type_find(const char *name);

/// A definition with all defaults, e.g. cn_law_default("coulomb"). An unknown name gives type NULL.
CN_API cn_law_def cn_law_default(const char *name);

/// Sets one parameter by name; checks name and range.
CN_API cn_status cn_law_set(cn_law_def *law, const char *name, double value, cn_error *err);

/// Sets a parameter that is a word.
CN_API cn_status cn_law_set_word(cn_law_def *law, const char *name, const char *word,
                                 cn_error *err);

/// Short cut: coulomb with friction mu and normal restitution e.
CN_API cn_law_def cn_law_coulomb(double mu, double e);

#ifdef __cplusplus
}
#endif
