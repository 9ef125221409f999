// The table of generators: defaults, setting by name, nested fields. Ranges are checked by the keys
// of scenes (scene_errors.c).
#include "generate/generate.h"
#include "test.h"

static const cn_field *find(const cn_field *field, int count, const char *name)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(field[k].param.name, name) == 0) {
            return &field[k];
        }
    }
    return NULL;
}

static void set(const cn_generator *g, void *def, const char *name, double value)
{
    cn_field_set(find(g->field, g->field_count, name), def, &value, 1);
}

CN_TEST(every_generator_describes_itself)
{
    CN_TRUE(cn_generator_count() >= 5);
    for (int k = 0; k < cn_generator_count(); k++) {
        const cn_generator *g = cn_generator_at(k);
        CN_TRUE(cn_generator_find(g->name) == g);
        CN_TRUE(g->help[0] != '\0' && g->def_size <= CN_GENERATOR_DEF_MAX);
        for (int n = 0; n < g->field_count; n++) {
            const cn_field *field = &g->field[n];
            CN_TRUE(field->param.help[0] != '\0' && field->offset < g->def_size);
            CN_TRUE((field->kind == CN_FIELD_WORD) == (field->param.choices != NULL));
            CN_TRUE((field->kind == CN_FIELD_ONE_OF || field->kind == CN_FIELD_LIST) ==
                    (field->variant != NULL));
            CN_TRUE((field->kind == CN_FIELD_LIST) == (field->row_size > 0));
            // A name comes once, or once for each dimension.
            const cn_field *first = find(g->field, g->field_count, field->param.name);
            CN_TRUE(first == field || (first->dim == 2 && field->dim == 3));
        }
    }
    CN_TRUE(cn_generator_find("castle") == NULL && cn_generator_at(cn_generator_count()) == NULL);
}

// The wall of the first scene, by names only.
CN_TEST(wall_is_made_from_names)
{
    const cn_generator *g = cn_generator_find("wall");
    cn_wall_def def = {0};
    const double block[2] = {0.4, 0.2};
    cn_fields_default(g->field, g->field_count, &def);
    set(g, &def, "length", 3.0);
    set(g, &def, "courses", 12.0);
    cn_field_set(find(g->field, g->field_count, "block"), &def, block, 2);
    set(g, &def, "bond", CN_BOND_RUNNING);
    cn_pieces pieces = {0};
    CN_DO(g->make(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 96);
    cn_shape_def shape = cn_piece_shape(&pieces, 0);
    CN_TRUE(shape.kind == CN_SHAPE_POLYGON && shape.vertex_count == 4);
    cn_pieces_free(&pieces);
}

// generate: {pack: {inside: {disk: {radius: 1}}, shape: {polygon: {radius: {uniform: [a, b]}}},
// ...}}
CN_TEST(pack_is_made_from_nested_names)
{
    const cn_generator *g = cn_generator_find("pack");
    cn_pack_def def = {0};
    void *inner = NULL, *size = NULL;
    const double radius = 1.0, range[2] = {0.05, 0.08};
    cn_fields_default(g->field, g->field_count, &def);
    CN_TRUE(def.inside.kind == -1 && def.shape.kind == -1 && def.count == 0 && isnan(def.fill));
    const cn_field *inside = find(g->field, g->field_count, "inside");
    const cn_variant *variant = cn_field_choose(inside, &def, "disk", &inner);
    cn_field_set(find(variant->field, variant->field_count, "radius"), inner, &radius, 1);
    variant = cn_field_choose(find(g->field, g->field_count, "shape"), &def, "polygon", &inner);
    CN_TRUE(def.shape.sides[0] == 6.0 && def.shape.aspect == 1.0 && def.shape.radius.kind == -1);
    variant = cn_field_choose(find(variant->field, variant->field_count, "radius"), inner,
                              "uniform", &size);
    CN_TRUE(variant->is_bare);
    cn_field_set(&variant->field[0], size, range, 2);
    CN_TRUE(cn_field_choose(inside, &def, "sphere", &inner) == NULL);
    CN_TRUE(def.inside.kind == CN_REGION_DISK && def.inside.radius == 1.0);
    set(g, &def, "count", 40.0);
    cn_pieces pieces = {0};
    CN_DO(g->make(&def, &pieces, &test_error));
    CN_TRUE(pieces.count == 40 && pieces.piece[0].vertex_count == 6);
    cn_pieces_free(&pieces);
}

CN_TEST(required_fields_are_known)
{
    const cn_generator *g = cn_generator_find("wall");
    CN_TRUE(cn_field_is_required(find(g->field, g->field_count, "courses")));
    CN_TRUE(!cn_field_is_required(find(g->field, g->field_count, "length")));
    CN_TRUE(!cn_field_is_required(find(g->field, g->field_count, "head_gap")));
}

CN_MAIN(CN_RUN(every_generator_describes_itself); CN_RUN(wall_is_made_from_names);
        CN_RUN(pack_is_made_from_nested_names); CN_RUN(required_fields_are_known);)
