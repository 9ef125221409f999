// Expressions and numbers of scene files; the nearest word to a misspelt one.
#include "scene/language/expr.h"

#include "scene/language/nearest_word.h"
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
        CN_RUN(mistakes_are_named); CN_RUN(numbers_have_one_form); CN_RUN(nearest_words_are_found);)
