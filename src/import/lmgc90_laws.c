// import/lmgc90_laws.c -- the interaction laws of LMGC90 by name, and what they are here.
#include "import/lmgc90_laws.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cairn/import.h"

typedef struct row {
    const char *names; // separated by blanks
    const char *ours;  // how a scene says it; NULL: refused, `note` says what for
    const char *note;
    const char *values; // what TACT_BEHAV.DAT lists, in its order; NULL: cannot be taken over as is
} row;

static const row table[] = {
    {"IQS_CLB", "{type: coulomb, friction: fric, form: quasi_inelastic}",
     "quasi-inelastic is the default of rigid bodies", "fric"},
    {"IQS_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr, form: quasi_inelastic}",
     "", "dyfr stfr"},
    {"RST_CLB",
     "{type: coulomb, friction: fric, restitution: rstn, restitution_tangential: rstt, form: "
     "velocity}",
     "", "rstn rstt fric"},
    {"RST_DS_CLB",
     "{type: coulomb, friction: dyfr, friction_static: stfr, restitution: rstn, "
     "restitution_tangential: rstt, form: velocity}",
     "", "rstn rstt dyfr stfr"},
    {"GAP_SGR_CLB", "{type: coulomb, friction: fric, form: displacement}",
     "the default where a body is deformable", "fric"},
    {"GAP_SGR_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr, form: displacement}",
     "", "dyfr stfr"},
    {"VEL_SGR_CLB", "{type: coulomb, friction: fric, form: velocity}", "", "fric"},
    {"VEL_SGR_DS_CLB", "{type: coulomb, friction: dyfr, friction_static: stfr, form: velocity}", "",
     "dyfr stfr"},
    {"IQS_STICK GAP_SGR_STICK", "{type: coulomb, friction: 1e6}", "", ""},
    {"ELASTIC_REPELL_CLB", "{type: elastic, stiffness: stiffness, friction: fric}",
     "per contact point; per area: compliant", "stiffness fric"},
    {"VISCO_ELASTIC_REPELL_CLB",
     "{type: viscoelastic, stiffness: stiffness, damping: viscosity, friction: fric}", "",
     "stiffness viscosity fric"},
    {"IQS_MOHR_DS_CLB GAP_MOHR_DS_CLB",
     "{type: mohr, cohesion: cohn, cohesion_tangential: coht, friction: dyfr}",
     "cohesions are stresses here, forces there: divide by the area of a point", NULL},
    {"IQS_CAP_MOHR_DS_CLB GAP_CAP_MOHR_DS_CLB",
     "{type: mohr, cohesion: cohn, cohesion_tangential: coht, tension: s_ten, crushing: "
     "s_com, friction: dyfr}",
     "likewise", NULL},
    {"MAC_CZM IQS_MAC_CZM",
     "{type: cohesive, shape: mac, stiffness: cn, stiffness_tangential: ct, viscosity: b, energy: "
     "w, friction: dyfr}",
     "friction_onset: gradual for friction that grows with damage", "dyfr stfr cn ct b w"},
    {"MP_CZM",
     "{type: cohesive, shape: mp, stiffness: cn, stiffness_tangential: ct, energy: w, friction: "
     "dyfr}",
     "", "dyfr stfr cn ct w"},
    {"MP3_CZM",
     "{type: cohesive, shape: parabolic, stiffness: cn, stiffness_tangential: ct, strength: smax, "
     "energy: w, friction: dyfr}",
     "it descends along a parabola", "dyfr stfr cn ct smax w"},
    {"MAL_CZM IQS_MAL_CZM",
     "{type: cohesive, shape: parabolic, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, friction: dyfr}",
     "they descend along a parabola", "dyfr stfr cn ct s1 s2 G1 G2"},
    {"TH_CZM IQS_TH_CZM",
     "{type: cohesive, shape: trapezoid, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, plateau: dp1, friction: dyfr}",
     "one plateau for all modes", "dyfr stfr cn ct s1 s2 G1 G2 dp1 dp2"},
    {"ABP_CZM IQS_ABP_CZM",
     "{type: cohesive, shape: bilinear, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, end: du1, share: phi, friction: "
     "dyfr}",
     "one end for all modes", "dyfr stfr cn ct s1 s2 G1 G2 du1 du2 phi"},
    {"EXPO_CZM IQS_EXPO_CZM",
     "{type: cohesive, shape: exponential, stiffness: cn, stiffness_tangential: ct, strength: s1, "
     "strength_tangential: s2, energy: G1, energy_tangential: G2, friction: dyfr, "
     "friction_onset: gradual}",
     "friction grows with damage; its eta has no counterpart", "dyfr stfr cn ct s1 s2 G1 G2 eta"},
    {"COUPLED_DOF", "{type: glue}", "", ""},
    {"BROKEN_DOF", "{type: glue, strength: ..., friction: ...}",
     "largest pull of a point, in newtons", NULL},
    {"ELASTIC_WIRE BRITTLE_ELASTIC_WIRE RIGID_WIRE",
     "joints: {w: {between: [a, b], cable: {to: ..., length: ...}, stiffness: ..., strength: ...}}",
     "a joint, not a contact law", NULL},
    {"ELASTIC_ROD VOIGT_ROD",
     "joints: {r: {between: [a, b], rod: {to: ...}, stiffness: ..., damping: ...}}",
     "a joint, not a contact law", NULL},
    {"IQS_WET_DS_CLB xQS_WET_DS_CLB GAP_WET_DS_CLB",
     "{type: wet, cohesion: cohn, distance: Wthk, friction: dyfr, forms: reach}",
     "coht and stfr have no counterpart: the pull adds to the pressure, and friction follows",
     NULL},
    {"IQS_PLAS_CLB", "{type: crush, stiffness: ..., stiffness_unloading: ..., friction: ...}",
     "theirs has a yield force and is bypassed in its kernels: choose the two stiffnesses", NULL},
    {"NARD_ROD", "{type: bond, young: E, strength: S1, strength_tangential: S2}",
     "their nu is ratio: 1 / (2 (1 + nu)) here", NULL},
    {"TEX_SOL_UNILAT VOIGT_WIRE",
     "joints: {w: {between: [a, b], cable: {to: ..., length: ...}, stiffness: ..., damping: ...}}",
     "a joint, not a contact law", NULL},
    {"PERIO_DOF", "cell: {size: [...], rate: ...}",
     "a periodic cell with imposed strain, not a contact law", NULL},
    {"IQS_CLB_g0 GAP_SGR_CLB_g0", "{type: coulomb, friction: fric, form: quasi_inelastic}",
     "overlap is never given back, so that what there is at first is left; gaps are closed", NULL},
    {"IQS_CLB_nosldt GAP_SGR_CLB_nosldt", "{type: sliding, friction: fric, hold_time: dt}", "",
     NULL},
    {"IQS_CLB_RGR", "{type: coulomb, friction: fric, restore: ToverH, tolerance: gtol}",
     "the period in steps, and the overlap that is left", NULL},
    {"RST_WET_CLB",
     "{type: wet, cohesion: cohn, distance: Wthk, restitution: rstn, friction: dyfr}",
     "rstt, coht and stfr have no counterpart", NULL},
    {"ELASTIC_REPELL_WET_CLB",
     "{type: wet, stiffness: stiffness, cohesion: cohn, distance: Wthk, friction: fric, forms: "
     "reach}",
     "", NULL},
    {"VISCO_ELASTIC_REPELL_WET KV_WET",
     "{type: wet, stiffness: stiffness, damping: viscosity, cohesion: cohn, distance: Wthk, "
     "friction: fric, forms: reach}",
     "", NULL},
    {"ELASTIC_WET_NT MD_JKRs DEM_FIBs",
     "{type: wet, stiffness: ..., damping: ..., cohesion: ..., distance: ..., friction: ...}",
     "theirs are explicit forces of smooth grains; here the spring is implicit and the pull is "
     "constant",
     NULL},
    {"CRITICAL_VOIGT_CLB", "{type: viscoelastic, stiffness: ..., damping: ..., friction: fric}",
     "from the mass m of a pair and the period T: stiffness m (2 pi/T)^2, damping 2 sqrt(stiffness "
     "m)",
     NULL},
    {"BRITTLE_COATING_CLB",
     "{type: bond, young: ..., ratio: ..., strength: ..., friction: fric, bond: start}",
     "stiffness is young times area over length here, and Fmax strength times area", NULL},
    {"EXPO_CZM_SPRING IQS_EXPO_CZM_SPRING",
     "{type: cohesive, shape: exponential, stiffness: ..., strength: s1, strength_tangential: s2, "
     "energy: G1, energy_tangential: G2, friction: dyfr}",
     "the spring k is in the stiffness, c k/(c + k): same strength and energy; linear shapes are "
     "exactly theirs",
     NULL},
    {"ER_MAC_CZM ELASTIC_REPELL_MAC_CZM",
     "{type: cohesive, shape: mac, stiffness: cn, stiffness_tangential: ct, viscosity: b, energy: "
     "w, friction: dyfr}",
     "in tension as theirs; what is pressed is rigid here", NULL},
    // Refused: what would be needed.
    {"preGAP_SGR_CLB ELASTIC_REPELL_CLB_g0", NULL,
     "surfaces that stay apart by a number, or springs that are free at the first gap", NULL},
    {"ELASTIC_REPELL_CLB_adapt", NULL, "a stiffness that is changed while the program runs", NULL},
    {"IQS_CLB_noslds GAP_SGR_CLB_noslds MAC_CZM_nosldt MAC_CZM_noslds IQS_MAC_CZM_nosldt "
     "IQS_MAC_CZM_noslds",
     NULL, "sticking until a slip, or beside a cohesive zone; `sliding` has hold_time", NULL},
    {"IQS_BW_CLB IQS_MAP", NULL, "friction by cycles or by place", NULL},
    {"GAP_SGR_CLB_WEAR IQS_SGR_CLB_WEAR", NULL,
     "meshes that wear; polygons do by `wear` of their material", NULL},
    {"IQS_WET_CZM", NULL, "a pull beside a cohesive zone", NULL},
    {"EXPO_CZM_P IQS_EXPO_CZM_P EXPO_CZM_SPRING_P IQS_EXPO_CZM_SPRING_P", NULL,
     "a cohesive zone that unloads beside its origin", NULL},
    {"postGAP_IQS_MAC_CZM", NULL, "a cohesive zone with a reference gap", NULL},
    {"MP3_CZM_THER", NULL, "a cohesive zone that conducts heat", NULL},
    {"NORMAL_COUPLED_DOF TANGENTIAL_COUPLED_DOF PLASTIC_COUPLED_DOF TEX_SOL", NULL,
     "glue by rows, or that yields", NULL},
    {"TOSI_CZM TOSI_CZM_INCRE GTN_CZM GTN2_CZM", NULL,
     "porous creep with 16 or 17 constants: write it as a law of your own "
     "(docs/howto/add-a-law.md), or as `cohesive` with a shape near it",
     NULL},
    {"LJ_POTENTIAL", NULL, "a potential without contact: a method of smooth particles", NULL},
    {"MSMP_CZM", NULL, "a cohesive zone one of whose constants is never set there", NULL},
    {"WET_CZM WET_3C postGAP_IQS_CZM", NULL, "nothing: names that LMGC90 does not read either",
     NULL},
};

static bool has_name(const row *r, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = r->names; *at != '\0';) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + strspn(at + word, " ");
    }
    return false;
}

static void tell_row(const row *r, const char *name, cn_tell *told, void *context)
{
    char line[600];
    if (r->ours == NULL) {
        snprintf(line, sizeof line, "%s: refused; it asks for %s", name, r->note);
    } else {
        snprintf(line, sizeof line, "%s: %s%s%s", name, r->ours, r->note[0] != '\0' ? "   # " : "",
                 r->note);
    }
    told(context, line);
}

bool cn_lmgc90_law_told(const char *name, cn_tell *told, void *context)
{
    bool is_found = false, is_all = name != NULL && strcmp(name, "all") == 0;
    for (size_t k = 0; k < sizeof table / sizeof *table && name != NULL && told != NULL; k++) {
        if (is_all || has_name(&table[k], name)) {
            tell_row(&table[k], is_all ? table[k].names : name, told, context);
            is_found = true;
        }
    }
    return is_found;
}

static const row *find_row(const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (has_name(&table[k], name)) {
            return &table[k];
        }
    }
    return NULL;
}

// Place of a word in a list separated by blanks, -1 if it is not there.
static int place_in(const char *list, const char *word, size_t length)
{
    int place = 0;
    for (const char *at = list; *at != '\0'; place++) {
        size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, word, length) == 0) {
            return place;
        }
        at += size + strspn(at + size, " ");
    }
    return -1;
}

static int count_words(const char *list)
{
    int count = 0;
    for (const char *at = list; *at != '\0'; count++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return count;
}

cn_lmgc90_known cn_lmgc90_law_find(const char *name)
{
    const row *r = find_row(name);
    cn_lmgc90_known known = {.is_known = r != NULL};
    if (r != NULL) {
        known.note = r->note;
        known.is_taken = r->ours != NULL && r->values != NULL;
        known.count = known.is_taken ? count_words(r->values) : 0;
        known.is_joint = r->ours != NULL && strncmp(r->ours, "joints:", 7) == 0;
    }
    return known;
}

void cn_lmgc90_law_write(const char *name, const double *value, FILE *out)
{
    const row *r = find_row(name);
    for (const char *at = r->ours; *at != '\0';) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
        bool is_value = length > 0 && at > r->ours + 1 && at[-1] == ' ' && at[-2] == ':';
        int place = is_value ? place_in(r->values, at, length) : -1;
        if (place >= 0) {
            fprintf(out, "%.15g", value[place]);
            at += length;
        } else {
            size_t step = length > 0 ? length : 1;
            fwrite(at, 1, step, out);
            at += step;
        }
    }
}

static bool is_used(const char *ours, const char *word, size_t length)
{
    for (const char *at = strchr(ours, ':'); at != NULL; at = strchr(at + 1, ':')) {
        bool is_it = at[1] == ' ' && strncmp(at + 2, word, length) == 0;
        if (is_it && !isalnum((unsigned char)at[2 + length]) && at[2 + length] != '_') {
            return true;
        }
    }
    return false;
}

const char *cn_lmgc90_law_unused(const char *name, int *place, char word[16])
{
    const row *r = find_row(name);
    int k = 0;
    for (const char *at = r->values; *at != '\0'; k++) {
        size_t size = strcspn(at, " ");
        if (k > *place && !is_used(r->ours, at, size)) {
            *place = k;
            snprintf(word, 16, "%.*s", (int)size, at);
            return word;
        }
        at += size + strspn(at + size, " ");
    }
    return NULL;
}
