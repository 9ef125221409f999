// Random flights: what holds for every pair of bodies, whatever they are and however they meet. A
// failure prints how to fly it again alone: FLIGHT_SEED and FLIGHT_NUMBER in the environment.
#include "flights_run.h"
#include "test.h"

CN_TEST(two_thousand_flights)
{
    fly_tally tally = fly_many(17, 2000);
    CN_TRUE(tally.failures == 0);
    fly_print(&tally);
}

CN_MAIN(CN_RUN(two_thousand_flights);)
