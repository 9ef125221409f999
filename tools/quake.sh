#!/bin/sh
# tools/quake.sh -- writes examples/quake.csv to standard output: an earthquake-like record made by a formula.
#
# The ground moves by d(t) = e(t) sum_k sin(2 pi f_k t + p_k)/(2 pi f_k)^2, with frequencies f_k = 0.4, 0.6,
# ..., 3.6 Hz of equal acceleration, phases p_k = 2 pi k^2 g, g the golden ratio along x and the square root of
# 2 along y (linear in k they would only delay one pulse), and the envelope e = (3^9/2^6) s^3 (1 - s)^6,
# s = t/T, T = 5 s, which rises fast and fades slowly. The file holds the second derivative over its largest
# value: displacement, velocity and acceleration begin and end at zero, so the record needs no correction.
awk 'BEGIN {
    T = 5; step = 0.01; pi = 4 * atan2(1, 1); c = 3^9 / 2^6
    ratio["x"] = (1 + sqrt(5)) / 2; ratio["y"] = sqrt(2)
    rows = T / step
    for (way in ratio) {
        for (n = 0; n <= rows; n++) {
            t = n * step; s = t / T; r = 1 - s
            e = c * s^3 * r^6
            e1 = c * (3 * s^2 * r^6 - 6 * s^3 * r^5) / T
            e2 = c * (6 * s * r^6 - 36 * s^2 * r^5 + 30 * s^3 * r^4) / T^2
            a = 0
            for (k = 0; k <= 16; k++) {
                w = 2 * pi * (0.4 + 0.2 * k); p = w * t + 2 * pi * k^2 * ratio[way]
                a += e2 * sin(p) / w^2 + 2 * e1 * cos(p) / w - e * sin(p)
            }
            accel[way, n] = a
            if (a * a > peak[way]^2) peak[way] = a < 0 ? -a : a
        }
    }
    print "# acceleration over its largest value, by tools/quake.sh; time in s"
    print "time,x,y"
    for (n = 0; n <= rows; n++) {
        printf "%.2f,%.5f,%.5f\n", n * step, accel["x", n] / peak["x"], accel["y", n] / peak["y"]
    }
}'
