#!/usr/bin/env python3
"""Writes bridge.obj: a bridge of one span as closed blocks, each an object with a name.

    python3 bridge_obj.py > bridge.obj

Every block is a convex prism along y. Neighbours share the coordinates of their joints digit for digit."""
from math import asin, cos, sin

SPAN, RISE, RING, WIDTH, ROAD, STONES, SHORE = 6.0, 2.0, 0.5, 1.2, 2.8, 17, 1.5  # [m], number, [m]

radius = (SPAN**2 / 4 + RISE**2) / (2 * RISE)
centre = RISE - radius
opening = asin(SPAN / 2 / radius)  # of half the ring [rad]


def ring(r, k):
    """Corner k of the ring at radius r, from the left springing."""
    a = opening * (2 * k / STONES - 1)
    return (round(r * sin(a), 9) + 0.0, round(centre + r * cos(a), 9) + 0.0)  # no minus zero


def blocks():
    left, right = ring(radius, 0), ring(radius, STONES)
    left_top, right_top = ring(radius + RING, 0), ring(radius + RING, STONES)
    x = SPAN / 2 + SHORE
    yield "left_skewback", [(-x, left[1]), left, left_top, (-x, left_top[1])]
    yield "left_bank", [(-x, left_top[1]), left_top, (left_top[0], ROAD), (-x, ROAD)]
    for k in range(STONES):
        yield f"voussoir_{k + 1:02}", [ring(radius, k), ring(radius, k + 1), ring(radius + RING, k + 1),
                                       ring(radius + RING, k)]
    for k in range(STONES):
        a, b = ring(radius + RING, k), ring(radius + RING, k + 1)
        yield f"spandrel_{k + 1:02}", [a, b, (b[0], ROAD), (a[0], ROAD)]
    yield "right_bank", [right_top, (x, right_top[1]), (x, ROAD), (right_top[0], ROAD)]
    yield "right_skewback", [right, (x, right[1]), (x, right_top[1]), right_top]


def main():
    first = 1
    print("# one span, all lengths in metres, z up; written by bridge_obj.py")
    for name, corner in blocks():
        n = len(corner)
        print("o", name)
        for y in (0.0, WIDTH):
            for px, pz in corner:
                print(f"v {px:.9g} {y:.9g} {pz:.9g}")
        print("f", *(first + k for k in range(n)))
        print("f", *(first + n + k for k in reversed(range(n))))
        for k in range(n):
            a, b = first + k, first + (k + 1) % n
            print("f", b, a, a + n, b + n)
        first += 2 * n


main()
