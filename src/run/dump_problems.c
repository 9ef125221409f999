// run/dump_problems.c -- records the contact problems of steps as FCLIB files: those asked for, and
// the first few that did not converge, for a study with cairn solve.
#include "run/run.h"

#include "base/memory.h"
#include "cairn/problem_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Larger problems are recorded on request only: files of 300 bytes per contact add up.
enum { FAILED_CONTACT_MAX = 200000 };

static bool is_asked_for(const cn_run *run, int64_t step)
{
    return step >= run->def->dump_first && step <= run->def->dump_last;
}

static cn_status make_folder(const char *path, cn_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "cannot make the folder '%s' for contact problems: %s", path,
                       strerror(errno));
    }
    return CN_OK;
}

static cn_status record(const cn_run *run, cn_error *err)
{
    const cn_certificate *c = cn_world_view(run->world).certificate;
    char path[1024], description[256];
    snprintf(path, sizeof path, "%s/step_%06" PRId64 ".hdf5", run->def->dump_folder, c->step);
    snprintf(description, sizeof description,
             "step %" PRId64 " to t = %.9g s, h = %.9g s, %s: residual %.3g, energy error %.3g",
             c->step, c->time, c->h, c->solver.is_converged ? "converged" : "not converged",
             c->solver.residual.err_v, c->solver.residual.err_e);
    cn_problem problem;
    cn_problem_note note = {.title = run->scene->title,
                            .description = description,
                            .math_info = "guess 1 is the warm start, the solution that of the run",
                            .with_solution = true,
                            .as_global = true};
    CN_TRY(cn_world_problem(run->world, &problem, &note.guess, err));
    CN_TRY(make_folder(run->def->dump_folder, err));
    return cn_problem_write(path, &problem, &note, err);
}

cn_status cn_run_dump(cn_run *run, cn_error *err)
{
    const cn_certificate *c = cn_world_view(run->world).certificate;
    if (run->def->dump_folder == NULL || c->contact_count + c->joint_count == 0) {
        return CN_OK;
    }
    if (is_asked_for(run, c->step)) {
        CN_TRY(record(run, err));
        run->dump_count++;
    } else if (!c->solver.is_converged && run->dump_failed < run->def->dump_failed_max &&
               c->contact_count <= FAILED_CONTACT_MAX) {
        // A record that nobody asked for must not end the run: the layout may have no place for it.
        cn_error ignored = {0};
        run->dump_failed++;
        run->dump_count += record(run, &ignored) == CN_OK;
    }
    return CN_OK;
}
