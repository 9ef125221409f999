// What a scene file means: params, includes, selections, CSV files, groups and rules, stages.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/model.h"
#include "test.h"

static char folder[] = "/tmp/cairn-scene-XXXXXX";
static char last_line[2048];

static void keep_first(void *context, const char *line)
{
    (void)context;
    if (last_line[0] == '\0') {
        snprintf(last_line, sizeof last_line, "%s", line);
    }
}

static const char *path_of(const char *name)
{
    static char path[2][300];
    static int turn;
    turn = 1 - turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

static cn_status load(const char *name, const char *define, cn_scene **scene)
{
    last_line[0] = '\0';
    const char *defines[] = {define};
    return cn_scene_read(&(cn_scene_source){.name = path_of(name),
                                            .define = defines,
                                            .define_count = define != NULL ? 1 : 0},
                         keep_first, NULL, scene, &test_error);
}

static cn_scene *parse(const char *text)
{
    cn_scene *scene = NULL;
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text}, NULL, NULL, &scene,
                        &test_error));
    return scene;
}

// Bodies that a selector finds, -1 if it is refused.
static int count_of(const cn_scene *scene, const char *selector)
{
    cn_arena arena = {0};
    cn_pick pick = {0};
    cn_status status = cn_scene_select(scene, selector, &arena, &pick, &test_error);
    int count = status == CN_OK ? pick.count : -1;
    cn_arena_free(&arena);
    return count;
}

static int first_of(const cn_scene *scene, const char *selector)
{
    cn_arena arena = {0};
    cn_pick pick = {0};
    CN_DO(cn_scene_select(scene, selector, &arena, &pick, &test_error));
    int body = pick.count > 0 ? pick.body[0] : -1;
    cn_arena_free(&arena);
    return body;
}

#define HEAD "cairn: 1\nmaterials: {stone: {density: 2400}}\nlaws: {dry: {type: coulomb}}\n"
#define STAGE "stages: [{step: 1e-3, duration: 1}]\n"

CN_TEST(params_and_overrides)
{
    write_file("p.yaml",
               "cairn: 1\nparams: {R: 0.5, D: \"=2*R\"}\n"
               "bodies: {b: {shape: {disk: \"=D\"}, mass: 1, angle: \"=30*pi/180\"}}\n" STAGE);
    cn_scene *scene = NULL;
    CN_DO(load("p.yaml", NULL, &scene));
    CN_NEAR(scene->body[0].def.shapes.item[0].radius, 1.0, 0.0, "2 x 0.5");
    CN_NEAR(scene->body[0].def.angle, CN_PI / 6.0, 1e-15, "rounding");
    uint64_t plain = cn_scene_hash(scene);
    cn_scene_destroy(scene);
    CN_DO(load("p.yaml", "R=1.5", &scene));
    CN_NEAR(scene->body[0].def.shapes.item[0].radius, 3.0, 0.0, "D follows the override of R");
    CN_TRUE(cn_scene_hash(scene) != plain);
    cn_scene_destroy(scene);
    CN_FAILS(load("p.yaml", "S=1", &scene), CN_BAD_INPUT, "unknown param 'S' in overrides");
    CN_FAILS(load("p.yaml", "R", &scene), CN_BAD_INPUT, "not of the form name=value");
    CN_FAILS(load("p.yaml", "R=x", &scene), CN_BAD_INPUT, "override R=x");
}

CN_TEST(includes_are_merged)
{
    mkdir(path_of("lib"), 0700);
    write_file("lib/base.yaml", "params: {mu: 0.3}\nmaterials: {stone: {density: 2400}}\n"
                                "contacts: [{between: [any, any], law: dry}]\n");
    write_file("i.yaml", "cairn: 1\ninclude: lib/base.yaml\nparams: {twice: \"=2*mu\"}\n"
                         "laws: {dry: {type: coulomb, friction: \"=twice\"}}\n"
                         "contacts: [{between: [a, b], law: none}]\n"
                         "bodies:\n  a: {shape: {disk: 1}, material: stone}\n"
                         "  b: {shape: {disk: 1}, material: stone}\n" STAGE);
    cn_scene *scene = NULL;
    CN_DO(load("i.yaml", NULL, &scene));
    CN_NEAR(scene->law[0].def.param[0], 0.6, 0.0, "2 x 0.3");
    CN_TRUE(scene->rule_count == 2 && scene->rule[0].law == CN_LAW_NO_CONTACT);
    // The text stands alone and means the same.
    cn_scene *again = NULL;
    const char *text = cn_scene_text(scene);
    CN_TRUE(strstr(text, "include") == NULL);
    CN_DO(cn_scene_read(&(cn_scene_source){.name = "t.yaml", .text = text}, NULL, NULL, &again,
                        &test_error));
    CN_TRUE(again != NULL && again->body_count == 2 && again->rule_count == 2);
    cn_scene_destroy(again);
    cn_scene_destroy(scene);
}

CN_TEST(includes_name_their_file_in_messages)
{
    cn_scene *scene = NULL;
    write_file("bad.yaml", "materials:\n  stone: {densty: 1}\n");
    write_file("j.yaml", "cairn: 1\ninclude: [bad.yaml]\nbodies: {}\n" STAGE);
    CN_TRUE(load("j.yaml", NULL, &scene) == CN_BAD_INPUT);
    CN_TRUE(strstr(last_line, "/bad.yaml:2:11: error: unknown key 'densty' in material") != NULL);
    write_file("c1.yaml", "cairn: 1\ninclude: c2.yaml\n");
    write_file("c2.yaml", "include: c1.yaml\n");
    CN_FAILS(load("c1.yaml", NULL, &scene), CN_BAD_INPUT, "c1.yaml' includes itself");
    write_file("d1.yaml", "cairn: 1\ninclude: d2.yaml\nmaterials: {stone: 1}\n");
    write_file("d2.yaml", "materials: {stone: 2}\n");
    CN_FAILS(load("d1.yaml", NULL, &scene), CN_BAD_INPUT, "'stone' is given here and in");
}

CN_TEST(bulk_bodies_come_from_csv)
{
    cn_scene *scene = NULL;
    write_file("b.csv", "# three disks\nx, y, radius, vx\n0,0,0.1,1\n1,0,0.2,2\n\n2,0,0.3,3\n");
    write_file("b.yaml", HEAD "bodies: {g: {from: b.csv, material: stone, at: [10, 0]}}\n" STAGE);
    CN_DO(load("b.yaml", NULL, &scene));
    CN_TRUE(scene->body_count == 3);
    CN_NEAR(scene->body[2].def.at[0], 12.0, 0.0, "moved by the place of the entry");
    CN_NEAR(scene->body[2].def.shapes.item[0].radius, 0.3, 0.0, "third line of numbers");
    CN_NEAR(scene->body[2].def.velocity[0], 3.0, 0.0, "column vx");
    CN_TRUE(first_of(scene, "g[2]") == 1);
    cn_scene_destroy(scene);
    write_file("b.csv", "x,y,width,height,angle,mass\n0,0,2,1,0.5,7\n");
    write_file("b.yaml", HEAD "bodies: {g: {from: b.csv}}\n" STAGE);
    CN_DO(load("b.yaml", NULL, &scene));
    CN_NEAR(scene->body[0].def.density, 3.5, 1e-15, "7 kg on 2 m2");
    cn_scene_destroy(scene);
}

CN_TEST(bad_csv_files_name_line_and_column)
{
    cn_scene *scene = NULL;
    write_file("b.yaml", HEAD "bodies: {g: {from: b.csv, material: stone}}\n" STAGE);
    write_file("b.csv", "x,y,radius\n0,0,1\n0,abc,1\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "/b.csv:3:3: 'abc' is not a number");
    write_file("b.csv", "x,y,radius\n0,0\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "/b.csv:2:1: this line has 2 columns");
    write_file("b.csv", "x,y,radius\n0,0,\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "/b.csv:2:5: a number is missing");
    write_file("b.csv", "x,y,radius\n0,0,-1\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "/b.csv:2:1: radius must be > 0, got -1");
    write_file("b.csv", "x,y,radios\n0,0,1\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "unknown column 'radios' (did you mean");
    write_file("b.csv", "0,0,1\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "the first line must name the columns");
    write_file("b.csv", "");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "the file holds no line of numbers");
    write_file("b.csv", "x,y\n0,0\n");
    CN_FAILS(load("b.yaml", NULL, &scene), CN_BAD_INPUT, "the shape is needed once");
    unlink(path_of("b.csv"));
    CN_FAILS(load("b.yaml", NULL, &scene), CN_IO, "cannot read");
}

CN_TEST(selectors_find_bodies)
{
    cn_scene *scene = parse(
        HEAD "bodies:\n"
             "  table: {shape: {box: [4, 0.2]}, fixed: true, group: ground}\n"
             "  wall: {generate: {wall: {blocks: 3, courses: 4, block: [0.4, 0.2], bond: stack}},\n"
             "         material: stone, at: [0, 0.1]}\n"
             "  arch: {generate: {arch: {blocks: 5, radius: 1, thickness: 0.2}}, material: stone,\n"
             "         at: [9, 0], group: ground}\n" STAGE);
    CN_TRUE(count_of(scene, "any") == scene->body_count);
    CN_TRUE(count_of(scene, "wall") == 12);
    CN_TRUE(count_of(scene, "wall[2]") == 3); // a course
    CN_TRUE(count_of(scene, "wall[2,1]") == 1);
    CN_TRUE(first_of(scene, "wall[-1,-1]") == first_of(scene, "wall.last"));
    CN_TRUE(first_of(scene, "wall.first") == 1);
    CN_TRUE(count_of(scene, "wall[2], wall[3,1], table") == 5);
    CN_TRUE(count_of(scene, "wall[5]") == -1);
    CN_TRUE(count_of(scene, "wall[") == -1);
    CN_TRUE(count_of(scene, "wal") == -1);
    CN_TRUE(count_of(scene, "ground") == 1 + count_of(scene, "arch"));
    CN_TRUE(count_of(scene, "arch[3]") == 1); // one course: the third voussoir
    CN_TRUE(count_of(scene, "arch.supports") == 2);
    CN_TRUE(first_of(scene, "arch.supports") == first_of(scene, "arch[2,1]"));
    CN_TRUE(count_of(scene, "wall.supports") == -1);
    char name[96];
    cn_scene_body_name(scene, first_of(scene, "wall[3,2]"), name);
    CN_TRUE(strcmp(name, "wall[3,2]") == 0);
    cn_scene_destroy(scene);
}

CN_TEST(groups_and_rules_follow_the_names)
{
    cn_scene *scene = parse(
        HEAD
        "bodies:\n  a: {shape: {disk: 1}, material: stone, group: g}\n"
        "  b: {shape: {disk: 1}, material: stone, group: g, at: [5, 0]}\n"
        "  c: {shape: {disk: 1}, material: stone, at: [9, 0]}\n"
        "contacts:\n  - {between: [c, g], law: none}\n  - {between: [g, g], law: dry}\n" STAGE);
    CN_TRUE(scene->group_count == 3); // default, g, c: no rule speaks of a or b
    CN_TRUE(scene->body[0].def.group == scene->body[1].def.group);
    CN_TRUE(strcmp(scene->group[scene->body[0].def.group], "g") == 0);
    CN_TRUE(scene->rule[0].law == CN_LAW_NO_CONTACT && scene->rule[1].law == 0);
    cn_scene_destroy(scene);
    scene = parse(
        HEAD
        "bodies:\n  a: {shape: {disk: 1}, material: stone, group: g}\n"
        "  b: {shape: {disk: 1}, material: stone, group: g, at: [5, 0]}\n"
        "contacts:\n  - {between: [a, any], law: dry}\n  - {between: [g, g], law: none}\n" STAGE);
    CN_TRUE(scene->group_count == 3); // a is spoken of
    CN_TRUE(scene->rule[1].a_count == 2 && scene->rule[0].b[0] == CN_GROUP_ANY);
    cn_scene_destroy(scene);
}

CN_TEST(stages_hold_loads_and_conditions)
{
    cn_scene *scene = parse(
        HEAD "bodies:\n  drum: {shape: {hollow_disk: 1}, fixed: true}\n"
             "  ball: {shape: {disk: 0.1}, mass: 2, inertia: 3, fixed: [rotation]}\n"
             "scheme: 0.6\n"
             "stages:\n"
             "  - {step: 1e-3, until: at_rest, at_most: 2}\n"
             "  - name: turn\n    step: 1e-3\n    duration: 2\n    gravity: none\n"
             "    scheme: {theta: 1, gamma: 0.5}\n"
             "    drive: {drum: {spin: 2}}\n"
             "    force: {ball: {x: {cosine: {a: 3, w: 2}}, torque: {table: [[0, 1], [1, 2]]}, "
             "follower: true}}\n"
             "    stop_when: {moved: {group: ball, more_than: 0.2}, turned: {more_than: 1}}\n"
             "    fix: {ball: false}\n"
             "  - {step: 1e-3, duration: 1, remove: drum,\n"
             "     drive: {ball: {rotation: {rate: 1, about: [1, 2]}}}}\n"
             "observe:\n  - {name: r, resultant: [drum, ball]}\n  - {name: e, energy: any}\n"
             "solver: {accuracy: masonry, method: nlgs, order: random, seed: 5, patience: 7}\n");
    const cn_scene_stage *stage = scene->stage;
    CN_TRUE(scene->stage_count == 3);
    CN_TRUE(strcmp(stage[0].name, "stage 1") == 0 && stage[0].until_count == 1);
    // 1e-3 sqrt(g L) and 0.1 sqrt(L/g) with L = 0.2, the diameter of the ball.
    CN_NEAR(stage[0].until[0].limit, 1e-3 * sqrt(9.81 * 0.2), 1e-15, "rounding");
    CN_NEAR(stage[0].until[0].hold, 0.1 * sqrt(0.2 / 9.81), 1e-15, "longer than 10 steps");
    CN_NEAR(stage[0].theta, 0.6, 0.0, "of the scene");
    CN_NEAR(stage[0].gamma, 0.4, 1e-15, "1 - theta");
    CN_NEAR(stage[1].gamma, 0.5, 0.0, "as given");
    CN_NEAR(stage[1].gravity[1], 0.0, 0.0, "none");
    CN_TRUE(stage[1].drive_count == 3 && stage[1].drive[2].def.dof == CN_DOF_RZ);
    CN_NEAR(cn_function_at(&stage[1].drive[2].def.f, 0.3), 2.0, 0.0, "constant rate");
    CN_TRUE(stage[1].force_count == 2 && stage[1].force[1].def.is_torque);
    CN_NEAR(cn_function_at(&stage[1].force[0].def.f, 0.0), 3.0, 0.0, "a cos(0)");
    CN_NEAR(cn_function_at(&stage[1].force[1].def.f, 0.5), 1.5, 1e-15, "halfway in the table");
    CN_TRUE(stage[1].stop_count == 2 && stage[1].stop_when[0].kind == CN_CONDITION_MOVED);
    CN_TRUE(strcmp(stage[1].stop_when[0].text, "ball moved more than 0.2 m") == 0);
    CN_TRUE(stage[1].fix_count == 1 && stage[1].fix[0].fixed == 0);
    CN_TRUE(stage[2].removed.count == 1 && stage[2].drive[0].def.kind == CN_DRIVE_ROTATION);
    CN_NEAR(stage[2].drive[0].def.about[1], 2.0, 0.0, "as given");
    CN_TRUE(scene->body[1].def.fixed == 1u << CN_DOF_RZ && scene->body[1].def.density == 0.0);
    CN_TRUE(scene->observer_count == 2 && scene->observer[0].b.count == 1);
    CN_TRUE(scene->solver.method == CN_METHOD_NLGS && scene->solver.order == CN_ORDER_RANDOM);
    CN_TRUE(scene->solver.accuracy == CN_ACCURACY_MASONRY);
    CN_TRUE(scene->solver.eps_v == 0.0 && scene->solver.tol == 0.0); // they follow from the word
    CN_TRUE(scene->solver.patience == 7);
    CN_NEAR(scene->output.every, 0.05, 1e-15, "a hundredth of 2 + 2 + 1 s");
    cn_scene_destroy(scene);
}

CN_TEST(records_come_from_csv)
{
    cn_scene *scene = NULL;
    write_file("a.csv", "t,x,y\n0,1,10\n1,2,20\n");
    write_file("r.yaml", HEAD "bodies: {b: {shape: {disk: 1}, material: stone}}\n"
                              "stages:\n  - step: 0.1\n    duration: 1\n    drive:\n      b:\n"
                              "        acceleration: {x: {table: a.csv},\n"
                              "          y: {table: {file: a.csv, column: y, scale: 0.1}}}\n");
    CN_DO(load("r.yaml", NULL, &scene));
    CN_NEAR(cn_function_at(&scene->stage[0].drive[0].def.f, 1.0), 2.0, 0.0, "second column");
    CN_NEAR(cn_function_at(&scene->stage[0].drive[1].def.f, 1.0), 2.0, 1e-15, "scaled column y");
    cn_scene_destroy(scene);
    write_file("a.csv", "t,x,y\n0,1,10\n0,2,20\n");
    CN_FAILS(load("r.yaml", NULL, &scene), CN_BAD_INPUT, "times of a table must increase");
}

static void remove_files(void)
{
    static const char *const names[] = {"p.yaml", "lib/base.yaml", "lib",     "i.yaml",  "bad.yaml",
                                        "j.yaml", "c1.yaml",       "c2.yaml", "d1.yaml", "d2.yaml",
                                        "b.csv",  "b.yaml",        "a.csv",   "r.yaml"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        remove(path_of(names[k]));
    }
    rmdir(folder);
}

CN_MAIN(if (mkdtemp(folder) == NULL) { return 1; } CN_RUN(params_and_overrides);
        CN_RUN(includes_are_merged); CN_RUN(includes_name_their_file_in_messages);
        CN_RUN(bulk_bodies_come_from_csv); CN_RUN(bad_csv_files_name_line_and_column);
        CN_RUN(selectors_find_bodies); CN_RUN(groups_and_rules_follow_the_names);
        CN_RUN(stages_hold_loads_and_conditions); CN_RUN(records_come_from_csv); remove_files();)
