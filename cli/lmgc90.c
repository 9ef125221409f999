// cli/lmgc90.c -- see lmgc90.h.
#include "lmgc90.h"

#include <string.h>

typedef struct row {
    const char *names; // separated by blanks
    const char *ours;  // how a scene says it; NULL: not built, `note` says what it would be
    const char *note;
} row;

static const row table[] = {
    {"IQS_CLB", "{type: coulomb, friction: fric}",
     "quasi-inelastic is the default of rigid bodies"},
    {"IQS_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr}", ""},
    {"RST_CLB", "{type: coulomb, friction: fric, restitution: rstn, restitution_tangential: rstt}",
     ""},
    {"RST_DS_CLB",
     "{type: coulomb, friction: dyfr, friction_static: stfr, restitution: rstn, "
     "restitution_tangential: rstt}",
     ""},
    {"GAP_SGR_CLB", "{type: coulomb, friction: fric, form: displacement}",
     "the default where a body is deformable"},
    {"GAP_SGR_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr, form: displacement}",
     ""},
    {"VEL_SGR_CLB", "{type: coulomb, friction: fric, form: velocity}", ""},
    {"VEL_SGR_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr, form: velocity}",
     ""},
    {"IQS_STICK GAP_SGR_STICK", "{type: coulomb, friction: 1e6}", ""},
    {"ELASTIC_REPELL_CLB", "{type: elastic, stiffness: stiffness, friction: fric}",
     "per contact point; per area: compliant"},
    {"VISCO_ELASTIC_REPELL_CLB",
     "{type: viscoelastic, stiffness: stiffness, damping: viscosity, friction: fric}", ""},
    {"IQS_MOHR_DS_CLB GAP_MOHR_DS_CLB",
     "{type: mohr, cohesion: cohn, cohesion_tangential: coht, friction: dyfr}",
     "cohesions are stresses here, forces there: divide by the area of a point"},
    {"MAC_CZM IQS_MAC_CZM",
     "{type: cohesive, shape: mac, stiffness: cn, stiffness_tangential: ct, viscosity: b, energy: "
     "w, friction: dyfr}",
     "friction_onset: gradual for friction that grows with damage"},
    {"MP_CZM IQS_MP_CZM",
     "{type: cohesive, shape: mp, stiffness: cn, stiffness_tangential: ct, energy: w, friction: "
     "dyfr}",
     ""},
    {"MAL_CZM IQS_MAL_CZM MP3_CZM IQS_MP3_CZM",
     "{type: cohesive, shape: parabolic, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, friction: dyfr}",
     "they descend along a parabola"},
    {"TH_CZM IQS_TH_CZM",
     "{type: cohesive, shape: trapezoid, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, plateau: dp1, friction: dyfr}",
     "one plateau for all modes"},
    {"ABP_CZM IQS_ABP_CZM",
     "{type: cohesive, shape: bilinear, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, end: du1, share: phi, friction: "
     "dyfr}",
     "one end for all modes"},
    {"EXPO_CZM IQS_EXPO_CZM",
     "{type: cohesive, shape: exponential, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, friction: dyfr}",
     ""},
    {"COUPLED_DOF", "{type: glue}", ""},
    {"ELASTIC_WIRE BRITTLE_ELASTIC_WIRE RIGID_WIRE",
     "joints: {w: {between: [a, b], cable: {to: ..., length: ...}, stiffness: ..., strength: ...}}",
     "a joint, not a contact law"},
    {"ELASTIC_ROD VOIGT_ROD",
     "joints: {r: {between: [a, b], rod: {to: ...}, stiffness: ..., damping: ...}}",
     "a joint, not a contact law"},
    {"IQS_CLB_g0 GAP_SGR_CLB_g0 preGAP_SGR_CLB", NULL, "coulomb with a reference gap"},
    {"IQS_CLB_nosldt IQS_CLB_noslds GAP_SGR_CLB_nosldt GAP_SGR_CLB_noslds", NULL,
     "coulomb that sticks until a time or a slip"},
    {"IQS_BW_CLB IQS_MAP IQS_CLB_RGR", NULL,
     "coulomb with friction by cycles or place, or restored "
     "overlap"},
    {"GAP_SGR_CLB_WEAR IQS_SGR_CLB_WEAR", NULL, "coulomb with wear"},
    {"IQS_WET_DS_CLB xQS_WET_DS_CLB GAP_WET_DS_CLB RST_WET_CLB IQS_WET_CZM", NULL, "wet"},
    {"IQS_CAP_MOHR_DS_CLB GAP_CAP_MOHR_DS_CLB", NULL, "mohr with a cap"},
    {"ELASTIC_REPELL_WET_CLB VISCO_ELASTIC_REPELL_WET KV_WET CRITICAL_VOIGT_CLB "
     "BRITTLE_COATING_CLB IQS_PLAS_CLB",
     NULL, "springs with pull, period, coating or yield"},
    {"EXPO_CZM_P IQS_EXPO_CZM_P EXPO_CZM_SPRING IQS_EXPO_CZM_SPRING EXPO_CZM_SPRING_P "
     "IQS_EXPO_CZM_SPRING_P ER_MAC_CZM ELASTIC_REPELL_MAC_CZM postGAP_IQS_MAC_CZM",
     NULL, "cohesive with plastic unloading, a spring in series or a reference gap"},
    {"NARD_ROD", NULL, "bond of grains with moments"},
    {"NORMAL_COUPLED_DOF TANGENTIAL_COUPLED_DOF PLASTIC_COUPLED_DOF BROKEN_DOF TEX_SOL", NULL,
     "glue by rows, with strength"},
};

static int has_name(const row *r, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = r->names; *at != '\0';) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, name, length) == 0) {
            return 1;
        }
        at += word + strspn(at + word, " ");
    }
    return 0;
}

static void print_row(const row *r, const char *name, FILE *out)
{
    if (r->ours == NULL) {
        fprintf(out, "%s: not built; it would be %s\n", name, r->note);
    } else {
        fprintf(out, "%s: %s%s%s\n", name, r->ours, r->note[0] != '\0' ? "   # " : "", r->note);
    }
}

int cn_lmgc90_print(const char *name, FILE *out)
{
    int found = 0, is_all = strcmp(name, "all") == 0;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (is_all || has_name(&table[k], name)) {
            print_row(&table[k], is_all ? table[k].names : name, out);
            found = 1;
        }
    }
    return found;
}
