// layers.js -- what is drawn over the bodies. A layer is one entry of LAYERS: title, key, and a
// class with update(frame, context); layers that have nothing to show stay empty.
//
// A new layer (meshes with fields, stress crosses) is one class and one line of the table: it finds
// its blocks in the frame and draws into its own group.
import * as THREE from "three";
import { STATUS, colourAt, place } from "./colour.js";
import { eachContact, timeStep } from "./fields.js";
import * as shaders from "./shaders.js";
import { turned } from "./bodies.js";
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

class Velocities {
    constructor(group, { uniforms, dim }) {
        this.rods = new Rods(group, uniforms, dim, true, 7);
    }
    update(frame, { unit, scale, isDark }) {
        const rate = frame["body.rate"].data;
        const at = frame["body.at"].data;
        const count = frame["body.row"].count;
        let most = 0;
        for (let i = 0; i < count; i++) {
            most = Math.max(most, Math.hypot(rate[6 * i], rate[6 * i + 1], rate[6 * i + 2]));
        }
        this.rods.begin(count, unit);
        for (let i = 0; i < count && most > 0; i++) {
            const v = [rate[6 * i], rate[6 * i + 1], rate[6 * i + 2]];
            const size = Math.hypot(...v);
            if (size > 5e-3 * most) {
                const grow = (4 * scale * unit) / most;
                const x = [at[3 * i], at[3 * i + 1], at[3 * i + 2]];
                const width = unit * scale * Math.min(0.07, (0.3 * size) / most);
                this.rods.add(...x, ...x.map((c, n) => c + grow * v[n]), width, isDark ? [255, 214, 90] : [60, 30, 110]);
            }
        }
        this.rods.end();
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

// Corners of a patch in order around it, seen along the normal.
function around(points, normal) {
    const middle = [0, 1, 2].map((c) => points.reduce((sum, p) => sum + p.x[c], 0) / points.length);
    const e = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const u = [normal[1] * e[2] - normal[2] * e[1], normal[2] * e[0] - normal[0] * e[2], normal[0] * e[1] - normal[1] * e[0]];
    const v = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2], normal[0] * u[1] - normal[1] * u[0]];
    const angle = (p) => {
        const d = [0, 1, 2].map((c) => p.x[c] - middle[c]);
        return Math.atan2(d[0] * v[0] + d[1] * v[1] + d[2] * v[2], d[0] * u[0] + d[1] * u[1] + d[2] * u[2]);
    };
    return points.map((p) => ({ p, angle: angle(p) })).sort((a, b) => a.angle - b.angle).map((x) => x.p);
}

// Places of the contacts of each patch: [[a, b, c], [d], ...]. They stand together in a frame.
export function patchesOf(frame) {
    const row = frame["contact.row"].data;
    const patches = [];
    for (let a = 0; a < frame["contact.row"].count; a++) {
        const k = row[5 * a + 4];
        (patches[k] ??= []).push(a);
    }
    return patches.filter(Boolean);
}

// Draws corners with values as a filled polygon (three and more) or a bar (two).
function drawPatch(points, normal, colourOf, position, tint, rods, width) {
    if (points.length === 2) {
        rods.add(...points[0].x, ...points[1].x, width, colourOf((points[0].value + points[1].value) / 2));
    }
    if (points.length > 2) {
        const loop = around(points, normal);
        for (let k = 2; k < loop.length; k++) {
            for (const p of [loop[0], loop[k - 1], loop[k]]) {
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
    update(frame, { unit, map }) {
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
        const patches = patchesOf(frame);
        this.rods.begin(patches.length);
        for (const patch of patches) {
            const points = patch.map((a) => ({ x: [...at.subarray(13 * a, 13 * a + 3)], value: force[a] }));
            drawPatch(points, at.subarray(13 * patch[0] + 3, 13 * patch[0] + 6), colourOf, position, tint, this.rods, 0.1 * unit);
        }
        this.rods.end();
        this.faces.set(position, tint);
        this.legend = patches.length ? { title: "Force at corners of patches", unit: "N", range: [0, most || 1], map } : null;
    }
}

// Patches of frame 0 by how far their sides have parted since: points are kept on both bodies.
class Openings {
    constructor(group, { uniforms, dim }) {
        this.faces = new Faces(group, uniforms, dim, 4);
        this.rods = new Rods(group, uniforms, dim, false, 4);
    }
    seams(start) {
        if (this.start === start) {
            return this.list;
        }
        this.start = start;
        const at = start["contact.at"].data;
        const row = start["contact.row"].data;
        const list = start["body.row"].data;
        this.list = patchesOf(start).map((patch) => ({
            bodies: [0, 1].map((side) => list[3 * row[5 * patch[0] + side]]),
            corners: patch.map((a) => {
                const x = at.subarray(13 * a, 13 * a + 3);
                const n = at.subarray(13 * a + 3, 13 * a + 6);
                const half = 0.5 * at[13 * a + 12];
                return [0, 1].map((side) => {
                    const body = row[5 * a + side];
                    const q = start["body.turn"].data.subarray(4 * body, 4 * body + 4);
                    const back = [-q[1], -q[2], -q[3], q[0]];
                    const sign = side === 0 ? half : -half;
                    const away = [0, 1, 2].map((c) => x[c] + sign * n[c] - start["body.at"].data[3 * body + c]);
                    return { x: turned(back, away), n: turned(back, [...n]) };
                });
            }),
        }));
        return this.list;
    }
    update(frame, { start, bodies, unit, map }) {
        if (!start) {
            return;
        }
        const pose = bodies.pose;
        const worldOf = (k, { x, n }) => {
            const q = pose.subarray(8 * k + 4, 8 * k + 8);
            const moved = turned(q, x);
            return { x: moved.map((c, axis) => c + pose[8 * k + axis]), n: turned(q, n) };
        };
        const drawn = [];
        let most = 0;
        for (const seam of this.seams(start)) {
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
        this.rods.begin(drawn.length);
        for (const { points, normal } of drawn) {
            if (Math.max(...points.map((p) => p.value)) > 0.02 * most) {
                drawPatch(points, normal, colourOf, position, tint, this.rods, 0.12 * unit);
            }
        }
        this.rods.end();
        this.faces.set(position, tint);
        this.legend = most > 0 ? { title: "Opening of joints since frame 0", unit: "m", range: [0, most], map } : null;
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
};
