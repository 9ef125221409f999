// generate/vault.c -- barrel vaults: an arch whose voussoirs are courses of stones.
//
// The profile is the planar arch, so joints between courses are its joints. Along the axis a course
// is laid out in units of half a stone; joint j is at (2 j - units) u/2, multiplied and never
// accumulated: the two ends are mirror images bit for bit.
#include "base/memory.h"
#include "generate/masonry.h"

static cn_status check(const cn_vault_def *def, int *units, cn_error *err)
{
    CN_TRY(cn_check_length("vault length", def->length, err));
    double twice = 2.0 * def->stones;
    CN_TRY(cn_check_count("half stones per course", twice, err));
    bool is_stack = def->bond == CN_BOND_STACK;
    if (twice < 2.0 || twice != floor(twice) || (is_stack && fmod(twice, 2.0) != 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "stones per course must be a whole number%s from 1 up, "
                       "got %g",
                       is_stack ? "" : " of halves", def->stones);
    }
    *units = (int)twice;
    return cn_check_count("stones of a vault", def->stones * def->arch.blocks, err);
}

// Stones of voussoir k of the profile, course k + 1.
static cn_status add_course(const cn_vault_def *def, const cn_pieces *profile, int k, int units,
                            cn_pieces *pieces, cn_error *err)
{
    double half = 0.5 * def->length / units; // half a unit [m]
    bool is_shifted = def->bond == CN_BOND_RUNNING && k % 2 == 1;
    for (int j = 0, n = 0, position = 1; j < units; j += n, position++) {
        n = (j == 0 && is_shifted) || units - j == 1 ? 1 : 2;
        double from = (2 * j - units) * half, to = (2 * (j + n) - units) * half;
        CN_TRY(cn_pieces_extrude(profile, k, from, to, (int[2]){k + 1, position}, pieces, err));
    }
    return CN_OK;
}

static cn_status add_all(const cn_vault_def *def, const cn_pieces *profile, int units,
                         cn_pieces *pieces, cn_error *err)
{
    for (int k = 0; k < def->arch.blocks; k++) {
        CN_TRY(add_course(def, profile, k, units, pieces, err));
    }
    double half = 0.5 * def->length;
    for (int k = def->arch.blocks; k < profile->count; k++) {
        int index[2] = {def->arch.blocks + 1, profile->piece[k].index[1]};
        CN_TRY(cn_pieces_extrude(profile, k, -half, half, index, pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_vault(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_vault_def *def = params;
    int units = 0;
    pieces->note[0] = '\0';
    CN_TRY(check(def, &units, err));
    cn_pieces profile = {.dim = 2};
    cn_status status = cn_generate_arch(&def->arch, &profile, err);
    CN_THEN(status, add_all(def, &profile, units, pieces, err));
    cn_pieces_free(&profile);
    return status;
}

static const cn_field fields[] = {
    CN_ARCH_FIELDS,
    {CN_LENGTH_FIELD(cn_vault_def, length, "along the axis, which is y")},
    {CN_FIELD(cn_vault_def, stones, CN_FIELD_NUMBER, "-",
              "stones along the axis in each course, a multiple of 1/2", 1.0, CN_PIECES_MAX, NAN,
              NULL)},
    {CN_FIELD(cn_vault_def, bond, CN_FIELD_WORD, "-",
              "running: every second course is shifted by half a stone; stack: none is, a row of "
              "arches",
              0.0, 1.0, CN_BOND_RUNNING, "running stack")},
    {CN_FIELD(cn_arch_def, abutments, CN_FIELD_FLAG, "-",
              "add a fixed block behind each springing: vault[-1, 1] left and vault[-1, 2] right",
              0.0, 1.0, 1.0, NULL)},
};

const cn_generator cn_vault_generator = {
    .name = "vault",
    .help = "barrel vault along y, springing of the intrados on z = 0; vault[voussoir, stone] from "
            "the left and along y",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_vault_def),
    .dim = 3,
    .make = cn_generate_vault,
};
