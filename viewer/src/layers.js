// layers.js -- what is drawn over the bodies. A layer is one entry of LAYERS: title, key, and a
// class with update(frame, context); layers that have nothing to show stay empty.
//
// A new layer is one class and one line of the table: it finds its blocks in the frame and draws into
// its own group.
import * as THREE from "three";
import { CellLines, cellOf, shiftOf } from "./cell.js";
import { statusOf } from "./colour.js";
import { number } from "./format.js";
import { eachContact, statesOf, stressAt, three, timeStep } from "./fields.js";
import { Bonds, Openings, Patches } from "./patches.js";
import { Rods, material } from "./rods.js";
import * as shaders from "./shaders.js";
import { principal } from "./stress.js";

class Contacts {
    constructor(group, { uniforms, dim, pixelRatio }) {
        this.geometry = new THREE.BufferGeometry();
        this.pixelRatio = pixelRatio;
        this.size = { value: 7 };
        const look = material(shaders.DOT_VERTEX, shaders.DOT_FRAGMENT, { ...uniforms, size: this.size }, dim);
        look.depthTest = false; // a contact lies between two bodies, which would hide it
        look.transparent = true;
        this.points = new THREE.Points(this.geometry, look);
        this.points.frustumCulled = false;
        this.points.renderOrder = 60;
        group.add(this.points);
    }
    update(frame, { isDark }) {
        const count = frame["contact.row"].count;
        const at = frame["contact.at"].data;
        const row = frame["contact.row"].data;
        const position = new Float32Array(3 * count);
        const tint = new Float32Array(3 * count);
        for (let a = 0; a < count; a++) {
            position.set(at.subarray(13 * a, 13 * a + 3), 3 * a);
            tint.set(statusOf(row[5 * a + 2], isDark).colour.map((c) => c / 255), 3 * a);
        }
        this.geometry.dispose();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
        this.geometry.setAttribute("tint", new THREE.BufferAttribute(tint, 3));
        this.points.visible = count > 0;
        this.size.value = this.pixelRatio * Math.max(3.5, Math.min(7, 7 * Math.sqrt(400 / Math.max(count, 1))));
    }
}

// Radius of the rod of a usual impulse, over the reach of a usual body.
const CHAIN = { 2: 0.2, 3: 0.12 };
const ARROW = 2.4; // length of the arrow of a usual impulse, over the same

// What the legend says of forces: newtons of a rod one metre thick or an arrow one metre long, and the
// largest force. Nothing without a step, in frame 0.
function forceScale(frame, kind, title, metres, usual, most) {
    const h = timeStep(frame);
    return h > 0 && most > 0 ? { title, kind, unit: "N", perMetre: usual / h / metres, most: most / h } : null;
}

// Lines from the contact to both bodies, as thick as the normal force; those of less than `least`
// newtons are left out.
class Chains {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim);
    }
    update(frame, { bodies, unit, scale, dim, isDark, least }) {
        const row = frame["contact.row"].data;
        const at = frame["contact.at"].data;
        const where = frame["body.at"].data;
        const list = frame["body.row"].data;
        const most = usualImpulse(frame);
        const thick = CHAIN[dim] * scale * unit;
        const cell = cellOf(frame, dim);
        let largest = 0;
        this.rods.begin(2 * frame["contact.row"].count, unit);
        eachContact(frame, (a, i, j, n, t) => {
            largest = Math.max(largest, Math.abs(n));
            if (!(Math.abs(n) + t > 1e-3 * most) || Math.abs(n) < least * timeStep(frame)) {
                return;
            }
            const width = thick * Math.min(1.5, Math.abs(n) / most);
            for (const [body, sign] of [[i, 1], [j, -1]]) {
                const k = list[3 * body];
                // Towards the mass centre, or a little way along the normal into large bodies.
                const isLarge = bodies.isEndless[k] || bodies.reach[k] > 6 * unit;
                const image = sign < 0 ? shiftOf(frame, a, cell) : [0, 0, 0];
                const end = [0, 1, 2].map((c) => (isLarge ? at[13 * a + c] + sign * 0.5 * unit * at[13 * a + 3 + c] : where[3 * body + c] + image[c]));
                this.rods.add(at[13 * a], at[13 * a + 1], at[13 * a + 2], ...end, width, statusOf(row[5 * a + 2], isDark).colour);
            }
        });
        this.rods.end();
        this.count = this.rods.used / 2;
        this.forces = forceScale(frame, "rod", "normal force", 2 * thick, most, largest);
    }
}

// What the longest arrow and the thickest rod stand for: an impulse that few exceed, so that one
// shock does not make all others vanish.
export function usualImpulse(frame) {
    const sizes = [];
    eachContact(frame, (a, i, j, n, t) => {
        if (n !== 0 || t !== 0) {
            sizes.push(Math.hypot(n, t));
        }
    });
    sizes.sort((x, y) => x - y);
    return sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 0;
}

// The force of each contact on the body that is free to move, on the first one if both are.
class Forces {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, true, 7);
    }
    update(frame, { unit, scale, isHeld, isDark, least }) {
        const row = frame["contact.row"].data;
        const at = frame["contact.at"].data;
        const bodies = frame["body.row"].data;
        const most = usualImpulse(frame);
        let largest = 0;
        this.rods.begin(frame["contact.row"].count, unit);
        eachContact(frame, (a, i, j, n, t) => {
            const size = Math.hypot(n, t);
            largest = Math.max(largest, size);
            if (!(size > 1e-3 * most) || Math.abs(n) < least * timeStep(frame)) {
                return;
            }
            const k = 13 * a;
            const grow = ((isHeld(bodies[3 * i + 2]) ? -ARROW : ARROW) * scale * unit) / Math.max(most, size / 2);
            this.rods.add(at[k], at[k + 1], at[k + 2], at[k] + grow * at[k + 6], at[k + 1] + grow * at[k + 7], at[k + 2] + grow * at[k + 8], 0.07 * unit * scale, statusOf(row[5 * a + 2], isDark).colour);
        });
        this.rods.end();
        this.count = this.rods.used;
        this.forces = forceScale(frame, "arrow", "contact force", ARROW * scale * unit, most, largest);
    }
}

// Of bodies at their mass centres, of meshes at their nodes, in one scale.
class Velocities {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, true, 7);
    }
    update(frame, { unit, scale, isDark, meshes }) {
        const list = this.list(frame, meshes);
        this.forces = null;
        const size = meshes.count > 0 ? meshes.cell : 4 * unit;
        const most = list.reduce((sum, { v }) => Math.max(sum, Math.hypot(...v)), 0);
        this.rods.begin(list.length, size / 4);
        for (const { x, v } of list) {
            const part = Math.hypot(...v) / most;
            if (part > 5e-3) {
                const grow = (scale * size) / most;
                const width = size * scale * Math.min(0.0175, 0.075 * part);
                this.rods.add(...x, ...[0, 1, 2].map((c) => x[c] + grow * v[c]), width, isDark ? [255, 214, 90] : [60, 30, 110]);
            }
        }
        this.rods.end();
        this.count = this.rods.used;
        this.forces = most > 0 ? { title: "velocity", kind: "arrow", unit: "m/s", perMetre: most / (scale * size), most } : null;
    }
    list(frame, meshes) {
        const rate = frame["body.rate"].data;
        const row = frame["body.row"].data;
        const out = [];
        for (let i = 0; i < frame["body.row"].count; i++) {
            if (meshes.ofBody[row[3 * i]] < 0) {
                out.push({ x: three(frame["body.at"].data, i), v: rate.subarray(6 * i, 6 * i + 3) });
            }
        }
        meshes.eachNode(frame, (n, k) => out.push({ x: three(meshes.shown, n), v: three(frame["node.rate"].data, k) }));
        return out;
    }
}

const JOINT_COLOUR = [0x33, 0x3d, 0x4a];
const BROKEN_COLOUR = [0xd5, 0x5e, 0x00];
const ROD = 4;

class Joints {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, false, 7);
    }
    update(frame, { unit, isDark }) {
        const row = frame["joint.row"].data;
        const at = frame["joint.at"].data;
        const count = frame["joint.row"].count;
        this.rods.begin(3 * count, unit);
        for (let k = 0; k < count; k++) {
            const x = at.subarray(20 * k, 20 * k + 3);
            const end = at.subarray(20 * k + 3, 20 * k + 6);
            const axis = at.subarray(20 * k + 6, 20 * k + 9);
            const colour = row[5 * k + 4] ? BROKEN_COLOUR : isDark ? [220, 226, 235] : JOINT_COLOUR;
            const kind = row[5 * k + 1];
            if (kind >= ROD) {
                this.rods.add(...end, ...x, (kind === ROD ? 0.06 : 0.03) * unit, colour);
                continue;
            }
            const long = (kind === 1 || kind === 2) && Math.hypot(...axis) > 0.5;
            const way = long ? axis : [0, 0, 1];
            const half = (long ? 0.7 : 0.2) * unit;
            this.rods.add(...[0, 1, 2].map((c) => x[c] - half * way[c]), ...[0, 1, 2].map((c) => x[c] + half * way[c]), (long ? 0.07 : 0.14) * unit, colour);
        }
        this.rods.end();
    }
}

const CROSSES_MAX = 20000;
const TENSION = { name: "tension", colour: [0xd5, 0x5e, 0x00] };
const COMPRESSION = { name: "compression", colour: [0x00, 0x72, 0xb2] };

// Principal stresses of each element, the mean of its corners, as bars along their directions.
class Crosses {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, false, 7);
    }
    update(frame, { meshes, dim, scale }) {
        const list = frame["node.stress"] ? this.list(frame, meshes, dim) : [];
        const sizes = list.map(({ value }) => Math.abs(value)).sort((a, b) => a - b);
        const most = sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 0;
        this.rods.begin(list.length, meshes.cell);
        for (const { at, value, way } of list) {
            const half = (0.5 * scale * meshes.cell * Math.min(1.5, Math.abs(value) / most)) || 0;
            if (half > 0.01 * scale * meshes.cell) {
                this.rods.add(...at.map((x, c) => x - half * way[c]), ...at.map((x, c) => x + half * way[c]), 0.045 * scale * meshes.cell, (value > 0 ? TENSION : COMPRESSION).colour);
            }
        }
        this.rods.end();
        this.count = this.rods.used;
        this.most = most;
        this.swatches = list.length ? { title: `Principal stresses, longest ${number(most, 3)} Pa`, items: [TENSION, COMPRESSION] } : null;
    }
    list(frame, meshes, dim) {
        const nodes = meshes.places(frame);
        const out = [];
        meshes.eachElement(frame, CROSSES_MAX, (corners) => {
            const at = [0, 0, 0];
            const stress = [0, 0, 0, 0, 0, 0];
            for (const n of corners) {
                three(meshes.shown, n).forEach((x, c) => (at[c] += x / corners.length));
                stressAt(frame, nodes[n]).forEach((x, c) => (stress[c] += x / corners.length));
            }
            // In the plane the one across it is left out.
            const crossing = dim === 2 ? stress.map((x, c) => (c === 0 || c === 1 || c === 3 ? x : 0)) : stress;
            for (const { value, way } of principal(crossing)) {
                if (dim === 3 || Math.abs(way[2]) < 0.5) {
                    out.push({ at, value, way });
                }
            }
        });
        return out;
    }
}

export const LAYERS = {
    contacts: { title: "Contact points", key: "c", Layer: Contacts, hasStatus: true, needsContacts: true },
    chains: { title: "Force chains", key: "f", Layer: Chains, hasStatus: true, needsContacts: true },
    forces: { title: "Contact force arrows", key: "g", Layer: Forces, hasStatus: true, needsContacts: true },
    velocities: { title: "Velocity arrows", key: "v", Layer: Velocities },
    patches: { title: "Contact patches", key: "p", Layer: Patches, needsContacts: true },
    openings: { title: "Joint openings", key: "o", Layer: Openings, needsStart: true },
    bonds: { title: "States of contacts", key: "d", Layer: Bonds, needsContacts: true, needsStart: true, needsStates: true },
    joints: { title: "Joints", key: "j", Layer: Joints },
    cell: { title: "Periodic cell", key: "w", Layer: CellLines, needsCell: true },
    crosses: { title: "Principal stresses", key: "y", Layer: Crosses, needsStress: true },
};

// Layers that a result has something to show for.
export function layersOf({ stress, cell, laws }) {
    const has = { needsStress: stress, needsCell: cell, needsStates: statesOf(laws).length };
    return Object.entries(LAYERS).filter(([, layer]) => Object.keys(has).every((need) => !layer[need] || has[need]));
}
