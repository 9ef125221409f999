// law/table.c -- the laws that exist, and how their parameters are set by name.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "law/law.h"
#include "law/registered.h"

static const cn_law *const law_table[] = {
    &cn_law_coulomb_type,    &cn_law_elastic_type, &cn_law_viscoelastic_type, &cn_law_glue_type,
    &cn_law_cohesive_type,   &cn_law_mohr_type,    &cn_law_compliant_type,    &cn_law_bond_type,
    &cn_law_wet_type,        &cn_law_sliding_type, &cn_law_hertz_type,        &cn_law_crush_type,
    &cn_law_rock_joint_type, &cn_law_film_type,
};

static const int own_count = (int)(sizeof law_table / sizeof *law_table);

// Those of the library, then those from outside in the order in which they were registered.
static const cn_law *law_at(int k)
{
    return k < own_count ? law_table[k] : cn_law_registered_at(k - own_count);
}

int cn_law_type_count(void)
{
    return own_count + cn_law_registered_count();
}

const cn_law_type *cn_law_type_at(int k)
{
    return k >= 0 && k < cn_law_type_count() ? &law_at(k)->type : NULL;
}

const cn_law_type *cn_law_type_find(const char *name)
{
    for (int k = 0; k < cn_law_type_count() && name != NULL; k++) {
        if (strcmp(law_at(k)->type.name, name) == 0) {
            return &law_at(k)->type;
        }
    }
    return NULL;
}

const cn_law *cn_law_of(const cn_law_type *type)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        if (&law_at(k)->type == type) {
            return law_at(k);
        }
    }
    return NULL;
}

// Value of a parameter that a law may not have.
static double param_or_zero(const cn_law_type *type, const double *param, const char *name)
{
    for (int k = 0; k < type->param_count; k++) {
        if (strcmp(type->param[k].name, name) == 0) {
            return param[k];
        }
    }
    return 0.0;
}

cn_law_entry cn_law_entry_make(const cn_law *law, const double *param)
{
    cn_law_entry entry = {.law = law,
                          .type = law->type,
                          .normal = law->normal != NULL ? law->normal(param) : (cn_normal){0},
                          .rolling = param_or_zero(&law->type, param, "rolling"),
                          .spinning = param_or_zero(&law->type, param, "spinning"),
                          .bond = (cn_bond)param_or_zero(&law->type, param, "bond"),
                          .bond_gap = param_or_zero(&law->type, param, "bond_gap"),
                          .area = param_or_zero(&law->type, param, "area"),
                          .is_compressible = law->is_compressible ||
                                             param_or_zero(&law->type, param, "pressed") != 0.0};
    double across = param_or_zero(&law->type, param, "friction_2");
    entry.ratio = across > 0.0 ? across / param_or_zero(&law->type, param, "friction") : 1.0;
    entry.axis[0] = param_or_zero(&law->type, param, "axis_x");
    entry.axis[1] = param_or_zero(&law->type, param, "axis_y");
    entry.axis[2] = param_or_zero(&law->type, param, "axis_z");
    memcpy(entry.param, param, sizeof entry.param);
    if (law->derive != NULL) {
        law->derive(entry.param);
    }
    if (entry.rolling > 0.0 || entry.spinning > 0.0 || law->has_beams) {
        entry.type.state_count += CN_MOMENT_STATE_COUNT;
    }
    return entry;
}

cn_law_def cn_law_default(const char *name)
{
    cn_law_def def = {.type = cn_law_type_find(name)};
    for (int k = 0; def.type != NULL && k < def.type->param_count; k++) {
        def.param[k] = def.type->param[k].fallback;
    }
    return def;
}

static cn_status find_param(const cn_law_def *law, const char *name, int *at, cn_error *err)
{
    if (law->type == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "parameter '%s' of a law that does not exist", name);
    }
    for (int k = 0; k < law->type->param_count; k++) {
        if (strcmp(law->type->param[k].name, name) == 0) {
            *at = k;
            return CN_OK;
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "law %s has no parameter '%s'", law->type->name, name);
}

cn_status cn_law_set(cn_law_def *law, const char *name, double value, cn_error *err)
{
    CN_NEED(err, law, name);
    int k = 0;
    CN_TRY(find_param(law, name, &k, err));
    const cn_param *param = &law->type->param[k];
    if (!(value >= param->least && value <= param->most)) {
        return cn_fail(err, CN_BAD_INPUT, "law %s: %s = %g, it must be in [%g, %g]",
                       law->type->name, name, value, param->least, param->most);
    }
    law->param[k] = value;
    return CN_OK;
}

cn_status cn_law_set_word(cn_law_def *law, const char *name, const char *word, cn_error *err)
{
    CN_NEED(err, law, name, word);
    int k = 0;
    CN_TRY(find_param(law, name, &k, err));
    const char *at = law->type->param[k].choices;
    size_t length = strlen(word);
    for (int place = 0; at != NULL; place++) {
        const char *end = strchr(at, ' ');
        size_t size = end != NULL ? (size_t)(end - at) : strlen(at);
        if (size == length && memcmp(at, word, length) == 0) {
            law->param[k] = place;
            return CN_OK;
        }
        at = end != NULL ? end + 1 : NULL;
    }
    return cn_fail(
        err, CN_BAD_INPUT, "law %s: %s is '%s', it must be one of: %s", law->type->name, name, word,
        law->type->param[k].choices != NULL ? law->type->param[k].choices : "(a number)");
}

cn_law_def cn_law_coulomb(double mu, double e)
{
    cn_law_def def = cn_law_default("coulomb");
    cn_law_set(&def, "friction", mu, NULL);
    cn_law_set(&def, "restitution", e, NULL);
    return def;
}
