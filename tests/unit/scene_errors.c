// Messages of bad scenes: each class has its own words, with file, line and column.
#include "cairn/scene.h"
#include "test.h"

// All lines told, joined.
typedef struct heard {
    char text[16384];
    size_t length;
} heard;

static void hear(void *context, const char *line)
{
    heard *h = context;
    size_t room = sizeof h->text - h->length;
    int wrote = snprintf(h->text + h->length, room, "%s\n", line);
    h->length += wrote > 0 && (size_t)wrote < room ? (size_t)wrote : 0;
}

static heard told;

static cn_status parse(const char *text, size_t length)
{
    cn_scene *scene = NULL;
    told = (heard){0};
    cn_status status =
        cn_scene_read(&(cn_scene_source){.name = "s.yaml", .text = text, .length = length}, hear,
                      &told, &scene, &test_error);
    cn_scene_destroy(scene);
    return status;
}

// The scene must be refused with this line among those told.
static void expect(int line, const char *text, const char *wanted)
{
    cn_status status = parse(text, strlen(text));
    test_count++;
    if (status != CN_BAD_INPUT || strstr(told.text, wanted) == NULL) {
        test_failures++;
        printf("%s:%d: %s: wanted \"%s\", got %s:\n%s", __FILE__, line, test_name, wanted,
               cn_status_name(status), told.text);
    }
}

#define EXPECT(text, wanted) expect(__LINE__, text, wanted)

#define HEAD "cairn: 1\nmaterials: {stone: {density: 2400}}\nlaws: {dry: {type: coulomb}}\n"
#define BALL "bodies: {ball: {shape: {disk: {radius: 1}}, material: stone}}\n"
#define STAGE "stages: [{step: 1e-3, duration: 1}]\n"

CN_TEST(a_good_scene_is_silent)
{
    const char *text = HEAD BALL STAGE;
    CN_DO(parse(text, strlen(text)));
    CN_TRUE(told.length == 0);
    text = HEAD BALL STAGE "scheme: {theta: 1.0000001}\n"; // reads like the limit: it is the limit
    CN_DO(parse(text, strlen(text)));
}

CN_TEST(spinning_belongs_to_space)
{
    EXPECT("cairn: 1\nlaws: {dry: {type: coulomb, rolling: 0.1, spinning: 0.1}}\n"
           "materials: {stone: 1}\n" BALL STAGE,
           "s.yaml:2:53: error: in the plane bodies do not spin about normals; give rolling");
}

CN_TEST(unknown_keys_name_the_nearest)
{
    EXPECT(HEAD "bodies:\n  ball: {shape: {disk: {radus: 1}}, material: stone}\n" STAGE,
           "s.yaml:5:25: error: unknown key 'radus' in disk (did you mean 'radius'?)\n"
           "    ball: {shape: {disk: {radus: 1}}, material: stone}\n"
           "                          ^\n");
    EXPECT(HEAD BALL STAGE "soler: {}\n",
           "s.yaml:6:1: error: unknown key 'soler' in scene (did you "
           "mean 'solver'?)");
    EXPECT(HEAD BALL STAGE "xyzzy: {}\n", "(known: cairn, title, dimension");
    EXPECT(HEAD BALL "stages: [{step: 1, durration: 1}]\n", "(did you mean 'duration'?)");
}

CN_TEST(first_key_is_the_version)
{
    EXPECT("title: x\n", "s.yaml:1:1: error: a scene begins with the key 'cairn: 1'");
    EXPECT("cairn: 2\n", "s.yaml:1:8: error: version '2' of the scene language is not known");
    EXPECT("title: x\ncairn: 1\n", "s.yaml:1:1: error: 'cairn: 1' must be the first key");
    EXPECT("", "s.yaml: error: the file is empty");
    EXPECT("# nothing\n", "the file is empty");
    EXPECT("[1, 2]\n", "s.yaml:1:1: error: a scene is a map of keys");
}

CN_TEST(yaml_is_refused_where_it_breaks)
{
    EXPECT("cairn: 1\nbodies: {a: [1, 2\n", "s.yaml:3:1: error: did not find expected ',' or ']'");
    EXPECT("cairn: 1\n\ttitle: x\n",
           "s.yaml:2:1: error: found a tab character that violates indentation");
    EXPECT("cairn: 1\ntitle: a\ntitle: b\n",
           "s.yaml:3:1: error: key 'title' is given twice (first in line 2)");
    EXPECT("cairn: 1\ntitle: !x y\n", "tags ('!...') are not part of the scene language");
    EXPECT("cairn: 1\ntitle: *x\n", "alias '*x' has no anchor");
    EXPECT("cairn: 1\n? [a]\n: b\n", "s.yaml:2:3: error: a key must be a word, this is a list");
    EXPECT("cairn: 1\n---\ncairn: 1\n", "a scene file holds one document");
    EXPECT("cairn: 1\ntitle: \"a\\0b\"\n", "text may not hold a zero byte");
    EXPECT("cairn: 1\ntitle: \x01\n", "control characters are not allowed");
}

CN_TEST(limits_hold)
{
    char text[4096] = "cairn: 1\ntitle: ";
    for (int k = 0; k < 70; k++) {
        strcat(text, "[");
    }
    EXPECT(text, "nested too deep (at most 64 levels are accepted)");
    strcpy(text, "cairn: 1\na: &a [x, x, x, x, x, x, x, x, x, x]\n");
    for (char c = 'b'; c <= 'h'; c++) {
        char line[128];
        snprintf(line, sizeof line, "%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n",
                 c, c, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
        strcat(text, line);
    }
    EXPECT(text, "too many aliases");
}

CN_TEST(numbers_are_checked)
{
    EXPECT(HEAD BALL "stages: [{step: 0, duration: 1}]\n",
           "s.yaml:5:17: error: step must be > 0 s, got 0");
    EXPECT(HEAD BALL "stages: [{step: -1, duration: 1}]\n", "step must be > 0 s, got -1");
    EXPECT(HEAD BALL "stages: [{step: .nan, duration: 1}]\n", "'.nan' is not a finite number");
    EXPECT(HEAD BALL "stages: [{step: .inf, duration: 1}]\n", "'.inf' is not a finite number");
    EXPECT(HEAD BALL "stages: [{step: 1e999, duration: 1}]\n", "'1e999' is too large for a number");
    EXPECT(HEAD BALL "stages: [{step: 0755, duration: 1}]\n", "leading zeros are not accepted");
    EXPECT(HEAD BALL "stages: [{step: \"12:30\", duration: 1}]\n", "'12:30' is not a number");
    EXPECT(HEAD BALL "stages: [{step: \"1\", duration: 1}]\n", "\"1\" in quotes is text");
    EXPECT(HEAD BALL "stages: [{step: [1], duration: 1}]\n",
           "step takes a number [s], this is a list");
    EXPECT(HEAD BALL "stages: [{step: 1 mm, duration: 1}]\n",
           "s.yaml:5:17: error: step takes a number [s]: 'mm' is no unit for something in s");
    EXPECT(HEAD BALL "stages: [{step: 2*pi, duration: 1}]\n",
           "an expression begins with '=': \"=2*pi\"");
    EXPECT(HEAD BALL STAGE "gravity: [0]\n", "gravity takes two numbers, got 1");
    EXPECT(HEAD BALL STAGE "gravity: down\n", "gravity takes two numbers such as [0, 1], or none");
    EXPECT(HEAD BALL STAGE "scheme: {theta: 0.4}\n", "theta must be between 0.5 and 1, got 0.4");
    EXPECT(HEAD BALL STAGE "solver: {sweep_max: 1.5}\n", "sweep_max takes a whole number, got 1.5");
    EXPECT(HEAD BALL STAGE "solver: {accuracy: quake, c: auto}\n", "'c: auto' is for grains");
    EXPECT(HEAD BALL STAGE "solver: {accuracy: flwo}\n", "(did you mean 'flow'?)");
    EXPECT(HEAD BALL STAGE "title:\n", "title has no value");
}

CN_TEST(words_of_yaml_are_traps)
{
    EXPECT(HEAD "bodies: {ball: {shape: {disk: 1}, material: stone, fixed: yes}}\n" STAGE,
           "fixed: 'yes' is ambiguous (write true or false");
    EXPECT(HEAD BALL STAGE "title: off\n", "title: 'off' is ambiguous");
    const char *quoted = HEAD BALL STAGE "title: \"off\"\n";
    CN_DO(parse(quoted, strlen(quoted)));
}

CN_TEST(masses_and_shapes_are_checked)
{
    EXPECT("cairn: 1\nmaterials: {stone: {density: 0}}\n" BALL STAGE,
           "s.yaml:2:30: error: density must be > 0 kg/m3, got 0");
    EXPECT("cairn: 1\nmaterials: {stone: {density: -3}}\n" BALL STAGE, "got -3");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, mass: 0}}\n" STAGE, "mass must be > 0 kg, got 0");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}}}\n" STAGE,
           "s.yaml:4:10: error: body 'b' moves and needs a material or a mass");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, material: ston}}\n" STAGE,
           "unknown material 'ston' (did you mean 'stone'?)");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, material: stone, mass: 1}}\n" STAGE,
           "both a material and a mass");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, inertia: 1}}\n" STAGE, "an inertia but no mass");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, mass: 1, centre: [0, 1]}}\n" STAGE,
           "'centre' is for one rigid body of a shape or cluster whose mass and inertia are given");
    EXPECT(HEAD "bodies: {b: {shape: {box: [1, 0]}, material: stone}}\n" STAGE,
           "size must be > 0 m");
    EXPECT(HEAD "bodies: {b: {shape: {polygon: [[0,0],[0,1],[1,0]]}, material: stone}}\n" STAGE,
           "clockwise");
    EXPECT(HEAD
           "bodies: {b: {shape: {polygon: [[0,0],[2,0],[1,0.1],[0,2]]}, material: stone}}\n" STAGE,
           "convex");
    EXPECT(HEAD "bodies: {b: {shape: {half_plane: {}}, material: stone}}\n" STAGE,
           "a half_plane has no moment of inertia; it must be 'fixed: true'");
    EXPECT(HEAD "bodies: {b: {shape: {half_plane: {}}, fixed: [rotation]}}\n" STAGE,
           "a half_plane has no mass; it must be 'fixed: true'");
    EXPECT(HEAD "bodies: {b: {shape: {half_plane: {}}, fixed: [rotation], mass: auto}}\n" STAGE,
           "a share of the mass of rigid bodies that move, and there is none; give a mass");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, mass: auto}}\n" STAGE,
           "'mass: auto' is for walls that do not turn");
#define DISKS                                                                                      \
    "bodies: {g: {generate: {grid: {columns: 2, rows: 2, shape: {disk: {radius: 0.1}}, "           \
    "spacing: [1, 1]}}, mass: 1}}\n"
#define PRESSED(text) "stages: [{name: s, step: 1, duration: 1, force: {" text "}}]\n"
    EXPECT(HEAD DISKS PRESSED("\"g[1,1]\": {around: 5}"), "selects 1 bodies: 3 at least enclose");
    EXPECT(HEAD DISKS PRESSED("g: {around: {pressure: 5, ring: true, probe: 1}}"),
           "a ring is closed: it takes no probe and no platens");
    EXPECT(HEAD "cell: [9, 9]\n" DISKS PRESSED("g: {around: 5}"), "a periodic cell has no outside");
    EXPECT(HEAD DISKS PRESSED("g: {around: {probe: 1}}"), "missing key 'pressure'");
    EXPECT(HEAD DISKS PRESSED("g: {x: 1}") "observe: [{name: o, around: g}]\n",
           "no stage has a force 'around' on 'g' that could be observed");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1, box: [1, 1]}, material: stone}}\n" STAGE,
           "shape takes exactly one of disk, box, polygon");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, generate: {stack: {}}, material: stone}}\n" STAGE,
           "missing key 'block");
    EXPECT(HEAD "bodies: {b: {material: stone}}\n" STAGE,
           "body 'b' needs exactly one of shape, mesh, cluster, generate, from");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, fixed: [x], velocity: [1, 0], mass: 1}}\n" STAGE,
           "body 'b' is fixed where it has a velocity");
    EXPECT(HEAD "bodies: {}\n" STAGE, "s.yaml:4:9: error: the scene is empty");
    EXPECT(HEAD STAGE, "missing key 'bodies' in scene");
    EXPECT(HEAD BALL, "missing key 'stages' in scene");
    EXPECT(HEAD BALL "stages: []\n", "stages needs at least 1 entry, got 0");
    EXPECT(HEAD "bodies: {any: {shape: {disk: 1}, material: stone}}\n" STAGE,
           "'any' is a word of the language");
    EXPECT(HEAD "bodies: {\"a b\": {shape: {disk: 1}, material: stone}}\n" STAGE,
           "'a b' cannot be the name of a body");
}

CN_TEST(generators_are_checked)
{
    EXPECT(HEAD "bodies: {w: {generate: {wal: {}}, material: stone}}\n" STAGE,
           "unknown key 'wal' in generate (did you mean 'wall'?)");
    EXPECT(HEAD "bodies: {w: {generate: {wall: {length: 1, courses: 2.5, block: [1, 1]}}, "
                "material: stone}}\n" STAGE,
           "courses takes a whole number, got 2.5");
    EXPECT(HEAD
           "bodies: {w: {generate: {wall: {length: 1, courses: 2, block: [1, 1], bond: runing}}, "
           "material: stone}}\n" STAGE,
           "unknown bond 'runing' (did you mean 'running'?)");
    EXPECT(HEAD "bodies: {w: {generate: {wall: {length: 1e9, courses: 1000000, block: [1, 1]}}, "
                "material: stone}}\n" STAGE,
           "body 'w': ");
    EXPECT(HEAD
           "bodies: {g: {generate: {pack: {inside: drum, shape: {disk: {radius: 1}}, count: 1}}, "
           "material: stone}}\n" STAGE,
           "'drum' is not a single body that comes before 'g'");
    EXPECT(HEAD
           "bodies: {d: {shape: {disk: 1}, fixed: true}, g: {generate: {pack: {inside: d, shape: "
           "{disk: {radius: 1}}, count: 1}}, material: stone}}\n" STAGE,
           "a disk has no inside");
    EXPECT(HEAD
           "bodies: {d: {shape: {hollow_box: [9, 9]}, fixed: true, angle: 1}, g: {generate: {pack: "
           "{inside: d, shape: {disk: {radius: 1}}, count: 1}}, material: stone}}\n" STAGE,
           "only an upright box can be filled");
    const char *good = HEAD
        "bodies: {d: {shape: {hollow_box: [9, 9]}, fixed: true}, g: {generate: {pack: {inside: d, "
        "shape: {disk: {radius: {normal: [0.5, 0.01]}}}, count: 5}}, material: stone}}\n" STAGE;
    CN_DO(parse(good, strlen(good)));
}

CN_TEST(laws_and_groups_must_exist)
{
    EXPECT("cairn: 1\nlaws: {dry: {type: culomb}}\n" BALL STAGE,
           "s.yaml:2:20: error: unknown law type 'culomb' (did you mean 'coulomb'?)");
    EXPECT("cairn: 1\nlaws: {dry: {friction: 1}}\n" BALL STAGE,
           "a law is a map with the key 'type'");
    EXPECT("cairn: 1\nlaws: {dry: {type: coulomb, friktion: 1}}\n" BALL STAGE,
           "unknown key 'friktion' in coulomb (did you mean 'friction'?)");
    EXPECT("cairn: 1\nlaws: {dry: {type: coulomb, restitution: 2}}\n" BALL STAGE,
           "restitution must be between 0 and 1, got 2");
    EXPECT(HEAD BALL STAGE "contacts: [{between: [any, any], law: dyr}]\n",
           "s.yaml:6:39: error: unknown law 'dyr' (did you mean 'dry'?)");
    EXPECT(HEAD BALL STAGE "contacts: [{between: [bal, any], law: dry}]\n",
           "unknown body or group 'bal' (did you mean 'ball'?)");
    EXPECT(HEAD BALL STAGE "contacts: [{between: [any], law: dry}]\n",
           "takes exactly 2 names, got 1");
    EXPECT(HEAD BALL STAGE "contacts: [{between: [ball.last, any], law: dry}]\n",
           "contacts are between bodies or groups by name");
}

CN_TEST(stages_must_make_sense)
{
    EXPECT(HEAD BALL "stages: [{step: 1}]\n",
           "a stage needs 'duration', or 'until' with 'at_most'");
    EXPECT(HEAD BALL "stages: [{step: 1, until: at_rest, duration: 3}]\n",
           "'until' goes with 'at_most'");
    EXPECT(HEAD BALL "stages: [{step: 1, at_most: 2, duration: 3}]\n",
           "'at_most' goes with 'until'");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 0.5}]\n",
           "step 1 s is longer than the stage, 0.5 s");
    EXPECT(HEAD BALL "gravity: none\nstages: [{step: 1, until: at_rest, at_most: 3}]\n",
           "at_rest needs 'speed' here");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, drive: {bal: {spin: 1}}}]\n",
           "s.yaml:5:41: error: unknown body or group 'bal' (did you mean 'ball'?)");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, drive: {\"ball[2]\": {spin: 1}}}]\n",
           "'ball[2]' selects no body");
    EXPECT(HEAD BALL
           "stages: [{step: 1, duration: 2, drive: {ball: {spin: 1, velocity: {x: 1}}}}]\n",
           "body 'ball' is driven twice in this stage");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, drive: {ball: {}}}]\n",
           "a drive takes velocity, displacement");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, force: {ball: {at: [0, 0]}}}]\n",
           "force names none of x, y, torque");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, remove: ball}, "
                     "{step: 1, duration: 2, force: {ball: {x: 1}}}]\n",
           "all bodies of 'ball' have been removed");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, drive: {ball: {velocity: "
                     "{x: {table: [[0, 1], [0, 2]]}}}}}]\n",
           "times of a table must increase");
    EXPECT(HEAD BALL STAGE "observe: [{name: a, track: any, energy: any}]\n",
           "takes exactly one of resultant, track, moved, energy");
    EXPECT(HEAD BALL STAGE "observe: [{name: a, track: ball}, {name: a, energy: any}]\n",
           "two observers are called 'a'");
}

CN_TEST(what_comes_later_says_so)
{
    EXPECT(HEAD "dimension: 4\n" BALL STAGE,
           "s.yaml:4:12: error: dimension must be between 2 and 3");
}

CN_TEST(meshes_and_their_materials_are_checked)
{
#define GUM "cairn: 1\nmaterials: {gum: {density: 1000, young: 1e6, poisson: 0.3}, stone: 2400}\n"
#define SLAB(more) GUM "bodies: {b: {mesh: {box: [2, 1], cells: [2, 1]}, material: gum" more "}}\n"
    EXPECT(GUM "bodies: {b: {mesh: {}, material: gum}}\n" STAGE,
           "s.yaml:3:20: error: a mesh takes exactly one of box, disk, annulus, plate, file");
    EXPECT(GUM "bodies: {b: {mesh: {bux: [2, 1]}, material: gum}}\n" STAGE,
           "s.yaml:3:21: error: unknown key 'bux' in volume (did you mean 'box'?)");
    EXPECT(GUM "bodies: {b: {mesh: {box: [2, 1]}, material: gum}}\n" STAGE,
           "a mesh takes either 'size' of its cells or 'cells'");
    EXPECT(GUM "bodies: {b: {mesh: {box: [2, 1], cells: [2, 0.5]}, material: gum}}\n" STAGE,
           "cells takes whole numbers >= 1, got 0.5");
    EXPECT(GUM "bodies: {b: {mesh: {disk: 1, size: 0.2, elements: hex8}, material: gum}}\n" STAGE,
           "elements hex8 are for scenes of dimension 3");
    EXPECT(GUM "bodies: {b: {mesh: {sphere: 1, size: 0.2}, material: gum}}\n" STAGE,
           "'sphere' is for scenes in space ('dimension: 3'), this one is in the plane; write "
           "'disk' here");
    EXPECT(GUM "bodies: {b: {mesh: {box: [2, 1], cells: [2, 1]}, material: stone}}\n" STAGE,
           "material 'stone' has a density only; the mesh of 'b' needs a law");
    EXPECT(GUM "bodies: {b: {mesh: {box: [2, 1], cells: [2, 1]}}}\n" STAGE,
           "body 'b' has a mesh and needs a material");
    EXPECT(GUM "bodies: {b: {mesh: {box: [2, 1], cells: [2, 1]}, shape: {disk: 1}, material: "
               "gum}}\n" STAGE,
           "needs exactly one of shape, mesh, cluster, generate, from");
    EXPECT(SLAB(", fixed_sets: {bottum: true}") STAGE,
           "unknown set 'bottum' in b (did you mean 'bottom'?)");
    EXPECT(HEAD "bodies: {b: {shape: {disk: 1}, material: stone, fixed_sets: {top: true}}}\n" STAGE,
           "'fixed_sets' is for bodies with a mesh");
    EXPECT(
        "cairn: 1\nmaterials: {gum: {density: 1, model: j2, young: 1, poisson: 0.3}}\n" BALL STAGE,
        "s.yaml:2:18: error: material 'gum': model j2 needs 'yield'");
    EXPECT("cairn: 1\nmaterials: {gum: {density: 1, young: 1, poisson: 0.3, bulk: 2}}\n" BALL STAGE,
           "model linear does not read 'bulk'");
    EXPECT("cairn: 1\nmaterials: {gum: {density: 1, young: 1, poisson: 0.5}}\n" BALL STAGE,
           "poisson must be > -1 and < 0.5, got 0.5");
    EXPECT("cairn: 1\nmaterials: {gum: {density: 1, model: lineer}}\n" BALL STAGE,
           "(did you mean 'linear'?)");
}

CN_TEST(loads_of_meshes_are_checked)
{
    EXPECT(SLAB("") "stages: [{step: 1, duration: 2, drive: {b.tip: {velocity: {x: 1}}}}]\n",
           "unknown set 'tip' in b (did you mean 'top'?)");
    EXPECT(SLAB("") "stages: [{step: 1, duration: 2, drive: {b: {spin: 1}}}]\n",
           "body 'b' has a mesh: its nodes are driven along x, y, z only");
    EXPECT(SLAB("") "stages: [{step: 1, duration: 2, force: {b: {torque: 1}}}]\n",
           "'torque', 'at' and 'follower' are for rigid bodies");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, force: {ball: {pressure: 1}}}]\n",
           "pressure acts on the sides of meshes, 'ball' is rigid");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, force: {ball: {centrifugal: 1}}}]\n",
           "centrifugal forces act on meshes, 'ball' is rigid");
    EXPECT(HEAD BALL "stages: [{step: 1, duration: 2, force: {ball.top: {x: 1}}}]\n",
           "'ball.top': body 'ball' is rigid and has no sets of nodes");
    EXPECT(SLAB("") "stages: [{step: 1, duration: 2, stop_when: {moved: {group: b.top, more_than: "
                    "1}}}]\n",
           "'b.top' selects nodes of a mesh; here bodies are selected: leave out '.top'");
    EXPECT(SLAB("") "stages: [{step: 1, duration: 2, scheme: {theta: 0.6, conserving: true}}]\n",
           "a conserving scheme has theta 0.5, got 0.6");
}

CN_TEST(all_problems_up_to_twenty_are_told)
{
    char text[4096] = HEAD BALL STAGE;
    for (int k = 0; k < 25; k++) {
        char line[32];
        snprintf(line, sizeof line, "unknown%d: 1\n", k);
        strcat(text, line);
    }
    EXPECT(text, "s.yaml: 5 more errors are not shown");
    CN_TRUE(strstr(told.text, "'unknown19'") != NULL && strstr(told.text, "'unknown20'") == NULL);
    CN_FAILS(parse(text, strlen(text)), CN_BAD_INPUT,
             "s.yaml has 25 errors, the first is s.yaml:6:1:");
}

CN_TEST(a_missing_file_is_an_io_error)
{
    cn_scene *scene = NULL;
    CN_FAILS(cn_scene_read(&(cn_scene_source){.name = "/no/such/scene.yaml"}, hear, &told, &scene,
                           &test_error),
             CN_IO, "cannot read '/no/such/scene.yaml'");
    CN_TRUE(scene == NULL);
    const char *text = HEAD "include: nowhere.yaml\n" BALL STAGE;
    CN_FAILS(parse(text, strlen(text)), CN_IO, "s.yaml:4:10: cannot read 'nowhere.yaml'");
}

CN_MAIN(CN_RUN(a_good_scene_is_silent); CN_RUN(unknown_keys_name_the_nearest);
        CN_RUN(spinning_belongs_to_space); CN_RUN(first_key_is_the_version);
        CN_RUN(yaml_is_refused_where_it_breaks); CN_RUN(limits_hold); CN_RUN(numbers_are_checked);
        CN_RUN(words_of_yaml_are_traps); CN_RUN(masses_and_shapes_are_checked);
        CN_RUN(generators_are_checked); CN_RUN(laws_and_groups_must_exist);
        CN_RUN(stages_must_make_sense); CN_RUN(what_comes_later_says_so);
        CN_RUN(meshes_and_their_materials_are_checked); CN_RUN(loads_of_meshes_are_checked);
        CN_RUN(all_problems_up_to_twenty_are_told); CN_RUN(a_missing_file_is_an_io_error);)
