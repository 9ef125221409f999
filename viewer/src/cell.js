// cell.js -- a periodic cell: its outline, the images of bodies around it, and places of bodies that
// are not put back into it. The corner of a cell is the origin of the scene, so that places are parts
// s of its vectors: x = C s, the columns of C being the vectors (theory, chapter on periodic cells).
import * as THREE from "three";
import { Rods } from "./rods.js";

// Vectors of the cell of a frame as rows [a, b, c]; null: there is none. In the plane the third is
// only there to have an inverse.
export function cellOf(frame, dim) {
    const data = frame.cell?.data;
    if (!data?.length) {
        return null;
    }
    const vectors = [0, 1, 2].map((k) => [...data.subarray(3 * k, 3 * k + 3)]);
    return dim === 2 ? [vectors[0], vectors[1], [0, 0, 1]] : vectors;
}

// Parts s of x, for the upper triangular matrix of the vectors.
export function partsOf([a, b, c], x) {
    const s2 = x[2] / c[2];
    const s1 = (x[1] - c[1] * s2) / b[1];
    return [(x[0] - b[0] * s1 - c[0] * s2) / a[0], s1, s2];
}

export function placeOf(vectors, s) {
    return [0, 1, 2].map((k) => vectors[0][k] * s[0] + vectors[1][k] * s[1] + vectors[2][k] * s[2]);
}

// What shifts one body of a contact towards the other: a whole number of each vector.
export function shiftOf(frame, a, vectors) {
    const shift = frame["contact.shift"]?.data;
    return vectors && shift ? placeOf(vectors, shift.subarray(3 * a, 3 * a + 3)) : [0, 0, 0];
}

// The edges of the cell.
export class CellLines {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, false, 8);
    }
    update(frame, { dim, unit, isDark, origin }) {
        const cell = cellOf(frame, dim);
        const corners = dim === 2 ? [0, 1, 2, 3] : [0, 1, 2, 3, 4, 5, 6, 7];
        const at = (n) => placeOf(cell, [0, 1, 2].map((k) => (n >> k) & 1)).map((x, k) => x - origin[k]);
        this.rods.begin(12);
        for (const n of cell ? corners : []) {
            for (let k = 0; k < dim; k++) {
                if (!((n >> k) & 1)) {
                    this.rods.add(...at(n), ...at(n | (1 << k)), 0.05 * unit, isDark ? [220, 226, 235] : [0x67, 0x71, 0x7c]);
                }
            }
        }
        this.rods.end();
        this.count = this.rods.used;
    }
}

// Copies of all bodies in the cells around, of which the shader keeps those near the cell.
export class Images {
    constructor(stage) {
        this.stage = stage;
        this.group = new THREE.Group();
        stage.scene.add(this.group);
    }
    // `axes`: bits 1 2 4, along which the cell repeats.
    update(bodies, cell, { dim, axes, isShown }) {
        this.group.visible = Boolean(cell && isShown);
        if (!this.group.visible) {
            return;
        }
        if (this.bodies !== bodies) {
            this.make(bodies, dim, axes);
        }
        const most = bodies.reach.reduce((sum, x, k) => (bodies.isFixed[k] ? sum : Math.max(sum, x)), 0);
        const rows = [0, 1, 2].map((k) => [0, 1, 2].map((n) => partsOf(cell, [0, 1, 2].map((i) => (i === n ? 1 : 0)))[k]));
        // What is held stands still and may be larger than the cell; along other axes all is shown.
        const margin = rows.map((row, k) => (axes & (1 << k) ? most * Math.hypot(...row) : 1e9));
        for (const { shift, own } of this.copies) {
            own.image.value.set(...placeOf(cell, shift));
            own.toCell.value.set(...rows.flat());
            own.margin.value.set(...margin);
        }
    }
    make(bodies, dim, axes) {
        this.bodies = bodies;
        this.group.clear();
        this.copies = [];
        const around = (k) => (axes & (1 << k) && k < dim ? [-1, 0, 1] : [0]);
        for (const z of around(2)) {
            for (const y of around(1)) {
                for (const x of around(0)) {
                    if (x || y || z) {
                        this.copies.push({ shift: [x, y, z], own: this.copyOf(bodies) });
                    }
                }
            }
        }
    }
    // All bodies once more, with uniforms of their own.
    copyOf(bodies) {
        const own = { image: { value: new THREE.Vector3() }, toCell: { value: new THREE.Matrix3() }, margin: { value: new THREE.Vector3() }, pale: { value: 0.65 } };
        for (const source of [bodies.group, bodies.edges]) {
            source.traverse((object) => {
                if (object.geometry) {
                    const material = object.material.clone();
                    material.uniforms = { ...this.stage.uniforms, ...own };
                    const Kind = object.isLineSegments ? THREE.LineSegments : object.isPoints ? THREE.Points : THREE.Mesh;
                    const copy = new Kind(object.geometry, material);
                    copy.frustumCulled = false;
                    copy.renderOrder = object.renderOrder - 10;
                    this.group.add(copy);
                }
            });
        }
        return own;
    }
}

// Vectors of the old cell, of which those of the new one are nearly whole sums: a cell that is sheared
// without end is set up again from time to time. Columns [m0, m1, m2] of whole numbers.
function remapping(old, cell) {
    return cell.map((vector) => partsOf(old, vector).map(Math.round));
}

// Places of bodies that are not put back into the cell, found frame by frame: a body moves by less
// than half a cell against the motion of the cell from one frame to the next.
export class Unwrapped {
    constructor(result, dim) {
        this.result = result;
        this.dim = dim;
        this.frames = []; // {cell, parts: Map row -> s, where x = C s}
    }
    async upTo(index) {
        for (let k = this.frames.length; k <= index; k++) {
            this.frames.push(this.follow(await this.result.frame(k), this.frames[k - 1]));
        }
        return this.frames[index];
    }
    // Along axes that do not repeat nothing is put back.
    follow(frame, before) {
        const cell = cellOf(frame, this.dim);
        const row = frame["body.row"].data;
        const at = frame["body.at"].data;
        const { origin } = this.result.meta;
        const change = before?.cell && cell ? remapping(before.cell, cell) : null;
        const parts = new Map();
        for (let i = 0; cell && i < row.length / 3; i++) {
            const s = partsOf(cell, [0, 1, 2].map((k) => at[3 * i + k] + origin[k]));
            const last = change && before.parts.get(row[3 * i]);
            const expected = last && solved(change, last);
            parts.set(row[3 * i], expected ? s.map((x, k) => x + Math.round(expected[k] - x)) : s);
        }
        return { cell, parts };
    }
}

// s of the new vectors for a place of parts `last` of the old ones: sum_n m_n s_n = last.
function solved(columns, last) {
    return partsOf(columns, last);
}

// A frame whose bodies stand where they went.
export function unwrappedFrame(frame, { cell, parts }, origin) {
    if (!cell) {
        return frame;
    }
    const row = frame["body.row"].data;
    const at = new Float32Array(frame["body.at"].data);
    for (let i = 0; i < row.length / 3; i++) {
        const place = placeOf(cell, parts.get(row[3 * i]));
        place.forEach((x, k) => (at[3 * i + k] = x - origin[k]));
    }
    return { ...frame, "body.at": { ...frame["body.at"], data: at } };
}
