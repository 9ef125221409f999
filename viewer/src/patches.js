// patches.js -- where bodies meet in several points: forces, openings and states of bonds on them.
import { colourAt, place } from "./colour.js";
import { eachContact, stateReader, timeStep } from "./fields.js";
import { Faces, Rods } from "./rods.js";
import { turned } from "./bodies.js";

// The convex hull of the points of a patch, in order around it, seen along the normal.
function around(points, normal) {
    const e = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const u = [normal[1] * e[2] - normal[2] * e[1], normal[2] * e[0] - normal[0] * e[2], normal[0] * e[1] - normal[1] * e[0]];
    const v = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2], normal[0] * u[1] - normal[1] * u[0]];
    const on = (x, axis) => x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
    const flat = points.map((p) => ({ p, a: on(p.x, u), b: on(p.x, v) })).sort((p, q) => p.a - q.a || p.b - q.b);
    const half = (list) => {
        const chain = [];
        for (const r of list) {
            for (;;) {
                const [p, q] = chain.slice(-2);
                if (!q || (q.a - p.a) * (r.b - p.b) - (q.b - p.b) * (r.a - p.a) > 0) {
                    break;
                }
                chain.pop();
            }
            chain.push(r);
        }
        return chain.slice(0, -1);
    };
    return [...half(flat), ...half(flat.reverse())].map(({ p }) => p);
}

// Places of the contacts of each patch: [[a, b, c], [d], ...]. They stand together in a frame; the
// nodes of a mesh are shapes of their own, so that its patches are found here, by pair and normal.
export function patchesOf(frame, meshes) {
    const row = frame["contact.row"].data;
    const at = frame["contact.at"].data;
    const list = frame["body.row"].data;
    const isMesh = (place) => meshes.ofBody[list[3 * place]] >= 0;
    const isJoined = (a, b) => {
        const isPair = row[5 * a] === row[5 * b] && row[5 * a + 1] === row[5 * b + 1];
        const cosine = [3, 4, 5].reduce((sum, c) => sum + at[13 * a + c] * at[13 * b + c], 0);
        return isPair && (isMesh(row[5 * a]) || isMesh(row[5 * a + 1])) && cosine > 0.99;
    };
    const patches = [];
    for (let a = 0; a < frame["contact.row"].count; a++) {
        const isSame = a > 0 && (row[5 * a + 4] === row[5 * a - 1] || isJoined(a - 1, a));
        isSame ? patches.at(-1).push(a) : patches.push([a]);
    }
    return patches;
}

// Points of a patch in a row, for those in the plane.
function along(points, normal) {
    return [...points].sort((p, q) => normal[0] * (p.x[1] - q.x[1]) - normal[1] * (p.x[0] - q.x[0]));
}

// Draws points with values as a filled polygon, or as bars if they are two or in the plane.
function drawPatch(points, normal, colourOf, position, tint, rods, width, dim) {
    if (points.length === 2 || (dim === 2 && points.length > 2)) {
        const row = along(points, normal);
        for (let k = 1; k < row.length; k++) {
            rods.add(...row[k - 1].x, ...row[k].x, width, colourOf((row[k - 1].value + row[k].value) / 2));
        }
    } else if (points.length > 2) {
        const mean = (value) => points.reduce((sum, p) => sum + value(p) / points.length, 0);
        const middle = { x: [0, 1, 2].map((c) => mean((p) => p.x[c])), value: mean((p) => p.value) };
        const loop = around(points, normal);
        for (let k = 0; k < loop.length; k++) {
            for (const p of [middle, loop[k], loop[(k + 1) % loop.length]]) {
                position.push(...p.x);
                tint.push(...colourOf(p.value).map((c) => c / 255));
            }
        }
    }
}

// Two bodies that meet in several points: the patch, coloured by the normal force of its corners.
export class Patches {
    constructor(group, { uniforms, dim }) {
        this.faces = new Faces(group, uniforms, dim, 4);
        this.rods = new Rods(group, uniforms, dim, false, 4);
    }
    update(frame, { unit, map, dim, meshes }) {
        const at = frame["contact.at"].data;
        const h = timeStep(frame);
        const force = new Float32Array(frame["contact.row"].count);
        let most = 0;
        eachContact(frame, (a, i, j, n) => {
            force[a] = h > 0 ? n / h : 0;
            most = Math.max(most, force[a]);
        });
        const rgb = [0, 0, 0];
        const colourOf = (value) => {
            colourAt(map, place(value, [0, most || 1]), rgb, 0);
            return rgb;
        };
        const position = [];
        const tint = [];
        const patches = patchesOf(frame, meshes);
        this.rods.begin(frame["contact.row"].count);
        for (const patch of patches) {
            const points = patch.map((a) => ({ x: [...at.subarray(13 * a, 13 * a + 3)], value: force[a] }));
            drawPatch(points, at.subarray(13 * patch[0] + 3, 13 * patch[0] + 6), colourOf, position, tint, this.rods, 0.1 * unit, dim);
        }
        this.rods.end();
        this.faces.set(position, tint);
        this.legend = patches.length ? { title: "Force at corners of patches", unit: "N", range: [0, most || 1], map } : null;
    }
}

// Place and normal now of what a body kept of them (Openings.kept).
function worldOf(frame, bodies, meshes, k, { x, n, anchor }) {
    const { pose } = bodies;
    const q = pose.subarray(8 * k + 4, 8 * k + 8);
    const moved = turned(q, x).map((c, axis) => c + pose[8 * k + axis]);
    return { x: anchor && frame["node.at"] ? meshes.anchored(frame, meshes.places(frame), anchor) : moved, n: turned(q, n) };
}

// Patches of frame 0 by how far their sides have parted since: points are kept on both bodies, on
// the surface of those that deform.
export class Openings {
    constructor(group, { uniforms, dim }) {
        this.faces = new Faces(group, uniforms, dim, 4);
        this.rods = new Rods(group, uniforms, dim, false, 4);
    }
    seams(start, meshes) {
        if (this.start === start) {
            return this.list;
        }
        this.start = start;
        const at = start["contact.at"].data;
        const row = start["contact.row"].data;
        const list = start["body.row"].data;
        this.list = patchesOf(start, meshes).map((patch) => ({
            bodies: [0, 1].map((side) => list[3 * row[5 * patch[0] + side]]),
            corners: patch.map((a) => {
                const n = at.subarray(13 * a + 3, 13 * a + 6);
                const half = 0.5 * at[13 * a + 12];
                return [0, 1].map((side) => {
                    const sign = side === 0 ? half : -half;
                    const x = [0, 1, 2].map((c) => at[13 * a + c] + sign * n[c]);
                    return this.kept(start, meshes, row[5 * a + side], x, n);
                });
            }),
        }));
        return this.list;
    }
    // A point and a normal in the frame of a body, given by its place in the start frame.
    kept(start, meshes, body, x, n) {
        const q = start["body.turn"].data.subarray(4 * body, 4 * body + 4);
        const back = [-q[1], -q[2], -q[3], q[0]];
        const m = meshes.ofBody[start["body.row"].data[3 * body]];
        const away = x.map((value, c) => value - start["body.at"].data[3 * body + c]);
        return { x: turned(back, away), n: turned(back, [...n]), anchor: m >= 0 ? meshes.anchor(start, m, x) : null };
    }
    update(frame, { start, bodies, meshes, unit, map, dim }) {
        if (!start) {
            return;
        }
        const drawn = [];
        let most = 0;
        for (const seam of this.seams(start, meshes)) {
            const sides = seam.corners.map((corner) => corner.map((side, k) => worldOf(frame, bodies, meshes, seam.bodies[k], side)));
            const points = sides.map(([i, j]) => ({
                x: [0, 1, 2].map((c) => 0.5 * (i.x[c] + j.x[c])),
                value: [0, 1, 2].reduce((sum, c) => sum + (i.x[c] - j.x[c]) * 0.5 * (i.n[c] + j.n[c]), 0),
            }));
            const widest = Math.max(...points.map((p) => p.value));
            const isGone = widest > unit;
            if (!isGone && widest > 1e-6 * unit) {
                most = Math.max(most, widest);
                drawn.push({ points, normal: sides[0][0].n });
            }
        }
        const rgb = [0, 0, 0];
        const colourOf = (value) => {
            colourAt(map, place(value, [0, most]), rgb, 0);
            return rgb;
        };
        const position = [];
        const tint = [];
        this.rods.begin(drawn.reduce((sum, { points }) => sum + points.length, 0));
        for (const { points, normal } of drawn) {
            if (Math.max(...points.map((p) => p.value)) > 0.02 * most) {
                drawPatch(points, normal, colourOf, position, tint, this.rods, 0.12 * unit, dim);
            }
        }
        this.rods.end();
        this.faces.set(position, tint);
        this.legend = most > 0 ? { title: "Opening of joints since frame 0", unit: "m", range: [0, most], map } : null;
    }
}

const UNITS = { damage: "-", opening: "m", slip: "m", slid: "m", spent: "J/m²" };

// A state of the laws of contacts, such as damage: on patches, or across single points. Bonds of
// frame 0 whose bodies do not even touch any more are damaged altogether.
export class Bonds {
    constructor(group, common) {
        const { uniforms, dim } = common;
        this.faces = new Faces(group, uniforms, dim, 4);
        this.rods = new Rods(group, uniforms, dim, false, 4);
        this.seams = new Openings(group, common);
    }
    update(frame, context) {
        const { start, unit, map, dim, meshes, laws, bond } = context;
        const read = stateReader(frame, laws);
        const at = frame["contact.at"].data;
        const drawn = [];
        for (const patch of patchesOf(frame, meshes)) {
            const points = patch.map((a) => ({ x: [...at.subarray(13 * a, 13 * a + 3)], value: read(a, bond) })).filter(({ value }) => !Number.isNaN(value));
            points.length && drawn.push({ points, normal: at.subarray(13 * patch[0] + 3, 13 * patch[0] + 6) });
        }
        const lost = bond === "damage" && start ? this.lost(frame, context) : [];
        const all = [...drawn, ...lost];
        const most = bond === "damage" ? 1 : all.reduce((sum, { points }) => Math.max(sum, ...points.map((p) => Math.abs(p.value))), 0);
        const rgb = [0, 0, 0];
        const colourOf = (value) => {
            colourAt(map, place(Math.abs(value), [0, most || 1]), rgb, 0);
            return rgb;
        };
        const position = [];
        const tint = [];
        this.rods.begin(all.reduce((sum, { points }) => sum + points.length, 0));
        for (const { points, normal } of all) {
            if (points.length === 1) {
                const [{ x, value }] = points;
                const ends = [0.4, -0.4].map((part) => x.map((c, k) => c + part * unit * normal[k]));
                this.rods.add(...ends[0], ...ends[1], 0.1 * unit, colourOf(value));
            }
            drawPatch(points, normal, colourOf, position, tint, this.rods, 0.1 * unit, dim);
        }
        this.rods.end();
        this.faces.set(position, tint);
        this.values = drawn.flatMap(({ points }) => points.map((p) => p.value));
        this.lostCount = lost.length;
        this.legend = all.length ? { title: `${bond} of contacts`, unit: UNITS[bond] ?? "-", range: [0, most || 1], map } : null;
        this.note = all.length ? null : `no contact keeps ${bond}`;
    }
    // Patches of frame 0 that were bonded and whose bodies have no contact now, where body i carried them.
    lost(frame, { start, bodies, meshes, laws }) {
        const key = (i, j) => `${Math.min(i, j)},${Math.max(i, j)}`;
        const touching = new Set();
        const list = frame["body.row"].data;
        const row = frame["contact.row"].data;
        for (let a = 0; a < frame["contact.row"].count; a++) {
            touching.add(key(list[3 * row[5 * a]], list[3 * row[5 * a + 1]]));
        }
        const present = new Set(list.filter((_, k) => k % 3 === 0));
        const wasBonded = (a) => laws[start["contact.row"].data[5 * a + 3]]?.states.includes("damage");
        const patches = patchesOf(start, meshes);
        return this.seams
            .seams(start, meshes)
            .filter(({ bodies: [i, j] }, k) => wasBonded(patches[k][0]) && present.has(i) && present.has(j) && !touching.has(key(i, j)))
            .map((seam) => {
                const sides = seam.corners.map((corner) => worldOf(frame, bodies, meshes, seam.bodies[0], corner[0]));
                return { points: sides.map(({ x }) => ({ x, value: 1 })), normal: sides[0].n };
            });
    }
}
