// limit/limit.c -- the public way in: from a program to bounds that are checked.
#include <stdlib.h>
#include <string.h>

#include "limit/interior.h"

cn_limit_def cn_limit_def_default(void)
{
    return (cn_limit_def){.gap = 1e-6, .iteration_max = 200};
}

const char *cn_limit_outcome_name(cn_limit_outcome outcome)
{
    static const char *const name[] = {"bounded", "falls", "unbounded", "undecided"};
    return (unsigned)outcome <= CN_LIMIT_UNDECIDED ? name[outcome] : "unknown";
}

void cn_limit_destroy(cn_limit *limit)
{
    if (limit != NULL) {
        CN_RELEASE(limit->r, limit->v, limit);
    }
}

static cn_status create(const cn_limit_program *program, cn_limit **limit, cn_error *err)
{
    cn_limit *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->contact_count = program->contact_count;
        made->dof_count = program->dof_start[program->body_count];
        made->r = calloc(3 * (size_t)made->contact_count, sizeof *made->r);
        made->v = calloc((size_t)made->dof_count, sizeof *made->v);
    }
    if (made == NULL || made->r == NULL || made->v == NULL) {
        cn_limit_destroy(made);
        return cn_fail(err, CN_NO_MEMORY, "no memory for the limit of %d contacts",
                       program->contact_count);
    }
    *limit = made;
    return CN_OK;
}

cn_status cn_limit_solve(const cn_limit_program *program, const cn_limit_def *def, cn_limit **limit,
                         cn_error *err)
{
    CN_NEED(err, program, def, limit);
    *limit = NULL;
    if (!(def->gap > 0.0) || def->iteration_max < 1) {
        return cn_fail(err, CN_BAD_INPUT, "a gap > 0 and at least one iteration, got %g and %d",
                       def->gap, def->iteration_max);
    }
    cn_cones cones;
    cn_limit *made = NULL;
    cn_status status = cn_cones_make(program, &cones, err);
    CN_THEN(status, create(program, &made, err));
    CN_THEN(status, cn_inside_run(&cones, def, made, err));
    cn_cones_free(&cones);
    CN_THEN(status, cn_limit_verify(program, made, err));
    if (status != CN_OK) {
        cn_limit_destroy(made);
        return status;
    }
    *limit = made;
    return CN_OK;
}
