// Expressions, numbers and units of scene files; the nearest word to a misspelt one.
#include "scene/language/expr.h"

#include <stdlib.h>

#include "scene/keys/sections.h"
#include "scene/language/nearest_word.h"
#include "scene/language/unit.h"
#include "test.h"

static double value_of(const char *text)
{
    static const cn_symbol symbol[] = {{"R", 2.0}, {"eps", 0.5}};
    double value = NAN;
    CN_DO(cn_expr_eval(text, symbol, 2, &value, &test_error));
    return value;
}

static cn_status fail(const char *text)
{
    double value;
    return cn_expr_eval(text, NULL, 0, &value, &test_error);
}

static cn_status number(const char *text)
{
    double value;
    return cn_number_read(text, &value, &test_error);
}

CN_TEST(operators_bind_as_on_paper)
{
    CN_NEAR(value_of("1+2*3"), 7.0, 0.0, "small integers are exact");
    CN_NEAR(value_of("(1+2)*3"), 9.0, 0.0, "small integers are exact");
    CN_NEAR(value_of("8/4/2"), 1.0, 0.0, "division goes from left to right");
    CN_NEAR(value_of("8-4-2"), 2.0, 0.0, "and so does subtraction");
    CN_NEAR(value_of("2^3^2"), 512.0, 0.0, "powers go from right to left");
    CN_NEAR(value_of("-2^2"), -4.0, 0.0, "a power binds tighter than a sign");
    CN_NEAR(value_of("2^-1"), 0.5, 0.0, "a power may carry a sign");
    CN_NEAR(value_of("- -3"), 3.0, 0.0, "two signs");
    CN_NEAR(value_of(" 2*R*( 1 + eps )"), 6.0, 0.0, "params and blanks");
    CN_NEAR(value_of("1e3 + .5"), 1000.5, 0.0, "number forms");
}

CN_TEST(functions_are_those_of_the_library)
{
    CN_NEAR(value_of("sqrt(2)^2"), 2.0, 1e-15, "rounding of a square root");
    CN_NEAR(value_of("sin(pi/6)"), 0.5, 1e-15, "rounding of pi");
    CN_NEAR(value_of("cos(0)+tan(0)+asin(0)+acos(1)+atan(0)"), 1.0, 0.0, "exact at these points");
    CN_NEAR(value_of("atan2(1, -1)"), 0.75 * CN_PI, 1e-15, "second quadrant");
    CN_NEAR(value_of("log(exp(2))"), 2.0, 1e-15, "inverse functions");
    CN_NEAR(value_of("abs(-2)+min(1,2)+max(1,2)+floor(1.5)+ceil(1.5)"), 8.0, 0.0, "exact");
}

CN_TEST(mistakes_are_named)
{
    CN_FAILS(fail("2*"), CN_BAD_INPUT, "a number was expected at character 3");
    CN_FAILS(fail("(1"), CN_BAD_INPUT, "a ')' was expected");
    CN_FAILS(fail("1 2"), CN_BAD_INPUT, "an operator was expected at character 3");
    CN_FAILS(fail("sqr(2)"), CN_BAD_INPUT, "unknown name 'sqr'");
    CN_FAILS(fail("sqr(2)"), CN_BAD_INPUT, "did you mean 'sqrt'?");
    CN_FAILS(fail("zzzzzz"), CN_BAD_INPUT, "declare it under 'params'");
    CN_FAILS(fail("atan2(1)"), CN_BAD_INPUT, "another argument");
    CN_FAILS(fail("1/0"), CN_BAD_INPUT, "not a finite number");
    CN_FAILS(fail("min(0/0, 1)"), CN_BAD_INPUT, "not finite");
    CN_FAILS(fail("(0/0)^0"), CN_BAD_INPUT, "not finite");
    CN_FAILS(fail("log(0)"), CN_BAD_INPUT, "not a finite number");
    CN_FAILS(fail("0x10"), CN_BAD_INPUT, "an operator was expected");
    char deep[400];
    memset(deep, '(', 300);
    deep[300] = '\0';
    CN_FAILS(fail(deep), CN_BAD_INPUT, "too many nested");
}

CN_TEST(numbers_have_one_form)
{
    CN_DO(number("1e3"));
    CN_DO(number("-0.5"));
    CN_DO(number("+12"));
    CN_DO(number(".5"));
    CN_DO(number("5."));
    CN_DO(number("0.5"));
    CN_FAILS(number("0755"), CN_BAD_INPUT, "leading zeros");
    CN_FAILS(number("12:30"), CN_BAD_INPUT, "not a number");
    CN_FAILS(number("0x1f"), CN_BAD_INPUT, "not a number");
    CN_FAILS(number("1_000"), CN_BAD_INPUT, "not a number");
    CN_FAILS(number("nan"), CN_BAD_INPUT, "not a finite number");
    CN_FAILS(number("-.inf"), CN_BAD_INPUT, "not a finite number");
    CN_FAILS(number("1e999"), CN_BAD_INPUT, "too large");
    CN_FAILS(number("."), CN_BAD_INPUT, "not a number");
    CN_FAILS(number("1e"), CN_BAD_INPUT, "not a number");
}

static double quantity(const char *text, const char *wanted)
{
    double value = NAN;
    CN_DO(cn_quantity_read(text, wanted, &value, &test_error));
    return value;
}

static cn_status refused(const char *text, const char *wanted)
{
    double value;
    return cn_quantity_read(text, wanted, &value, &test_error);
}

CN_TEST(units_have_the_bits_of_what_is_written_in_si)
{
    CN_NEAR(quantity("35 mm", "m"), 0.035, 0.0, "one division by an exact power of ten");
    CN_NEAR(quantity("7um", "m"), 7e-6, 0.0, "the same");
    CN_NEAR(quantity("-3.5 \u00b5m", "m"), -3.5e-6, 0.0, "the sign of micro");
    CN_NEAR(quantity("0.3 kPa", "Pa"), 300.0, 0.0, "a product that is exact after rounding");
    CN_NEAR(quantity("2.4 t/m3", "kg/m3"), 2400.0, 0.0, "tons");
    CN_NEAR(quantity("2.5 g/cm^3", "kg/m3"), 2500.0, 0.0, "1e6 / 1e3 is taken together");
    CN_NEAR(quantity("36 km/h", "m/s"), 10.0, 0.0, "36000 / 3600");
    CN_NEAR(quantity("5 kN/mm", "N/m"), 5e6, 0.0, "prefixes above and below");
    CN_NEAR(quantity("3 kN m", "N m or N"), 3000.0, 0.0, "a product by a blank");
    CN_NEAR(quantity("3 MN", "N m or N"), 3e6, 0.0, "the other kind that the key takes");
    CN_NEAR(quantity("2 J/m2", "N/m"), 2.0, 0.0, "the same dimensions under other names");
    CN_NEAR(quantity("180 deg", "rad"), CN_PI, 0.0, "180 pi / 180");
    CN_NEAR(quantity("90\u00b0", "rad or m"), CN_PI / 2, 0.0, "90 pi / 180");
    CN_NEAR(quantity("2 h", "s"), 7200.0, 0.0, "hours");
    CN_NEAR(quantity("5 s^-1", "1/s"), 5.0, 0.0, "a negative power");
    CN_NEAR(quantity("5/s", "1/s"), 5.0, 0.0, "a unit that begins with its '/'");
    CN_NEAR(value_of("30*deg"), CN_PI / 6, 1e-16, "one rounding of pi / 180");
    CN_NEAR(value_of("R*mm"), 0.002, 0.0, "a factor");
}

CN_TEST(units_of_another_kind_are_refused)
{
    CN_FAILS(refused("3 kPa", "m"), CN_BAD_INPUT, "'kPa' is no unit for something in m");
    CN_FAILS(refused("3/s", "rad/s"), CN_BAD_INPUT, "'/s' is no unit for something in rad/s");
    CN_FAILS(refused("1 Hz", "rad/s"), CN_BAD_INPUT, "'Hz' is no unit for something in rad/s");
    CN_FAILS(refused("1 m2", "m"), CN_BAD_INPUT, "no unit for something in m");
    CN_FAILS(refused("30 deg", NULL), CN_BAD_INPUT, "a number without one");
    CN_FAILS(refused("3 mPa", "Pa"), CN_BAD_INPUT, "did you mean 'MPa'?");
    CN_FAILS(refused("3 Mm", "m"), CN_BAD_INPUT, "did you mean 'mm'?");
    CN_FAILS(refused("3 q", "m"), CN_BAD_INPUT, "unknown unit 'q' (such as m");
    CN_FAILS(refused("3 kg/m s", "*"), CN_BAD_INPUT, "a '/' of its own");
    CN_FAILS(refused("3 m/", "m"), CN_BAD_INPUT, "unknown unit ''");
    CN_FAILS(refused("3 m^", "m"), CN_BAD_INPUT, "a digit from 1 to 9");
    CN_FAILS(refused("3 m or s", "m"), CN_BAD_INPUT, "more than one unit");
    CN_FAILS(refused("1e308 km", "m"), CN_BAD_INPUT, "too large");
    CN_FAILS(fail("2*g"), CN_BAD_INPUT, "unknown name 'g'");
}

// Otherwise no unit at all would be accepted there.
CN_TEST(units_of_all_keys_are_understood)
{
    cn_arena arena = {0};
    cn_section_list list = {0};
    int count = 0;
    CN_DO(cn_sections_collect(&arena, &list, &test_error));
    for (size_t n = 0; n < list.count; n++) {
        for (int k = 0; k < list.item[n].section->count; k++) {
            const char *unit = cn_key_unit(&list.item[n].section->key[k]);
            char text[64];
            int first = (int)(strstr(unit, " or ") != NULL ? strstr(unit, " or ") - unit
                                                           : (long)strlen(unit));
            snprintf(text, sizeof text, "2 %.*s", first, unit);
            if (first > 0) {
                CN_NEAR(quantity(text, unit), 2.0, 0.0, "units of the table are those of SI");
                count++;
            }
        }
    }
    CN_TRUE(count > 100);
    free(list.item);
    cn_arena_free(&arena);
}

CN_TEST(nearest_words_are_found)
{
    static const char *const words[] = {"radius", "density", "duration", "x"};
    CN_TRUE(cn_spelling_distance("radus", "radius", 3) == 1);
    CN_TRUE(cn_spelling_distance("raduis", "radius", 3) == 1); // neighbours swapped
    CN_TRUE(cn_spelling_distance("", "abc", 3) == 3);
    CN_TRUE(cn_spelling_nearest("radus", words, 4) == words[0]);
    CN_TRUE(cn_spelling_nearest("densty", words, 4) == words[1]);
    CN_TRUE(cn_spelling_nearest("colour", words, 4) == NULL);
    CN_TRUE(cn_spelling_nearest("y", words, 4) == words[3]);
}

CN_MAIN(CN_RUN(operators_bind_as_on_paper); CN_RUN(functions_are_those_of_the_library);
        CN_RUN(mistakes_are_named); CN_RUN(numbers_have_one_form);
        CN_RUN(units_have_the_bits_of_what_is_written_in_si);
        CN_RUN(units_of_another_kind_are_refused); CN_RUN(units_of_all_keys_are_understood);
        CN_RUN(nearest_words_are_found);)
