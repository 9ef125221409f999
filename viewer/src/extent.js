// extent.js -- how far a frame reaches: the box that the camera looks at.

// Corners of the box around the bodies that `isCounted`; null if there are none.
function boxAround({ bodies, meshes }, frame, isCounted) {
    const row = frame["body.row"].data;
    const at = frame["body.at"].data;
    const turn = frame["body.turn"].data;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < frame["body.row"].count; i++) {
        const k = row[3 * i];
        const place = at.subarray(3 * i, 3 * i + 3);
        if (bodies.reach[k] > 0 && isCounted(k, row[3 * i + 2], place)) {
            const m = meshes.ofBody[k];
            m >= 0 ? meshes.growBox(m, low, high) : bodies.growBox(k, place, turn.subarray(4 * i, 4 * i + 4), low, high);
        }
    }
    return low[0] <= high[0] ? [low, high] : null;
}

// What moves, and what is held near it and not much larger. `isHeld` tells of the bits of a body.
export function boxOf(scene, frame, isHeld, dim) {
    const free = boxAround(scene, frame, (k, bits) => !isHeld(bits));
    if (!free) {
        return boxAround(scene, frame, () => true) ?? [-1, 1].map((x) => [x, x, dim === 2 ? 0 : x]);
    }
    const [low, high] = free;
    const middle = low.map((x, n) => 0.5 * (x + high[n]));
    const radius = 0.5 * Math.hypot(...low.map((x, n) => high[n] - x));
    const isNear = (k, at) => scene.bodies.reach[k] < 3 * radius && Math.hypot(...middle.map((x, n) => x - at[n])) < 2 * radius;
    return boxAround(scene, frame, (k, bits, at) => !isHeld(bits) || isNear(k, at));
}
