// Random flights, many: FLIGHT_SEED, FLIGHT_COUNT and FLIGHT_NUMBER in the environment choose
// others, FLIGHT_TOLD prints why steps were not made.
#include "flights_run.h"
#include "test.h"

CN_TEST(a_hundred_thousand_flights)
{
    printf("seed %llu\n", (unsigned long long)fly_setting("FLIGHT_SEED", 1));
    fly_tally tally = fly_many(1, 100000);
    fly_print(&tally);
    fly_print_census(&tally.seen, FLY_FIRST_LAWS);
    CN_TRUE(tally.failures == 0);
}

CN_MAIN(CN_RUN(a_hundred_thousand_flights);)
