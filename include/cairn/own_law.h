/// cairn/own_law.h -- what a law is made of, and how one from outside is made known.
///
/// The laws of the library are made of the same table (src/law, one file each): what stands here
/// holds for both. A law from outside must state
///   - `interface`: CN_LAW_INTERFACE, so that a library with another one refuses it;
///   - `type`: name, help, every parameter with unit, range and default, and the name of every
///     state that a contact keeps, under which results, checkpoints and exports have it;
///   - `prepare`, which makes the core of a step; `commit` if it keeps states; and what else of
///     cn_law it needs: `energy` if it stores or damps, or the ledger tells its work as shock.
/// Its functions are called by several threads at once and repeated as a step needs: they depend on
/// their arguments alone and write nowhere else. How to: docs/howto/add-a-law.md.
#pragma once

#include "cairn/law.h"
#include "cairn/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Grows when a law that was compiled before could be misunderstood.
#define CN_LAW_INTERFACE 2

/// How a law asks rigid surfaces to stay apart (theory chapter 4, "The unilateral forms").
/// CN_FORM_AUTO: the velocity form with restitution, else the quasi-inelastic one, or displacement
/// if a body is deformable.
typedef enum cn_form {
    CN_FORM_AUTO = 0,
    CN_FORM_VELOCITY,
    CN_FORM_DISPLACEMENT,
    CN_FORM_DISPLACEMENT_END,
    CN_FORM_QUASI_INELASTIC,
    CN_FORM_CONSERVING,
    CN_FORM_AHEAD,
    CN_FORM_COUNT
} cn_form;

/// What a law declares of the normal row; geometry does the rest.
typedef struct cn_normal {
    cn_form form;
    double restitution, restitution_t; ///< normal, tangential [-]
    double stiffness;                  ///< of one point; 0: rigid [N/m]
} cn_normal;

/// When points of two surfaces become bonded.
typedef enum cn_bond {
    CN_BOND_OFF = 0, ///< never
    CN_BOND_START,   ///< where they touch when the world begins to move
    CN_BOND_TOUCH    ///< whenever they touch
} cn_bond;

/// The states of a law that bonds, in this order; zeros are those of an ordinary contact. Names of
/// them, and the parameters that say when (last three of the table of the law).
enum {
    CN_BOND_ALIVE,   ///< 1: a point of an interface
    CN_BOND_DAMAGE,  ///< 0: as new, 1: broken
    CN_BOND_AREA,    ///< [m2], in the plane [m]
    CN_BOND_OPENING, ///< along the normal [m]
    CN_BOND_SLIP,    ///< along the tangent, of which there are two in space [m]
    CN_BOND_SLIP_2,  ///< [m]
    CN_BOND_SPENT,   ///< energy spent on damage [J]
    CN_BOND_MET,     ///< 1: an ordinary contact that touched: no bond before it was apart
    CN_BOND_PLACE_I, ///< of the point on body i, 3 numbers: in the frame of a rigid one [m], on
                     ///< a mesh the facet of its skin and the place on it
    CN_BOND_PLACE_J = 11,   ///< likewise on body j
    CN_BOND_NORMAL_I = 14,  ///< the normal, likewise
    CN_BOND_NORMAL_J = 17,  ///< likewise
    CN_BOND_TANGENT_I = 20, ///< direction of `slip` on body i
    CN_BOND_APART = 23,     ///< of meshes: how far they stood apart when bonded [m]
    CN_BOND_STATE_COUNT = 24
};
#define CN_BOND_STATES                                                                             \
    "bond", "damage", "area", "opening", "slip", "slip_2", "spent", "met", "anchor_i_x",           \
        "anchor_i_y", "anchor_i_z", "anchor_j_x", "anchor_j_y", "anchor_j_z", "normal_i_x",        \
        "normal_i_y", "normal_i_z", "normal_j_x", "normal_j_y", "normal_j_z", "tangent_i_x",       \
        "tangent_i_y", "tangent_i_z", "apart"
#define CN_BOND_PARAMS                                                                             \
    {"bond",                                                                                       \
     "-",                                                                                          \
     "when points that touch are bonded: never, at the start, or whenever they touch",             \
     0,                                                                                            \
     2,                                                                                            \
     CN_BOND_START,                                                                                \
     "off start touch"},                                                                           \
        {"bond_gap", "m",  "gap up to which they count as touching; 0: 1e-4 of the smaller body",  \
         0,          1e30, 0,                                                                      \
         NULL},                                                                                    \
    {                                                                                              \
        "area", "m2", "of a point that no face tells, as between grains; 0: by their radius", 0,   \
            1e30, 0, NULL                                                                          \
    }

/// Further states of a law whose bonds are beams: points that no face has, as between grains, also
/// transmit moments. Relative rotations of body i against body j since bonding: bending about both
/// tangents of the material, twist about the normal; in the plane the first is that about z.
enum {
    CN_BEAM_ALIVE = CN_BOND_STATE_COUNT, ///< 1: a point that transmits moments
    CN_BEAM_TANGENT_J = 25,              ///< the tangent of i when they were bonded, on body j
    CN_BEAM_BENDING = 28,                ///< [rad]
    CN_BEAM_STATE_COUNT = 31
};
#define CN_BEAM_STATES                                                                             \
    "beam", "tangent_j_x", "tangent_j_y", "tangent_j_z", "bending", "bending_2", "twist"

/// Further states of a law whose interfaces are rough (theory 4.46): what the points of one face
/// share is written before each step.
enum {
    CN_ROUGH_DILATION = CN_BOND_STATE_COUNT, ///< how far the faces stand apart on their teeth [m]
    CN_ROUGH_PRESSURE = 25,                  ///< of this point in the last step [Pa]
    CN_ROUGH_SLIP_BEFORE = 26,               ///< slip one step before, 2 numbers [m]
    CN_ROUGH_WORN = 28,                      ///< what the law keeps of its teeth, 0: as new
    CN_ROUGH_LEAN = 29,          ///< of the normal along both tangents in this step [rad]
    CN_ROUGH_FRICTION = 31,      ///< coefficient on the flank of a tooth [-]
    CN_ROUGH_FACE_PRESSURE = 32, ///< mean of the face when it was pressed last [Pa]
    CN_ROUGH_STATE_COUNT = 33
};
#define CN_ROUGH_STATES                                                                            \
    "dilation", "pressure", "slip_before", "slip_before_2", "worn", "lean", "lean_2",              \
        "flank_friction", "face_pressure"

/// An interface as a whole, for laws with teeth.
typedef struct cn_rough {
    double pressure; ///< mean in the last step [Pa]
    double slip;     ///< from the place where the faces fit [m]
    double worn;     ///< state of the law
} cn_rough;

/// What such a law makes of it.
typedef struct cn_teeth {
    double dilation; ///< angle at which the faces ride up as they slip away [rad]
    double friction; ///< angle of the whole resistance, that of dilation contained [rad]
    double worn;     ///< state of the law
} cn_teeth;

/// How a contact resists rolling and spinning, for every law with these parameters (theory 4.4):
/// two lines in its table of parameters, and the names of the states in which the moment is kept
/// after those of its own, not counted in `state_count`. A contact has them, and rows of moments,
/// only if a coefficient is not zero.
#define CN_ROLLING_HELP "rolling resistance: largest moment over normal force and radius"
#define CN_SPINNING_HELP "spinning resistance about the normal, likewise; in space"
#define CN_MOMENT_STATES "moment_x", "moment_y", "moment_z"
enum { CN_MOMENT_STATE_COUNT = 3 };

/// What a law may look at when it prepares or commits a contact.
typedef struct cn_law_input {
    double h, theta, gamma;
    int rows;           ///< rows of forces, normal first
    double gap;         ///< at q + gamma h v [m]
    double u_before[3]; ///< H^T v [m/s]
    bool is_deformable; ///< one of the bodies is

    /// Points of interfaces, where state[CN_BOND_ALIVE] is 1: along the normal and the tangents of
    /// now, at the start of the step and, where the bodies are, at its end: for the energy only.
    double opening[3], opening_end[3]; ///< [m]
    double tangent[2][2];              ///< of the material along those of now, a row each
    double radius[2]; ///< of both surfaces, 0: flat or hollow; if the law needs them [m]
    bool is_far;      ///< it has moved so far that surfaces touch elsewhere

    /// Beams, by rows of moments: rolling about the tangents of now, then spinning.
    int moments;                       ///< rows of them; 0: no beam
    double bend[3], bend_end[3];       ///< relative rotations, as the openings [rad]
    double angular_velocity_before[3]; ///< relative, before the step [rad/s]
    const double *assumed;             ///< end state that the core is made for: what refine kept

    /// To prepare only.
    double shift; ///< b_n with which rigid surfaces stay apart, whatever their shape and motion
    bool is_met;  ///< contact is forecast; if not, rigid surfaces ask for nothing in this step
    double size;  ///< of the smaller body; afterwards, too, if the law needs radii [m]
    double curvature_gap; ///< depth that a straight step cuts into a hollow (theory 6.7), which a
                          ///< spring does not see [m]
    double axis[2][3];    ///< tangents of now in the world, at any time; if the law needs them
} cn_law_input;

/// What a step did to the contact.
typedef struct cn_law_output {
    double r[3];                ///< [N s]
    double u[3];                ///< H^T v+ [m/s]
    double angular_velocity[3]; ///< the same of the rows of moments of beams [rad/s]
    cn_contact_status status;
    double v_noise; ///< velocity below which the solver was not asked to tell motion from rest
} cn_law_output;

/// Energy that the contact stored and lost to viscosity in a step; the rest of its normal work is
/// shock. What acts beside the contact is told apart: the work that it took, normal and tangential,
/// and what became of it beside storage and viscosity.
typedef struct cn_law_energy {
    double storage, viscous;   ///< [J]
    double fracture, plastic;  ///< spent on damage, on what stays crushed [J]
    double theta;              ///< taken by the scheme [J]
    double beside_n, beside_t; ///< work that a bond took [J]
} cn_law_energy;

/// States that a refined core assumes, at most.
enum { CN_LAW_ASSUMED_MAX = 6 };

typedef struct cn_law {
    int interface; ///< CN_LAW_INTERFACE; the library's own leave it out
    cn_law_type type;
    /// How it asks surfaces to stay apart. NULL: rigid, CN_FORM_AUTO, no restitution.
    cn_normal (*normal)(const double *param);
    /// Fills the core, which comes zeroed. `state` is that of the last accepted step, zeros for a
    /// new contact. A rigid cone may ask for less room than in->shift gives, never for more: b_n is
    /// at most in->shift whatever is written.
    void (*prepare)(const double *param, const double *state, const cn_law_input *in,
                    cn_core *core);
    /// State after an accepted step; it comes zeroed. NULL: the law has none.
    void (*commit)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new);
    /// NULL: the law neither stores nor damps.
    void (*energy)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy);
    /// For laws that depend on what the step decides: the core for the velocities that were found,
    /// made as prepare makes it, and the state at the end that it assumes. It depends on the state
    /// before the step and on these velocities, never on the core before. NULL: the core stands.
    void (*refine)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed);
    bool is_compressible; ///< openings of its points below zero are seen
    bool is_bonding;      ///< states and parameters are those of interfaces
    bool acts_beside;     ///< all that it stores and loses is that of something beside the contact
    bool needs_radius;    ///< of the surfaces
    bool has_beams;       ///< and its points without a face have moments: CN_BEAM_STATES follow
    bool needs_axes;      ///< tangents of the contact in the world
    /// Interfaces with dilatancy: CN_ROUGH_STATES follow those of the bond. It depends on `now`
    /// alone and gives the same when it is asked again with the `worn` that it gave. NULL: they are
    /// flat.
    void (*teeth)(const double *param, const cn_rough *now, cn_teeth *teeth);
    /// Gap up to which it acts at a distance [m]; NULL: it does not.
    double (*reach)(const double *param);
    /// Writes what follows from the parameters behind them, up to CN_LAW_PARAM_MAX, when the law is
    /// added to a world: what would else be worked out at every contact. NULL: nothing.
    void (*derive)(double *param);
    /// Whether the parameters fit each other; NULL: always. It may fail with cn_fail.
    cn_status (*check)(const double *param, cn_error *err);
    /// Energy in the springs of a point of an interface with this state [J]. Where it is given,
    /// points that slid away are renewed where the faces lie on each other now (theory 4.34).
    double (*stored)(const double *param, const double *state);
} cn_law;

/// Gap at the start of the step, from the one at q + gamma h v, less what a hollow curves away.
static inline double cn_law_gap_start(const cn_law_input *in)
{
    return in->gap - in->curvature_gap - in->gamma * in->h * in->u_before[0];
}

/// Laws that a process can register, at most.
#define CN_LAW_REGISTERED_MAX 64

/// Makes a law from outside known to scenes, worlds, Python and restarts of this process, as those
/// of the library are. It is refused if it does not state what it must, or if there is a law of
/// that name; the same law again is accepted. What it points to must live as long as the process.
/// Any thread may call it at any time; laws are never taken back.
CN_API cn_status cn_law_register(const cn_law *law, cn_error *err);

/// Loads a shared object and registers the laws of its array `const cn_law *const cn_own_laws[]`,
/// which ends with NULL. Code of the file runs: load only what you trust.
CN_API cn_status cn_law_load(const char *path, cn_error *err);

#ifdef __cplusplus
}
#endif
