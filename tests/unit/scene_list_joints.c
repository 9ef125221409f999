// What `cairn check --joints` tells: areas and numbers known on paper, what is loose and what
// hangs.
#include "scene_text.h"

#define HEAD                                                                                       \
    "cairn: 1\n"                                                                                   \
    "materials: {stone: {density: 2400}}\n"                                                        \
    "laws: {dry: {type: coulomb, friction: 0.6}}\n"                                                \
    "contacts: [{between: [any, any], law: dry}]\n"                                                \
    "stages: [{step: 1e-3, duration: 1}]\n"

static char rows[20000];

static void keep_row(void *context, const char *line)
{
    (void)context;
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s\n", line);
}

static void list(const char *text)
{
    lines[0] = rows[0] = '\0';
    cn_scene *scene = parse(text);
    CN_DO(cn_scene_joints(scene, keep, NULL, keep_row, NULL, &test_error));
    cn_scene_destroy(scene);
}

static void expect(const char *where, const char *what)
{
    CN_TRUE(strstr(where, what) != NULL);
    if (strstr(where, what) == NULL) {
        printf("'%s' is not in:\n%s", what, where);
    }
}

// 3 blocks on a floor and 4 on them: 3 + 6 beds of 2 x 1.2 x 0.2 m2, 2 + 3 heads of 0.2 x 0.1 m2.
CN_TEST(joints_of_a_wall_are_counted)
{
    list(HEAD "dimension: 3\n"
              "bodies:\n"
              "  floor: {shape: {box: [3, 1, 0.2]}, at: [0, 0, -0.1], fixed: true}\n"
              "  wall: {generate: {wall: {length: 1.2, courses: 2, block: [0.4, 0.2, 0.1]}}, "
              "material: stone}\n");
    expect(lines, "14 of faces, 0.58 m2 in all, 14 of them closed");
    expect(lines, "smallest        0.02 m2");
    expect(rows, "\"wall[1,1]\",\"wall[1,2]\",\"dry\",4,0.02,0,");
    CN_TRUE(strstr(lines, "loose") == NULL && strstr(lines, "hanging") == NULL);
}

CN_TEST(joints_of_the_plane_have_lengths)
{
    list(HEAD "dimension: 2\n"
              "bodies:\n"
              "  floor: {shape: {box: [3, 0.2]}, at: [0, -0.1], fixed: true}\n"
              "  wall: {generate: {wall: {length: 1.2, courses: 2, block: [0.4, 0.1]}}, "
              "material: stone}\n");
    expect(lines, "14 of faces, 2.9 m in all, 14 of them closed");
}

// A block 1 mm above another one, one that two walls clamp, and one far from all.
CN_TEST(what_does_not_stand_is_named)
{
    list(HEAD "dimension: 2\n"
              "bodies:\n"
              "  floor: {shape: {box: [9, 0.2]}, at: [0, -0.1], fixed: true}\n"
              "  low: {shape: {box: [0.4, 0.4]}, at: [0, 0.2], material: stone}\n"
              "  high: {shape: {box: [0.4, 0.4]}, at: [0, 0.601], material: stone}\n"
              "  left: {shape: {box: [0.4, 2]}, at: [2, 1], fixed: true}\n"
              "  clamped: {shape: {box: [0.4, 0.4]}, at: [2.4, 1], material: stone}\n"
              "  right: {shape: {box: [0.4, 2]}, at: [2.8, 1], fixed: true}\n");
    expect(lines, "4 of faces, 1.6 m in all, 3 of them closed");
    expect(lines, "widest gap      0.001 m: low and high at (0, 0.4005, 0)");
    expect(lines, "loose           1 bodies are connected to nothing that is fixed: high");
    expect(lines,
           "hanging         1 bodies have nothing below them, friction at their sides alone: "
           "clamped");
}

CN_MAIN(CN_RUN(joints_of_a_wall_are_counted); CN_RUN(joints_of_the_plane_have_lengths);
        CN_RUN(what_does_not_stand_is_named);)
