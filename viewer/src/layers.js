// layers.js -- what is drawn over the bodies. A layer is one entry of LAYERS: title, key, and a
// class with update(frame, context); layers that have nothing to show stay empty.
//
// A new layer is one class and one line of the table: it finds its blocks in the frame and draws into
// its own group.
import * as THREE from "three";
import { STATUS, colourAt, place } from "./colour.js";
import { number } from "./format.js";
import { eachContact, stressAt, three, timeStep } from "./fields.js";
import * as shaders from "./shaders.js";
import { turned } from "./bodies.js";
import { principal } from "./stress.js";
import { rod } from "./templates.js";

function material(vertex, fragment, uniforms, dim, options = {}) {
    return new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms,
        side: THREE.DoubleSide,
        depthTest: dim === 3,
        depthWrite: dim === 3,
        transparent: dim === 2,
        ...options,
    });
}

// Many rods or arrows in one draw call. In space a pale copy shines through what is in front; in the
// plane a bright border keeps them apart from bodies of any colour.
class Rods {
    constructor(group, uniforms, dim, isArrow = false, order = 5) {
        const shape = rod(dim === 2 ? 6 : 12, isArrow);
        this.geometry = new THREE.InstancedBufferGeometry();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(shape.position), 3));
        this.geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(shape.normal), 3));
        this.geometry.setIndex(shape.index);
        this.room = 0;
        const own = { ...uniforms, isArrow: { value: isArrow ? 1 : 0 }, opacity: { value: 1 }, halo: { value: new THREE.Vector4(0, 0, 0, 0) } };
        this.halo = { value: new THREE.Vector4(1, 1, 1, 0) };
        const veiled = { ...own, opacity: { value: 0.3 } };
        this.meshes = [new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, own, dim))];
        if (dim === 2) {
            this.meshes.unshift(new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, { ...own, halo: this.halo, opacity: { value: 0.75 } }, dim)));
        } else {
            const through = { transparent: true, depthFunc: THREE.GreaterDepth, depthWrite: false };
            this.meshes.push(new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, veiled, dim, through)));
        }
        this.meshes.forEach((mesh, k) => {
            mesh.frustumCulled = false;
            mesh.renderOrder = order + k;
            group.add(mesh);
        });
        this.begin(0);
        this.end();
    }
    // Makes room for at most `count` rods in a scene of bodies of the usual size `unit`.
    begin(count, unit = 0) {
        this.halo.value.w = 0.035 * unit;
        if (count > this.room) {
            this.room = Math.ceil(1.25 * count) + 8;
            for (const [name, size] of [["from", 3], ["to", 3], ["width", 1], ["tint", 3]]) {
                const attribute = new THREE.InstancedBufferAttribute(new Float32Array(size * this.room), size);
                attribute.setUsage(THREE.DynamicDrawUsage);
                this.geometry.setAttribute(name, attribute);
                this[name] = attribute.array;
            }
        }
        this.used = 0;
    }
    add(x0, y0, z0, x1, y1, z1, width, [r, g, b]) {
        const k = this.used++;
        this.from.set([x0, y0, z0], 3 * k);
        this.to.set([x1, y1, z1], 3 * k);
        this.width[k] = width;
        this.tint.set([r / 255, g / 255, b / 255], 3 * k);
    }
    end() {
        this.geometry.instanceCount = this.used;
        for (const mesh of this.meshes) {
            mesh.visible = this.used > 0;
        }
        for (const name of ["from", "to", "width", "tint"]) {
            if (this.geometry.attributes[name]) {
                this.geometry.attributes[name].needsUpdate = true;
            }
        }
    }
}

// Triangles with colours, of any number.
class Faces {
    constructor(group, uniforms, dim, order) {
        this.geometry = new THREE.BufferGeometry();
        const own = { ...uniforms, opacity: { value: 0.92 } };
        const veiled = { ...uniforms, opacity: { value: 0.5 } };
        this.group = new THREE.Group();
        const looks = [material(shaders.FACE_VERTEX, shaders.FACE_FRAGMENT, own, dim, { transparent: true })];
        if (dim === 3) {
            looks.push(material(shaders.FACE_VERTEX, shaders.FACE_FRAGMENT, veiled, dim, { transparent: true, depthFunc: THREE.GreaterDepth, depthWrite: false }));
        }
        looks.forEach((look, k) => {
            const mesh = new THREE.Mesh(this.geometry, look);
            mesh.frustumCulled = false;
            mesh.renderOrder = order + k;
            this.group.add(mesh);
        });
        group.add(this.group);
    }
    set(position, tint) {
        this.geometry.dispose();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(position), 3));
        this.geometry.setAttribute("tint", new THREE.BufferAttribute(new Float32Array(tint), 3));
        this.group.visible = position.length > 0;
    }
}

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
    update(frame) {
        const count = frame["contact.row"].count;
        const at = frame["contact.at"].data;
        const row = frame["contact.row"].data;
        const position = new Float32Array(3 * count);
        const tint = new Float32Array(3 * count);
        for (let a = 0; a < count; a++) {
            position.set(at.subarray(13 * a, 13 * a + 3), 3 * a);
            tint.set(STATUS[row[5 * a + 2]].colour.map((c) => c / 255), 3 * a);
        }
        this.geometry.dispose();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
        this.geometry.setAttribute("tint", new THREE.BufferAttribute(tint, 3));
        this.points.visible = count > 0;
        this.size.value = this.pixelRatio * Math.max(3.5, Math.min(7, 7 * Math.sqrt(400 / Math.max(count, 1))));
    }
}

// Lines from the contact to both bodies, as thick as the normal force.
class Chains {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim);
    }
    update(frame, { bodies, unit, scale }) {
        const row = frame["contact.row"].data;
        const at = frame["contact.at"].data;
        const where = frame["body.at"].data;
        const list = frame["body.row"].data;
        const most = usualImpulse(frame);
        this.rods.begin(2 * frame["contact.row"].count, unit);
        eachContact(frame, (a, i, j, n, t) => {
            if (!(Math.abs(n) + t > 1e-3 * most)) {
                return;
            }
            const width = 0.3 * scale * unit * Math.min(1.5, Math.abs(n) / most);
            for (const [body, sign] of [[i, 1], [j, -1]]) {
                const k = list[3 * body];
                // Towards the mass centre, or a little way along the normal into large bodies.
                const isLarge = bodies.isEndless[k] || bodies.reach[k] > 6 * unit;
                const end = [0, 1, 2].map((c) => (isLarge ? at[13 * a + c] + sign * 0.5 * unit * at[13 * a + 3 + c] : where[3 * body + c]));
                this.rods.add(at[13 * a], at[13 * a + 1], at[13 * a + 2], ...end, width, STATUS[row[5 * a + 2]].colour);
            }
        });
        this.rods.end();
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
    update(frame, { unit, scale, isHeld }) {
        const row = frame["contact.row"].data;
        const at = frame["contact.at"].data;
        const bodies = frame["body.row"].data;
        const most = usualImpulse(frame);
        this.rods.begin(frame["contact.row"].count, unit);
        eachContact(frame, (a, i, j, n, t) => {
            const size = Math.hypot(n, t);
            if (!(size > 1e-3 * most)) {
                return;
            }
            const k = 13 * a;
            const grow = ((isHeld(bodies[3 * i + 2]) ? -2.4 : 2.4) * scale * unit) / Math.max(most, size / 2);
            this.rods.add(at[k], at[k + 1], at[k + 2], at[k] + grow * at[k + 6], at[k + 1] + grow * at[k + 7], at[k + 2] + grow * at[k + 8], 0.07 * unit * scale, STATUS[row[5 * a + 2]].colour);
        });
        this.rods.end();
    }
}

// Of bodies at their mass centres, of meshes at their nodes, in one scale.
class Velocities {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, true, 7);
    }
    update(frame, { unit, scale, isDark, meshes }) {
        const list = this.list(frame, meshes);
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

// Where two bodies meet in several points: the patch, coloured by the normal force of its corners.
class Patches {
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

// Patches of frame 0 by how far their sides have parted since: points are kept on both bodies, on
// the surface of those that deform.
class Openings {
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
        const pose = bodies.pose;
        const nodes = meshes.places(frame);
        const worldOf = (k, { x, n, anchor }) => {
            const q = pose.subarray(8 * k + 4, 8 * k + 8);
            const moved = turned(q, x).map((c, axis) => c + pose[8 * k + axis]);
            return { x: anchor && frame["node.at"] ? meshes.anchored(frame, nodes, anchor) : moved, n: turned(q, n) };
        };
        const drawn = [];
        let most = 0;
        for (const seam of this.seams(start, meshes)) {
            const sides = seam.corners.map((corner) => corner.map((side, k) => worldOf(seam.bodies[k], side)));
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
    joints: { title: "Joints", key: "j", Layer: Joints },
    crosses: { title: "Principal stresses", key: "y", Layer: Crosses, needsStress: true },
};

// Layers that a result has something to show for.
export function layersOf({ stress }) {
    return Object.entries(LAYERS).filter(([, layer]) => !layer.needsStress || stress);
}
