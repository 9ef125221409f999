// joint/condense_joints.c -- joints on large deformable bodies in the stored part of W,
// theory 11.24.
//
// Contacts are condensed from responses of nodes, which they share. A joint acts on many nodes by
// few rows: it has the responses A^-1 H of its rows instead, found anew in every step. Blocks among
// contacts stay where cn_contact_condense has put them, those of joints follow in the same array.
#include <limits.h>
#include <string.h>

#include "joint/joints.h"

// A constraint of a joint on a large body, or on two.
typedef struct cn_wide {
    int joint;
    int constraint;     // of the problem
    int first, rows;    // rows of the joint
    int mesh[2];        // large body of each side, -1: none
    size_t response[2]; // place of A^-1 H, row after row
} cn_wide;

static int large_mesh(const cn_bodies *b, const cn_link *link, int side)
{
    int mesh = link->mount[side].mesh;
    return mesh >= 0 && !cn_deformable_is_small(b->deformables, mesh) ? mesh : -1;
}

// Lists the constraints, in order, and makes room for their responses.
static cn_status list_wide(cn_joints *joints, const cn_bodies *b, cn_error *err)
{
    size_t response = 0, most = (size_t)(1 + 1 + CN_STOPS) * (size_t)joints->count;
    CN_TRY(cn_reserve(joints->hooks, &joints->wide, &joints->wide_capacity, most, err));
    joints->wide_count = 0;
    for (int n = 0; n < joints->count; n++) {
        const cn_link *link = &joints->link[n];
        const cn_link_step *s = &joints->step[n];
        const int mesh[2] = {large_mesh(b, link, 0), large_mesh(b, link, 1)};
        bool is_wide = s->constraint >= 0 && (mesh[0] >= 0 || mesh[1] >= 0);
        for (int k = 0; k < cn_link_all_rows(link) && is_wide; k += k == 0 ? link->rows : 1) {
            cn_wide *wide = &joints->wide[joints->wide_count++];
            *wide = (cn_wide){.joint = n,
                              .constraint = cn_link_constraint(link, s, k),
                              .first = k,
                              .rows = k == 0 ? link->rows : 1,
                              .mesh = {mesh[0], mesh[1]}};
            for (int side = 0; side < 2; side++) {
                int size = mesh[side] < 0 ? 0 : cn_deformable_dof(b->deformables, mesh[side]);
                wide->response[side] = response;
                response += (size_t)wide->rows * (size_t)size;
            }
        }
    }
    return cn_reserve(joints->hooks, &joints->response, &joints->response_capacity, response, err);
}

// Force and moment of row k on the mount of one side.
static void row_of(const cn_joints *joints, const cn_bodies *b, const cn_wide *wide, int side,
                   int k, cn_vec3 *force, cn_vec3 *moment)
{
    const cn_link_step *s = &joints->step[wide->joint];
    const double *H = side == 0 ? s->H_i : s->H_j;
    cn_link_split_row(b, H + b->kind->dof * (wide->first + k), side == 0 ? 1.0 : -1.0, force,
                      moment);
}

static double *response_of(const cn_joints *joints, const cn_bodies *b, const cn_wide *wide,
                           int side, int k)
{
    size_t size = (size_t)cn_deformable_dof(b->deformables, wide->mesh[side]);
    return joints->response + wide->response[side] + size * (size_t)k;
}

static cn_status find_responses(cn_joints *joints, cn_bodies *b, cn_error *err)
{
    for (int n = 0; n < 2 * joints->wide_count; n++) {
        const cn_wide *wide = &joints->wide[n / 2];
        int side = n % 2, mesh = wide->mesh[side];
        const cn_link *link = &joints->link[wide->joint];
        for (int k = 0; k < wide->rows && mesh >= 0; k++) {
            double *to = response_of(joints, b, wide, side, k);
            cn_vec3 force, moment;
            row_of(joints, b, wide, side, k, &force, &moment);
            memset(to, 0, sizeof(double) * (size_t)cn_deformable_dof(b->deformables, mesh));
            cn_mount_row(b->deformables, &link->mount[side], &joints->step[wide->joint].turn[side],
                         force, moment, to);
            CN_TRY(cn_iteration_matrix_solve(cn_deformable_matrix_of(b->deformables, mesh), to, to,
                                             err));
        }
    }
    return CN_OK;
}

static bool has_contact(const cn_contacts *c, int a, const cn_wide *wide)
{
    bool is_shared = false;
    for (int side = 0; side < 2; side++) {
        const cn_anchor *anchor = cn_contact_anchor(c, a, side);
        is_shared = is_shared || (anchor != NULL &&
                                  (anchor->mesh == wide->mesh[0] || anchor->mesh == wide->mesh[1]));
    }
    return is_shared;
}

static bool is_shared(const cn_wide *x, const cn_wide *y)
{
    return (x->mesh[0] >= 0 && (x->mesh[0] == y->mesh[0] || x->mesh[0] == y->mesh[1])) ||
           (x->mesh[1] >= 0 && (x->mesh[1] == y->mesh[0] || x->mesh[1] == y->mesh[1]));
}

// Blocks of the stored part as they are listed: counted first, then written.
typedef struct listing {
    cn_joints *joints;
    const cn_problem *p;
    bool is_written;
    size_t count, end; // blocks, end of their entries
} listing;

static int rows_of(const cn_problem *p, int a)
{
    return p->row_start[a + 1] - p->row_start[a];
}

// A block of joints, behind all others.
static void add_block(listing *to, int a, int col)
{
    if (to->is_written) {
        to->joints->W_col[to->count] = col;
        to->joints->W_start[to->count] = (int)to->end;
    }
    to->count++;
    to->end += (size_t)(rows_of(to->p, a) * rows_of(to->p, col));
}

// Blocks of a contact with contacts, where they are.
static void add_contact_row(listing *to, int a)
{
    const cn_rows *rows = &to->p->W.rows;
    if (rows->row == NULL) {
        add_block(to, a, a);
        return;
    }
    for (int n = rows->row[a]; n < rows->row[a + 1]; n++, to->count++) {
        if (to->is_written) {
            to->joints->W_col[to->count] = rows->col[n];
            to->joints->W_start[to->count] = rows->block_start[n];
        }
    }
}

// One row of constraints; `own` is its entry if it is a joint on a large body, else NULL.
static void add_row(listing *to, const cn_contacts *c, int a, const cn_wide *own)
{
    const cn_joints *joints = to->joints;
    if (a < c->count) {
        add_contact_row(to, a);
    } else if (own == NULL) {
        add_block(to, a, a);
    }
    for (int col = 0; col < c->count && own != NULL; col++) {
        if (has_contact(c, col, own)) {
            add_block(to, a, col);
        }
    }
    for (int n = 0; n < joints->wide_count; n++) {
        const cn_wide *wide = &joints->wide[n];
        if (a < c->count ? has_contact(c, a, wide) : own != NULL && is_shared(own, wide)) {
            add_block(to, a, wide->constraint);
        }
    }
}

// Pattern of the stored part, two passes; new blocks are zero.
static cn_status link_rows(cn_joints *joints, cn_contacts *c, const cn_problem *p, size_t first,
                           cn_error *err)
{
    size_t constraints = (size_t)p->contact_count;
    CN_TRY(
        cn_reserve(joints->hooks, &joints->W_row, &joints->W_row_capacity, constraints + 1, err));
    for (int pass = 0; pass < 2; pass++) {
        listing to = {.joints = joints, .p = p, .is_written = pass == 1, .end = first};
        for (int a = 0, n = 0; a < p->contact_count; a++) {
            bool is_wide = n < joints->wide_count && joints->wide[n].constraint == a;
            joints->W_row[a] = (int)to.count;
            add_row(&to, c, a, is_wide ? &joints->wide[n] : NULL);
            n += is_wide;
        }
        joints->W_row[p->contact_count] = (int)to.count;
        if (to.end > INT_MAX) {
            return cn_fail(err, CN_NO_MEMORY,
                           "%d contacts and %d joints on deformable bodies are more than can be "
                           "condensed",
                           c->count, joints->count);
        }
        CN_TRY(cn_reserve(joints->hooks, &joints->W_col, &joints->W_col_capacity, to.count, err));
        CN_TRY(
            cn_reserve(joints->hooks, &joints->W_start, &joints->W_start_capacity, to.count, err));
        CN_TRY(cn_reserve(c->hooks, &c->W_block, &c->capacity.W_block, to.end, err));
        memset(c->W_block + first, 0, sizeof(double) * (to.end - first));
    }
    return CN_OK;
}

// Value of a response at a node.
static cn_vec3 at_node(const cn_bodies *b, const double *response, int node)
{
    const double *x = response + b->dim * node;
    return cn_v3(x[0], x[1], b->dim == 3 ? x[2] : 0.0);
}

// Block of a contact and a joint, rows of the contact first.
static void couple_contact(const cn_joints *joints, const cn_contacts *c, const cn_bodies *b, int a,
                           const cn_wide *wide, double *block)
{
    cn_axes frame = cn_contact_row_axes(c, a);
    for (int n = 0; n < 4 * wide->rows; n++) {
        int k = n / 4, side = n % 4 / 2, own = n % 2;
        const cn_anchor *anchor = cn_contact_anchor(c, a, own);
        if (anchor == NULL || anchor->mesh != wide->mesh[side]) {
            continue;
        }
        cn_vec3 sum = {0.0, 0.0, 0.0};
        for (int l = 0; l < anchor->count; l++) {
            sum = cn_add_mul3(sum, anchor->weight[l],
                              at_node(b, response_of(joints, b, wide, side, k), anchor->node[l]));
        }
        for (int l = 0; l < c->d; l++) {
            block[wide->rows * l + k] += (own == 0 ? 1.0 : -1.0) * cn_dot3(frame.axis[l], sum);
        }
    }
}

// One entry of the block of two joints: H^T A^-1 H of row k of x and row l of y.
static double couple_rows(const cn_joints *joints, const cn_bodies *b, const cn_wide *x, int k,
                          const cn_wide *y, int l)
{
    double sum = 0.0;
    for (int n = 0; n < 4; n++) {
        int side = n / 2, other = n % 2;
        if (x->mesh[side] < 0 || x->mesh[side] != y->mesh[other]) {
            continue;
        }
        const cn_mount *mount = &joints->link[x->joint].mount[side];
        const cn_mount_turn *turn = &joints->step[x->joint].turn[side];
        const double *response = response_of(joints, b, y, other, l);
        cn_vec3 force, moment;
        row_of(joints, b, x, side, k, &force, &moment);
        for (int a = 0; a < mount->count; a++) { // held degrees of freedom do not respond
            sum += cn_dot3(cn_mount_share(mount, turn, a, force, moment),
                           at_node(b, response, mount->node[a]));
        }
    }
    return sum;
}

// Block (a, col), which is there.
static double *find_block(const cn_joints *joints, const cn_contacts *c, int a, int col)
{
    int n = joints->W_row[a];
    while (joints->W_col[n] != col) {
        n++;
    }
    return c->W_block + joints->W_start[n];
}

// The blocks of one joint with contacts and with joints up to itself, and their transposes.
static void fill_joint(const cn_joints *joints, cn_contacts *c, const cn_bodies *b, int n)
{
    const cn_wide *wide = &joints->wide[n];
    int rows = wide->rows;
    for (int a = 0; a < c->count; a++) {
        if (has_contact(c, a, wide)) {
            double *block = find_block(joints, c, a, wide->constraint);
            double *other = find_block(joints, c, wide->constraint, a);
            couple_contact(joints, c, b, a, wide, block);
            for (int k = 0; k < c->d * rows; k++) {
                other[c->d * (k % rows) + k / rows] = block[k];
            }
        }
    }
    for (int m = 0; m <= n; m++) {
        const cn_wide *earlier = &joints->wide[m];
        if (!is_shared(wide, earlier)) {
            continue;
        }
        double *block = find_block(joints, c, wide->constraint, earlier->constraint);
        double *other = find_block(joints, c, earlier->constraint, wide->constraint);
        for (int k = 0; k < rows * earlier->rows; k++) {
            int i = k / earlier->rows, j = k % earlier->rows;
            block[k] = couple_rows(joints, b, wide, i, earlier, j);
            other[rows * j + i] = block[k];
        }
    }
}

// Where the blocks of contacts end. If there are none, what may be left of them is given up.
static size_t end_of_contacts(cn_contacts *c, const cn_problem *p)
{
    const cn_rows *rows = &p->W.rows;
    int last = p->contact_count - 1;
    if (rows->row == NULL) {
        c->seat_count = 0;
        return 0;
    }
    int n = rows->row[p->contact_count] - 1;
    return (size_t)rows->block_start[n] + (size_t)(rows_of(p, last) * rows_of(p, rows->col[n]));
}

cn_status cn_joint_condense(cn_joints *joints, cn_bodies *b, cn_contacts *c, cn_problem *p,
                            cn_error *err)
{
    if (p->W.rows.row == joints->W_row) { // of the last iteration: no contact was condensed since
        p->W.rows = (cn_rows){NULL, NULL, NULL, NULL};
    }
    if (joints->count == 0) {
        return CN_OK;
    }
    CN_TRY(list_wide(joints, b, err));
    if (joints->wide_count == 0) {
        return CN_OK;
    }
    CN_TRY(find_responses(joints, b, err));
    CN_TRY(link_rows(joints, c, p, end_of_contacts(c, p), err));
    for (int n = 0; n < joints->wide_count; n++) {
        fill_joint(joints, c, b, n);
    }
    p->W.rows = (cn_rows){joints->W_row, joints->W_col, joints->W_start, c->W_block};
    return CN_OK;
}
