// Observed series and restarts of runs, read back from the result file.
#include "cairn/cairn.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

// A block of 3 kg on the ground pushed by 4 N (it sticks), a pendulum-free ball in flight, and in
// the second stage a table that oscillates. |g| = 10.
static const char scene_text[] =
    "cairn: 1\n"
    "gravity: [0, -10]\n"
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "solver: {accuracy: 1e-9, tol: 1e-10}\n"
    "bodies:\n"
    "  ground: {shape: {half_plane: {}}, fixed: true}\n"
    "  block: {shape: {box: [0.4, 0.2]}, at: [0.5, 0.1], mass: 3}\n"
    "  ball: {shape: {disk: 0.1}, at: [5, 4], mass: 2, velocity: [1, 0], spin: 0.5}\n"
    "  table: {shape: {box: [1, 0.2]}, at: [-5, 3], fixed: true}\n"
    "  gate: {shape: {box: [0.1, 0.1]}, at: [9, 3], fixed: true}\n"
    "stages:\n"
    "  - {name: push, step: 1e-3, duration: 0.1, force: {block: {x: 4}}}\n"
    "  - name: shake\n"
    "    step: 1e-3\n"
    "    duration: 0.2\n"
    "    remove: gate\n"
    "    drive: {table: {velocity: {x: {cosine: {a: 0.3, w: 20}}, y: 0, rotation: 0}}}\n"
    "    force: {block: {x: {table: [[0, 0], [0.2, 60]]}}}\n"
    "observe:\n"
    "  - {name: foot, resultant: {between: [block, ground], about: [0.5, 0]}}\n"
    "  - {name: back, resultant: {between: [ground, block], about: [0, 0]}}\n"
    "  - {name: ball, track: {body: ball}}\n"
    "  - {name: table, track: {body: table}}\n"
    "  - {name: fall, energy: {group: ball}}\n"
    "  - {name: way, moved: {group: ball, from: table, more_than: 0.3}}\n"
    "  - {name: gate, moved: gate}\n"
    "  - {name: sway, moved: table}\n"
    "output: {every: 0.03}\n";

typedef struct folder {
    char name[64], result[96], checkpoint[96];
} folder;

static folder make_folder(void)
{
    folder f = {.name = "/tmp/cairn-run-XXXXXX"};
    CN_TRUE(mkdtemp(f.name) != NULL);
    snprintf(f.result, sizeof f.result, "%s/a.h5", f.name);
    snprintf(f.checkpoint, sizeof f.checkpoint, "%s/a.ckpt.h5", f.name);
    return f;
}

static void remove_folder(const folder *f)
{
    char old[128];
    snprintf(old, sizeof old, "%s.old", f->checkpoint);
    remove(f->result);
    remove(f->checkpoint);
    remove(old);
    rmdir(f->name);
}

static void print_problem(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static cn_scene *parse_text(const char *text)
{
    cn_scene *scene = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "test.yaml", .text = text}, print_problem, NULL,
                        &scene, &test_error));
    return scene;
}

static cn_scene *parse(void)
{
    return parse_text(scene_text);
}

// The last value of a series up to this step.
static double at_step(cn_reader *reader, const char *name, int64_t step)
{
    cn_column column = {0};
    CN_DO(cn_reader_column(reader, name, &column, &test_error));
    CN_TRUE(column.count >= step);
    return column.count >= step ? column.value[step - 1] : NAN;
}

CN_TEST(observers_show_forces_and_motion)
{
    folder f = make_folder();
    cn_scene *scene = parse();
    cn_run_def def = cn_run_def_default();
    def.result_path = f.result;
    CN_DO(cn_scene_run(scene, &def, NULL, &test_error));
    cn_reader *reader = NULL;
    CN_DO(cn_reader_open(f.result, &reader, &test_error));
    const double solver = 1e-6; // [N]

    CN_NEAR(at_step(reader, "series/foot.fx", 50), -4.0, solver, "friction holds the push");
    CN_NEAR(at_step(reader, "series/foot.fy", 50), 30.0, solver, "weight, to solver accuracy");
    CN_NEAR(at_step(reader, "series/foot.moment", 50), 4.0 * 0.1, solver,
            "the push acts 0.1 m above the ground and the block does not turn");
    CN_NEAR(at_step(reader, "series/back.fy", 50), -30.0, solver, "action and reaction");
    CN_NEAR(at_step(reader, "series/back.moment", 50), -30.0 * 0.5 - 0.4, solver,
            "the same force about the origin");

    double t = 0.3;
    CN_NEAR(at_step(reader, "series/ball.x", 300), 5.0 + t, 1e-12, "uniform motion");
    CN_NEAR(at_step(reader, "series/ball.y", 300), 4.0 - 5.0 * t * t, 1e-12,
            "theta = 1/2 is exact for a constant force");
    CN_NEAR(at_step(reader, "series/ball.vy", 300), -10.0 * t, 1e-12, "constant force");
    CN_NEAR(at_step(reader, "series/ball.angle", 300), 0.5 * t, 1e-12, "uniform spin");
    CN_NEAR(at_step(reader, "series/fall.kinetic", 300) +
                at_step(reader, "series/fall.potential", 300),
            0.5 * 2.0 + 0.5 * (0.5 * 2.0 * 0.01) * 0.25 + 2.0 * 10.0 * 4.0, 1e-10,
            "free flight keeps its energy");

    // the clock of the drive starts with its stage
    CN_NEAR(at_step(reader, "series/table.vx", 300), 0.3 * cos(20.0 * 0.2), 1e-12,
            "v(t+h) = f(t+h)");
    CN_NEAR(at_step(reader, "series/table.x", 300), -5.0 + 0.3 / 20.0 * sin(20.0 * 0.2), 2e-4,
            "trapezes; the first one starts from rest: h/2 * 0.3 = 1.5e-4");

    // ways are those since the stage began, at 0.1 s; the gate has been removed
    double base = at_step(reader, "series/sway.x", 300), x = 0.2 - base, y = -5.0 * (0.09 - 0.01);
    CN_NEAR(base, at_step(reader, "series/table.x", 300) + 5.0, 1e-12, "it stood before");
    CN_NEAR(at_step(reader, "series/way.x", 300), x, 1e-12, "uniform motion, less the table's");
    CN_NEAR(at_step(reader, "series/way.y", 300), y, 1e-12, "5 t^2 of 0.3 s less that of 0.1 s");
    CN_NEAR(at_step(reader, "series/way.largest", 300), hypot(x, y), 1e-12, "of one body");
    CN_NEAR(at_step(reader, "series/way.turned", 300), 0.5 * 0.2, 1e-12, "uniform spin");
    CN_NEAR(at_step(reader, "series/way.lost", 100), 0.0, 0.0, "y is -0.05");
    CN_NEAR(at_step(reader, "series/way.lost", 300), 1.0, 0.0, "0.44 m from where it was");
    CN_NEAR(at_step(reader, "series/gate.lost", 100), 0.0, 0.0, "it stands");
    CN_NEAR(at_step(reader, "series/gate.lost", 101), 1.0, 0.0, "it has been removed");
    CN_TRUE(isnan(at_step(reader, "series/gate.x", 101)));
    cn_reader_close(reader);
    cn_scene_destroy(scene);
    remove_folder(&f);
}

CN_TEST(a_restart_continues_bit_for_bit)
{
    cn_scene *scene = parse();
    cn_run_def straight = cn_run_def_default();
    cn_run_report whole;
    CN_DO(cn_scene_run(scene, &straight, &whole, &test_error));
    const double until[] = {0.001, 0.05, 0.1, 0.101, 0.25, 0.3};
    for (int k = 0; k < 6; k++) {
        folder f = make_folder();
        cn_run_def def = cn_run_def_default();
        cn_run_report report;
        def.checkpoint_path = f.checkpoint;
        def.until = until[k];
        CN_DO(cn_scene_run(scene, &def, NULL, &test_error));
        def.restart_path = f.checkpoint;
        def.until = INFINITY;
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
        CN_TRUE(report.state_hash == whole.state_hash);
        CN_TRUE(report.steps == whole.steps && report.sweeps == whole.sweeps);
        CN_TRUE(report.residual_max == whole.residual_max);
        CN_TRUE(report.penetration_max == whole.penetration_max);
        CN_TRUE(report.energy_error == whole.energy_error);
        CN_TRUE(strcmp(report.outcome, "reached the end") == 0);
        remove_folder(&f);
    }
    cn_scene_destroy(scene);
}

// One step at a time, with a checkpoint between any two, is the same run.
CN_TEST(many_restarts_are_no_restart)
{
    folder f = make_folder();
    cn_scene *scene = parse();
    cn_run_def def = cn_run_def_default();
    cn_run_report whole, report = {0};
    def.until = 0.13;
    CN_DO(cn_scene_run(scene, &def, &whole, &test_error));
    def.checkpoint_path = f.checkpoint;
    for (int k = 0; k < 13; k++) {
        def.until = 0.01 * (k + 1);
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
        def.restart_path = f.checkpoint;
    }
    CN_TRUE(report.state_hash == whole.state_hash && report.steps == whole.steps);
    cn_scene_destroy(scene);
    remove_folder(&f);
}

// What conditions have counted, and where their stage began, is part of a checkpoint: a block
// falls, comes to rest, and is then carried off until it has moved by 5 cm.
CN_TEST(conditions_survive_a_restart)
{
    folder f = make_folder();
    cn_scene *scene = parse_text("cairn: 1\n"
                                 "gravity: [0, -10]\n"
                                 "laws: {dry: {type: coulomb, friction: 0.5}}\n"
                                 "contacts: [{between: [any, any], law: dry}]\n"
                                 "bodies:\n"
                                 "  belt: {shape: {half_plane: {}}, fixed: true}\n"
                                 "  block: {shape: {box: [0.4, 0.2]}, at: [0, 0.11], mass: 3}\n"
                                 "stages:\n"
                                 "  - {step: 1e-3, until: {at_rest: {hold: 0.03}}, at_most: 1}\n"
                                 "  - step: 1e-3\n"
                                 "    duration: 1\n"
                                 "    drive: {belt: {velocity: {x: 0.5, y: 0, rotation: 0}}}\n"
                                 "    stop_when: {moved: {group: block, more_than: 0.05}}\n");
    cn_run_def def = cn_run_def_default();
    cn_run_report whole, report = {0};
    CN_DO(cn_scene_run(scene, &def, &whole, &test_error));
    CN_TRUE(strncmp(whole.outcome, "stopped: ", 9) == 0);
    def.checkpoint_path = f.checkpoint;
    for (int k = 1; k <= 40; k++) {
        def.until = k < 40 ? 0.007 * k : INFINITY;
        CN_DO(cn_scene_run(scene, &def, &report, &test_error));
        def.restart_path = f.checkpoint;
    }
    CN_TRUE(report.state_hash == whole.state_hash && report.steps == whole.steps);
    CN_TRUE(strcmp(report.outcome, whole.outcome) == 0);
    cn_scene_destroy(scene);
    remove_folder(&f);
}

CN_TEST(frames_come_at_their_interval_and_at_the_end)
{
    folder f = make_folder();
    cn_scene *scene = parse();
    cn_run_def def = cn_run_def_default();
    def.result_path = f.result;
    def.until = 0.1;
    CN_DO(cn_scene_run(scene, &def, NULL, &test_error));
    cn_reader *reader = NULL;
    CN_DO(cn_reader_open(f.result, &reader, &test_error));
    const int64_t steps[] = {0, 30, 60, 90, 100};
    CN_TRUE(cn_reader_summary(reader)->frames == 5);
    for (int k = 0; k < 5; k++) {
        cn_frame frame = {0};
        CN_DO(cn_reader_frame(reader, k, &frame, &test_error));
        CN_TRUE(frame.step == steps[k]);
    }
    cn_reader_close(reader);
    cn_scene_destroy(scene);
    remove_folder(&f);
}

// A ball flies through a sheared cell in which grains are carried along; the next stage begins when
// it has gone by more than two cells, whichever way that is asked, and grains grow in it.
static const char cell_scene[] =
    "cairn: 1\n"
    "gravity: none\n"
    "cell: {size: [1, 1]}\n"
    "laws: {dry: {type: coulomb, friction: 0.5}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  ball: {shape: {disk: 0.02}, at: [0.5, 0.5], mass: 1, velocity: [1, 0]}\n"
    "  a: {shape: {disk: 0.02}, at: [0.2, 0.1], mass: 1, group: grains}\n"
    "  b: {shape: {disk: 0.02}, at: [0.8, 0.2], mass: 1, group: grains}\n"
    "  c: {shape: {disk: 0.02}, at: [0.3, 0.9], mass: 1, group: grains}\n"
    "  d: {shape: {disk: 0.02}, at: [0.7, 0.8], mass: 2, group: grains}\n"
    "stages:\n"
    "  - {step: 0.01, until: {moved: {group: ball, more_than: 2.505}}, at_most: 9}\n"
    "  - {step: 0.01, until: {series: {of: way.largest, above: 1.205}}, at_most: 9}\n"
    "  - {step: 0.01, duration: 1, cell: {strain_rate: {xy: 1.5, xx: 0, yy: 0}},\n"
    "     grow: {grains: {to: 2}}}\n"
    "observe:\n"
    "  - {name: way, moved: ball}\n"
    "  - {name: s, strain: grains}\n"
    "  - {name: f, fraction: grains}\n"
    "output: {every: 1}\n";

CN_TEST(ways_go_on_across_the_faces_of_a_cell)
{
    folder f = make_folder();
    cn_scene *scene = parse_text(cell_scene);
    cn_run_def def = cn_run_def_default();
    cn_run_report report;
    def.result_path = f.result;
    CN_DO(cn_scene_run(scene, &def, &report, &test_error));
    CN_TRUE(report.steps == 251 + 121 + 100); // limits lie half a step before the ways
    cn_reader *reader = NULL;
    CN_DO(cn_reader_open(f.result, &reader, &test_error));
    CN_NEAR(at_step(reader, "series/way.x", 251), 2.51, 1e-12, "and not 0.51");
    CN_NEAR(at_step(reader, "series/s.xy", 472), 1.5, 1e-12, "they go with the cell");
    CN_NEAR(at_step(reader, "series/s.xx", 472), 0.0, 1e-12, "and with nothing else");
    CN_NEAR(at_step(reader, "series/s.shear", 472), 1.5, 1e-12, "a simple shear");
    CN_NEAR(at_step(reader, "series/s.non_affine", 472), 0.0, 1e-12, "all of it is affine");
    double disk = CN_PI * 0.02 * 0.02;
    CN_NEAR(at_step(reader, "series/f.fraction", 372), 4.0 * disk, 1e-15, "before they grow");
    CN_NEAR(at_step(reader, "series/f.fraction", 472), 16.0 * disk, 1e-14, "twice as wide");
    cn_reader_close(reader);
    remove_folder(&f);
    for (int k = 1; k <= 3; k++) { // in the first stage, in the second, while they grow
        folder g = make_folder();
        cn_run_def part = cn_run_def_default();
        cn_run_report end;
        part.checkpoint_path = g.checkpoint;
        part.until = 1.6 * k - 0.4;
        CN_DO(cn_scene_run(scene, &part, NULL, &test_error));
        part.restart_path = g.checkpoint;
        part.until = INFINITY;
        CN_DO(cn_scene_run(scene, &part, &end, &test_error));
        CN_TRUE(end.state_hash == report.state_hash && end.steps == report.steps);
        remove_folder(&g);
    }
    cn_scene_destroy(scene);
}

CN_MAIN(CN_RUN(observers_show_forces_and_motion); CN_RUN(a_restart_continues_bit_for_bit);
        CN_RUN(many_restarts_are_no_restart); CN_RUN(conditions_survive_a_restart);
        CN_RUN(frames_come_at_their_interval_and_at_the_end);
        CN_RUN(ways_go_on_across_the_faces_of_a_cell);)
