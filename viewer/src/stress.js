// stress.js -- numbers of a stress xx yy zz xy yz zx.

export function mises(s) {
    const [a, b, c] = [s[0] - s[1], s[1] - s[2], s[2] - s[0]];
    return Math.sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// Principal stresses with their directions, [{value, way}], the greatest first: rotations in the
// three planes until nothing is left beside the diagonal (Jacobi).
export function principal(s) {
    const a = [[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]];
    const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const size = Math.max(...s.map(Math.abs));
    for (let round = 0; round < 20; round++) {
        if (Math.abs(a[0][1]) + Math.abs(a[1][2]) + Math.abs(a[0][2]) <= 1e-12 * size) {
            break;
        }
        for (const [p, q] of [[0, 1], [1, 2], [0, 2]]) {
            rotate(a, v, p, q);
        }
    }
    return [0, 1, 2].map((k) => ({ value: a[k][k], way: [v[0][k], v[1][k], v[2][k]] })).sort((x, y) => y.value - x.value);
}

function rotate(a, v, p, q) {
    if (a[p][q] === 0) {
        return;
    }
    const ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const t = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
    const c = 1 / Math.sqrt(1 + t * t);
    const s = t * c;
    for (let k = 0; k < 3; k++) {
        [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
    }
    for (let k = 0; k < 3; k++) {
        [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
        [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
}
