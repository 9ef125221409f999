// bodies.js -- all shapes of a run as few draw calls, and the texture that moves them.
//
// Spheres and disks are one instanced square each; round solids one instanced template per kind;
// hulls, polygons and surfaces are instanced when many are equal, else joined into one mesh.
import * as THREE from "three";
import * as shaders from "./shaders.js";
import * as templates from "./templates.js";

const GROUPS_MAX = 64; // equal geometries drawn as instances; the rest is joined
const FEW = 4;

const SOLID = { sphere: 0, capsule: 1, hull: 2, halfSpace: 3, cylinder: 4, hollowSphere: 5, hollowCylinder: 6, surface: 7 };
const SHAPE = { disk: 0, capsule: 1, polygon: 2, hollow: 3, halfPlane: 4 };

export function turned([x, y, z, w], [vx, vy, vz]) {
    const tx = y * vz - z * vy + w * vx;
    const ty = z * vx - x * vz + w * vy;
    const tz = x * vy - y * vx + w * vz;
    return [vx + 2 * (y * tz - z * ty), vy + 2 * (z * tx - x * tz), vz + 2 * (x * ty - y * tx)];
}

function attribute(geometry, name, values, size, isInstanced) {
    const Kind = isInstanced ? THREE.InstancedBufferAttribute : THREE.BufferAttribute;
    geometry.setAttribute(name, new Kind(values, size));
}

function pileOf(piles, key) {
    if (!piles.has(key)) {
        piles.set(key, []);
    }
    return piles.get(key);
}

// The shapes of a run as plain rows.
class ShapeList {
    constructor(blocks) {
        this.kind = (k) => blocks["shape.row"].data[3 * k];
        this.geometry = (k) => blocks["shape.row"].data[3 * k + 1];
        this.ends = (k) => blocks["shape.row"].data[3 * k + 2];
        const m = blocks["shape.measure"].data;
        this.measure = (k) => m.subarray(10 * k, 10 * k + 3);
        this.at = (k) => m.subarray(10 * k + 3, 10 * k + 6);
        this.turn = (k) => [m[10 * k + 7], m[10 * k + 8], m[10 * k + 9], m[10 * k + 6]];
        this.blocks = blocks;
    }
    // Vertices, triangles and edges of a geometry; edges of surfaces are found here.
    corners(g) {
        const start = this.blocks["geometry.start"].data;
        const cut = (name, width, n) => this.blocks[name].data.subarray(width * start[3 * g + n], width * start[3 * g + 3 + n]);
        const vertex = cut("geometry.vertex", 3, 0);
        const triangle = cut("geometry.triangle", 3, 1);
        const edge = cut("geometry.edge", 2, 2);
        return { vertex, triangle, edge: edge.length || !triangle.length ? edge : sharpEdges(vertex, triangle) };
    }
}

function faceNormal(vertex, triangle, t) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangle[3 * t + k]);
    const u = [0, 1, 2].map((k) => vertex[b + k] - vertex[a + k]);
    const v = [0, 1, 2].map((k) => vertex[c + k] - vertex[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(...n) || 1;
    return n.map((x) => x / size);
}

// Edges between triangles that meet at more than 25 degrees.
function sharpEdges(vertex, triangle) {
    const seen = new Map();
    const out = [];
    const key = (v) => `${vertex[3 * v]},${vertex[3 * v + 1]},${vertex[3 * v + 2]}`;
    for (let t = 0; t < triangle.length / 3; t++) {
        const n = faceNormal(vertex, triangle, t);
        for (let k = 0; k < 3; k++) {
            const a = triangle[3 * t + k];
            const b = triangle[3 * t + ((k + 1) % 3)];
            const back = `${key(b)}|${key(a)}`;
            const other = seen.get(back);
            if (!other) {
                seen.set(`${key(a)}|${key(b)}`, { n, a, b });
            } else {
                seen.delete(back);
                if (n[0] * other.n[0] + n[1] * other.n[1] + n[2] * other.n[2] < 0.906) {
                    out.push(a, b);
                }
            }
        }
    }
    for (const { a, b } of seen.values()) {
        out.push(a, b);
    }
    return out;
}

// Triangles with normals of their own, so that faces look flat.
function flatMesh({ vertex, triangle }) {
    const position = new Float32Array(3 * triangle.length);
    const normal = new Float32Array(3 * triangle.length);
    for (let t = 0; t < triangle.length / 3; t++) {
        const n = faceNormal(vertex, triangle, t);
        for (let k = 0; k < 3; k++) {
            const v = triangle[3 * t + k];
            position.set(vertex.subarray(3 * v, 3 * v + 3), 9 * t + 3 * k);
            normal.set(n, 9 * t + 3 * k);
        }
    }
    return { position, normal };
}

function edgeMesh({ vertex, edge }) {
    const position = new Float32Array(3 * edge.length);
    edge.forEach((v, k) => position.set(vertex.subarray(3 * v, 3 * v + 3), 3 * k));
    return { position };
}

function moveInto(position, at, turn, out, start) {
    for (let k = 0; k < position.length; k += 3) {
        const x = turned(turn, [position[k], position[k + 1], position[k + 2]]);
        out[start + k] = x[0] + at[0];
        out[start + k + 1] = x[1] + at[1];
        out[start + k + 2] = x[2] + at[2];
    }
}

export class Bodies {
    // Without `drawsBalls` spheres are points, which is far less work.
    constructor(blocks, dim, uniforms, drawsBalls = true) {
        this.dim = dim;
        this.drawsBalls = drawsBalls;
        this.uniforms = uniforms;
        this.count = blocks["body.row"].count;
        this.row = blocks["body.row"].data;
        this.massRow = blocks["body.mass"].data;
        this.isFixed = blocks["body.fixed"].data;
        this.names = new TextDecoder().decode(blocks["body.name"].data).split("\n");
        this.shapes = new ShapeList(blocks);
        this.group = new THREE.Group();
        this.edges = new THREE.Group();
        this.hollows = new THREE.Group();
        this.makeTextures();
        this.measure();
        this.sort();
    }
    // Identity as a number; ids are below 2^53 in practice, and shown as they are.
    id(k) {
        return (BigInt.asUintN(32, BigInt(this.row[5 * k])) + (BigInt.asUintN(32, BigInt(this.row[5 * k + 1])) << 32n)).toString();
    }
    mass(k) {
        return this.massRow[5 * k];
    }
    inertia(k) {
        return this.dim === 2 ? [this.massRow[5 * k + 1]] : [...this.massRow.subarray(5 * k + 1, 5 * k + 4)];
    }
    // Of the scene, such as wall[3,2]; "body 12" if the file does not tell.
    name(k) {
        return this.names[k] || `body ${this.id(k)}`;
    }
    // Groups of the bodies that were not held when they appeared.
    groupsOfFree() {
        const groups = new Set();
        for (let k = 0; k < this.count; k++) {
            if (!this.isFixed[k]) {
                groups.add(this.row[5 * k + 2]);
            }
        }
        return groups;
    }
    eachShape(visit) {
        for (let b = 0; b < this.count; b++) {
            const start = this.row[5 * b + 3];
            for (let s = start; s < start + this.row[5 * b + 4]; s++) {
                visit(b, s);
            }
        }
    }
    isGround(s) {
        return this.shapes.kind(s) === (this.dim === 2 ? SHAPE.halfPlane : SOLID.halfSpace);
    }
    isCentredBall(s) {
        const at = this.shapes.at(s);
        return this.shapes.kind(s) === 0 && at[0] === 0 && at[1] === 0 && at[2] === 0;
    }
    // Two texels per body, and one colour.
    makeTextures() {
        const width = 1024;
        const rows = Math.max(1, Math.ceil((2 * this.count) / width));
        const colourRows = Math.max(1, Math.ceil(this.count / width));
        this.pose = new Float32Array(4 * width * rows);
        this.paint = new Uint8Array(4 * width * colourRows);
        this.poseMap = new THREE.DataTexture(this.pose, width, rows, THREE.RGBAFormat, THREE.FloatType);
        this.paintMap = new THREE.DataTexture(this.paint, width, colourRows);
        this.uniforms.pose.value = this.poseMap;
        this.uniforms.paint.value = this.paintMap;
    }
    // How far each body reaches from its mass centre; 0 for those without end.
    measure() {
        this.reach = new Float32Array(this.count);
        this.isEndless = new Uint8Array(this.count);
        this.sizes = new Map();
        this.extent = new Float32Array(6 * this.count);
        for (let b = 0; b < this.count; b++) {
            this.extent.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity], 6 * b);
        }
        this.eachShape((b, s) => {
            if (this.isGround(s)) {
                this.isEndless[b] = 1;
                return;
            }
            const [radius, length, wall] = this.shapes.measure(s);
            const g = this.shapes.geometry(s);
            if (this.row[5 * b + 4] === 1 && this.isCentredBall(s)) { // most bodies of large scenes
                for (let n = 0; n < 6; n++) {
                    this.extent[6 * b + n] = n % 3 < this.dim ? (n < 3 ? -radius : radius) : 0;
                }
                this.reach[b] = radius;
                return;
            }
            const along = this.dim === 2 ? [1, 0, 0] : [0, 0, 1];
            const half = along.map((x, n) => (n < this.dim ? radius + wall + x * (length / 2 + wall) : 0));
            let own = { far: radius + wall + length / 2, low: half.map((x) => -x), high: half };
            if (g >= 0) {
                if (!this.sizes.has(g)) {
                    this.sizes.set(g, this.measureGeometry(g));
                }
                own = this.sizes.get(g);
            }
            this.reach[b] = Math.max(this.reach[b], Math.hypot(...this.shapes.at(s)) + own.far);
            this.growExtent(b, s, own);
        });
    }
    // Makes the box of a body, in its own frame, hold the corners of the box of a shape.
    growExtent(b, s, { low, high }) {
        const turn = this.shapes.turn(s);
        const at = this.shapes.at(s);
        for (let corner = 0; corner < 8; corner++) {
            const x = turned(turn, [0, 1, 2].map((n) => ((corner >> n) & 1 ? high[n] : low[n])));
            for (let n = 0; n < 3; n++) {
                this.extent[6 * b + n] = Math.min(this.extent[6 * b + n], x[n] + at[n]);
                this.extent[6 * b + 3 + n] = Math.max(this.extent[6 * b + 3 + n], x[n] + at[n]);
            }
        }
    }
    // Grows a box of the world around body k at the given place and turn (w x y z).
    growBox(k, at, turn, low, high) {
        const reach = this.reach[k];
        let isBall = true;
        for (let n = 0; n < this.dim; n++) {
            isBall = isBall && this.extent[6 * k + n] === -reach && this.extent[6 * k + 3 + n] === reach;
        }
        if (isBall) {
            for (let n = 0; n < this.dim; n++) {
                low[n] = Math.min(low[n], at[n] - reach);
                high[n] = Math.max(high[n], at[n] + reach);
            }
            low[2] = this.dim === 2 ? 0 : low[2];
            high[2] = this.dim === 2 ? 0 : high[2];
            return;
        }
        const q = [turn[1], turn[2], turn[3], turn[0]];
        for (let corner = 0; corner < 8; corner++) {
            const x = turned(q, [0, 1, 2].map((n) => this.extent[6 * k + n + ((corner >> n) & 1 ? 3 : 0)]));
            for (let n = 0; n < 3; n++) {
                low[n] = Math.min(low[n], at[n] + x[n]);
                high[n] = Math.max(high[n], at[n] + x[n]);
            }
        }
    }
    measureGeometry(g) {
        const { vertex } = this.shapes.corners(g);
        const low = [Infinity, Infinity, Infinity];
        const high = [-Infinity, -Infinity, -Infinity];
        let far = 0;
        for (let k = 0; k < vertex.length; k += 3) {
            for (let n = 0; n < 3; n++) {
                low[n] = Math.min(low[n], vertex[k + n]);
                high[n] = Math.max(high[n], vertex[k + n]);
            }
            far = Math.max(far, Math.hypot(vertex[k], vertex[k + 1], vertex[k + 2]));
        }
        const size = high.map((x, n) => x - low[n]);
        const [least, middle] = size.sort((a, b) => a - b);
        return { far, low, high, isThin: least < 0.3 * middle };
    }
    sort() {
        const piles = { ball: [], ground: [], round: new Map(), geometry: new Map() };
        this.eachShape((b, s) => {
            const kind = this.shapes.kind(s);
            const g = this.shapes.geometry(s);
            if (this.isGround(s)) {
                piles.ground.push([b, s]);
            } else if (kind === 0) {
                piles.ball.push([b, s]);
            } else if (g >= 0) {
                pileOf(piles.geometry, g).push([b, s]);
            } else {
                pileOf(piles.round, `${kind}.${this.shapes.ends(s)}`).push([b, s]);
            }
        });
        this.piles = piles;
        this.addGround(piles.ground);
        this.addBalls(piles.ball);
        this.addGeometries(piles.geometry);
        this.addRounds(false);
    }
    material(vertex, fragment, options = {}) {
        const { defines = {}, ...rest } = options;
        return new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader: vertex,
            fragmentShader: fragment,
            uniforms: this.uniforms,
            defines: { ...(this.dim === 2 ? { PLANE: 1 } : {}), ...defines },
            side: THREE.DoubleSide,
            depthTest: this.dim === 3,
            depthWrite: this.dim === 3,
            transparent: this.dim === 2,
            ...rest,
        });
    }
    add(object, order, into = this.group) {
        object.frustumCulled = false;
        object.renderOrder = order;
        into.add(object);
    }
    // Body, place and turn of each instance.
    instances(geometry, pile) {
        const body = new Float32Array(pile.length);
        const at = new Float32Array(3 * pile.length);
        const turn = new Float32Array(4 * pile.length);
        pile.forEach(([b, s], k) => {
            body[k] = b;
            at.set(this.shapes.at(s), 3 * k);
            turn.set(this.shapes.turn(s), 4 * k);
        });
        const wall = Float32Array.from(pile, ([, s]) => (this.sizes.get(this.shapes.geometry(s))?.isThin ? 1 : 0));
        attribute(geometry, "body", body, 1, true);
        attribute(geometry, "wall", wall, 1, true);
        attribute(geometry, "at", at, 3, true);
        attribute(geometry, "turn", turn, 4, true);
        geometry.instanceCount = pile.length;
    }
    square() {
        const geometry = new THREE.InstancedBufferGeometry();
        attribute(geometry, "position", new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3);
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        return geometry;
    }
    addBalls(pile) {
        if (!pile.length) {
            return;
        }
        const radius = Float32Array.from(pile, ([, s]) => this.shapes.measure(s)[0]);
        if (this.dim === 3 && !this.drawsBalls) {
            return this.addPoints(pile, radius);
        }
        const geometry = this.square();
        this.instances(geometry, pile);
        attribute(geometry, "radius", radius, 1, true);
        const material =
            this.dim === 2 ? this.material(shaders.DISK_VERTEX, shaders.DISK_FRAGMENT) : this.material(shaders.SPHERE_VERTEX, shaders.SPHERE_FRAGMENT);
        this.add(new THREE.Mesh(geometry, material), 2);
    }
    addPoints(pile, radius) {
        const geometry = new THREE.BufferGeometry();
        attribute(geometry, "position", new Float32Array(3 * pile.length), 3); // three.js counts by it
        attribute(geometry, "body", Float32Array.from(pile, ([b]) => b), 1);
        attribute(geometry, "at", Float32Array.from(pile.flatMap(([, s]) => [...this.shapes.at(s)])), 3);
        attribute(geometry, "radius", radius, 1);
        this.add(new THREE.Points(geometry, this.material(shaders.POINT_VERTEX, shaders.POINT_FRAGMENT)), 2);
    }
    addGround(pile) {
        if (!pile.length) {
            return;
        }
        const geometry = this.square();
        this.instances(geometry, pile);
        const material = this.material(shaders.GROUND_VERTEX, shaders.GROUND_FRAGMENT, {
            transparent: true,
            side: this.dim === 2 ? THREE.DoubleSide : THREE.FrontSide,
            depthWrite: false,
        });
        this.add(new THREE.Mesh(geometry, material), 0);
    }
    addGeometries(piles) {
        const sorted = [...piles].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
        const joined = [];
        sorted.forEach(([g, pile], k) => {
            if (k < GROUPS_MAX && pile.length >= FEW) {
                this.addInstances(g, pile);
            } else {
                pile.forEach(([b, s]) => joined.push([b, s, g]));
            }
        });
        this.addJoined(joined);
    }
    addInstances(g, pile) {
        const corners = this.shapes.corners(g);
        const mesh = flatMesh(corners);
        const geometry = new THREE.InstancedBufferGeometry();
        attribute(geometry, "position", mesh.position, 3);
        attribute(geometry, "normal", mesh.normal, 3);
        this.instances(geometry, pile);
        this.add(new THREE.Mesh(geometry, this.solidMaterial({ INSTANCED: 1, HAS_NORMAL: 1 })), 1);
        const lines = new THREE.InstancedBufferGeometry();
        attribute(lines, "position", edgeMesh(corners).position, 3);
        this.instances(lines, pile);
        this.add(new THREE.LineSegments(lines, this.edgeMaterial({ INSTANCED: 1 })), 3, this.edges);
    }
    addJoined(items) {
        if (!items.length) {
            return;
        }
        const meshes = new Map();
        for (const [, , g] of items) {
            if (!meshes.has(g)) {
                const corners = this.shapes.corners(g);
                meshes.set(g, { ...flatMesh(corners), lines: edgeMesh(corners).position });
            }
        }
        const size = items.reduce((sum, [, , g]) => sum + meshes.get(g).position.length, 0);
        const lineSize = items.reduce((sum, [, , g]) => sum + meshes.get(g).lines.length, 0);
        const part = () => ({ position: new Float32Array(size), normal: new Float32Array(size), body: new Float32Array(size / 3), wall: new Float32Array(size / 3), used: 0 });
        const faces = part();
        const lines = { position: new Float32Array(lineSize), body: new Float32Array(lineSize / 3), used: 0 };
        for (const [b, s, g] of items) {
            const mesh = meshes.get(g);
            const at = this.shapes.at(s);
            const turn = this.shapes.turn(s);
            moveInto(mesh.position, at, turn, faces.position, faces.used);
            moveInto(mesh.normal, [0, 0, 0], turn, faces.normal, faces.used);
            faces.body.fill(b, faces.used / 3, (faces.used + mesh.position.length) / 3);
            faces.wall.fill(this.sizes.get(g).isThin ? 1 : 0, faces.used / 3, (faces.used + mesh.position.length) / 3);
            faces.used += mesh.position.length;
            moveInto(mesh.lines, at, turn, lines.position, lines.used);
            lines.body.fill(b, lines.used / 3, (lines.used + mesh.lines.length) / 3);
            lines.used += mesh.lines.length;
        }
        const geometry = new THREE.BufferGeometry();
        attribute(geometry, "position", faces.position, 3);
        attribute(geometry, "normal", faces.normal, 3);
        attribute(geometry, "body", faces.body, 1);
        attribute(geometry, "wall", faces.wall, 1);
        this.add(new THREE.Mesh(geometry, this.solidMaterial({ HAS_NORMAL: 1 })), 1);
        const outline = new THREE.BufferGeometry();
        attribute(outline, "position", lines.position, 3);
        attribute(outline, "body", lines.body, 1);
        this.add(new THREE.LineSegments(outline, this.edgeMaterial({})), 3, this.edges);
    }
    solidMaterial(defines, options = {}) {
        return this.material(shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT, { defines, ...options });
    }
    edgeMaterial(defines) {
        return this.material(shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT, { defines: { EDGES: 1, ...defines } });
    }
    template(kind, ends, isWhole) {
        if (this.dim === 2) {
            return kind === SHAPE.hollow ? templates.ring2() : templates.capsule2();
        }
        return kind === SOLID.capsule
            ? templates.capsule()
            : kind === SOLID.cylinder
              ? templates.cylinder()
              : kind === SOLID.hollowSphere
                ? templates.hollowSphere(isWhole)
                : templates.hollowCylinder(ends, isWhole);
    }
    // Round shapes; hollow ones are made again when they are to be seen whole.
    addRounds(isWhole) {
        this.hollows.clear();
        this.hollowEdges ??= new THREE.Group();
        this.hollowEdges.clear();
        for (const [key, pile] of this.piles.round) {
            const [kind, ends] = key.split(".").map(Number);
            const isHollow = this.dim === 3 && (kind === SOLID.hollowSphere || kind === SOLID.hollowCylinder);
            if (!isHollow && this.hasRounds) {
                continue;
            }
            const b = this.template(kind, ends, isWhole);
            const measure = new Float32Array(3 * pile.length);
            pile.forEach(([, s], k) => measure.set(this.shapes.measure(s), 3 * k));
            const geometry = new THREE.InstancedBufferGeometry();
            attribute(geometry, "position", new Float32Array(b.position), 3);
            attribute(geometry, "normal", new Float32Array(b.normal), 3);
            attribute(geometry, "stretch", new Float32Array(b.stretch), 3);
            attribute(geometry, "measure", measure, 3, true);
            geometry.setIndex(b.index);
            this.instances(geometry, pile);
            const side = isHollow && !isWhole ? { side: THREE.FrontSide } : {};
            const isBelow = this.dim === 2 && kind === SHAPE.hollow;
            this.add(new THREE.Mesh(geometry, this.solidMaterial({ ROUND: 1, INSTANCED: 1, HAS_NORMAL: 1 }, side)), isBelow ? 0 : 1, isHollow ? this.hollows : this.group);
            if (b.lines.position.length) {
                const lines = new THREE.InstancedBufferGeometry();
                attribute(lines, "position", new Float32Array(b.lines.position), 3);
                attribute(lines, "stretch", new Float32Array(b.lines.stretch), 3);
                attribute(lines, "measure", measure, 3, true);
                this.instances(lines, pile);
                this.add(new THREE.LineSegments(lines, this.edgeMaterial({ ROUND: 1, INSTANCED: 1 })), 3, isHollow ? this.hollowEdges : this.edges);
            }
        }
        this.hasRounds = true;
        this.group.add(this.hollows);
        this.edges.add(this.hollowEdges);
    }
    // Translucent bodies: the nearest surface first into the depth alone, then in colour over what
    // has been drawn, so that no order among them matters.
    setOpacity(opacity) {
        this.uniforms.opacity.value = opacity;
        const isClear = opacity < 1;
        this.veil?.removeFromParent();
        this.veil = new THREE.Group();
        this.group.traverse((object) => {
            if (object.isMesh && object.material.depthWrite !== false && this.dim === 3) {
                object.material.transparent = isClear;
                object.userData.order ??= object.renderOrder;
                object.renderOrder = object.userData.order + (isClear ? 30 : 0);
                if (isClear) {
                    const twin = new THREE.Mesh(object.geometry, object.material.clone());
                    twin.material.uniforms = this.uniforms;
                    twin.material.colorWrite = false;
                    twin.frustumCulled = false;
                    twin.renderOrder = 20;
                    this.veil.add(twin);
                }
            }
        });
        this.group.add(this.veil);
    }
    // Moves all bodies to a frame. `flag` of each body of the frame: see shaders.js.
    moveTo(frame, flag) {
        const row = frame["body.row"].data;
        const at = frame["body.at"].data;
        const turn = frame["body.turn"].data;
        const pose = this.pose;
        for (let k = 0; k < this.count; k++) {
            pose[8 * k + 3] = 0;
        }
        for (let i = 0; i < frame["body.row"].count; i++) {
            const k = 8 * row[3 * i];
            pose[k] = at[3 * i];
            pose[k + 1] = at[3 * i + 1];
            pose[k + 2] = at[3 * i + 2];
            pose[k + 3] = flag(i);
            pose[k + 4] = turn[4 * i + 1];
            pose[k + 5] = turn[4 * i + 2];
            pose[k + 6] = turn[4 * i + 3];
            pose[k + 7] = turn[4 * i];
        }
        this.poseMap.needsUpdate = true;
    }
    dispose() {
        this.poseMap.dispose();
        this.paintMap.dispose();
        for (const group of [this.group, this.edges]) {
            group.traverse((object) => {
                object.geometry?.dispose();
                object.material?.dispose();
            });
        }
    }
}
