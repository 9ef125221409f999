// meshes.js -- deformable bodies: one list of nodes that every frame moves, each with a level 0 to 1
// of the colour map. The numbers of nodes in a frame are those of its meshes, one after the other.
import * as THREE from "three";
import * as shaders from "./shaders.js";

// Tetrahedra that an element of so many corners is made of.
const TETS = {
    4: [[0, 1, 2, 3]],
    6: [[0, 1, 2, 5], [0, 1, 5, 4], [0, 4, 5, 3]],
    8: [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]],
};

const NONE = new Float32Array(0);

// Quaternion (x y z w) of the rotation nearest to a matrix given by columns: a turn towards it,
// repeated (M. Mueller et al., 2016).
function nearestTurn(columns) {
    let q = [0, 0, 0, 1];
    for (let k = 0; k < 80; k++) {
        const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((e) => turn(q, e));
        const way = [0, 0, 0];
        let size = 1e-30;
        axes.forEach((r, n) => {
            const a = columns[n];
            way[0] += r[1] * a[2] - r[2] * a[1];
            way[1] += r[2] * a[0] - r[0] * a[2];
            way[2] += r[0] * a[1] - r[1] * a[0];
            size += r[0] * a[0] + r[1] * a[1] + r[2] * a[2];
        });
        const angle = Math.hypot(...way) / Math.abs(size);
        if (angle < 1e-9) {
            break;
        }
        const s = Math.sin(angle / 2) / Math.hypot(...way);
        const [x, y, z, w] = [way[0] * s, way[1] * s, way[2] * s, Math.cos(angle / 2)];
        q = [w * q[0] + x * q[3] + y * q[2] - z * q[1], w * q[1] - x * q[2] + y * q[3] + z * q[0], w * q[2] + x * q[1] - y * q[0] + z * q[3], w * q[3] - x * q[0] - y * q[1] - z * q[2]];
    }
    return q;
}

function turn([x, y, z, w], [vx, vy, vz]) {
    const tx = y * vz - z * vy + w * vx;
    const ty = z * vx - x * vz + w * vy;
    const tz = x * vy - y * vx + w * vz;
    return [vx + 2 * (y * tz - z * ty), vy + 2 * (z * tx - x * tz), vz + 2 * (x * ty - y * tx)];
}

function centreOf(x, first, count) {
    const sum = [0, 0, 0];
    for (let n = 3 * first; n < 3 * (first + count); n++) {
        sum[n % 3] += x[n] / count;
    }
    return sum;
}

const difference = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function mixed(corners, weights) {
    return [0, 1, 2].map((c) => corners.reduce((sum, x, k) => sum + weights[k] * x[c], 0));
}

// Weights of the corners of a segment or triangle at the point nearest to x.
function weightsOf(corners, x) {
    const [u, v] = corners.slice(1).map((corner) => difference(corner, corners[0]));
    const d = difference(x, corners[0]);
    let raw;
    if (v) {
        const [uu, uv, vv, du, dv] = [dot(u, u), dot(u, v), dot(v, v), dot(d, u), dot(d, v)];
        const det = uu * vv - uv * uv || 1;
        const [a, b] = [(vv * du - uv * dv) / det, (uu * dv - uv * du) / det];
        raw = [1 - a - b, a, b];
    } else {
        const a = dot(d, u) / (dot(u, u) || 1);
        raw = [1 - a, a];
    }
    const kept = raw.map((w) => Math.max(0, w));
    const sum = kept.reduce((a, b) => a + b, 0);
    return kept.map((w) => w / sum);
}

export class Meshes {
    constructor(blocks, bodies) {
        const data = (name) => blocks[name]?.data ?? [];
        this.row = data("mesh.row");
        this.count = blocks["mesh.row"]?.count ?? 0;
        this.reference = blocks["mesh.node"]?.data ?? NONE;
        this.triangle = data("mesh.triangle");
        this.edge = data("mesh.edge");
        this.element = data("mesh.element");
        this.nodeCount = this.reference.length / 3;
        this.ofBody = new Int32Array(bodies.count).fill(-1);
        for (let m = 0; m < this.count; m++) {
            this.ofBody[this.row[9 * m]] = m;
        }
        this.shown = new Float32Array(3 * this.nodeCount);
        this.shown.set(this.reference);
        this.level = new Float32Array(this.nodeCount);
        this.cell = this.meanEdge();
        this.measure(bodies);
        if (this.count > 0) {
            this.draw(bodies);
        }
        this.marker = this.makeMarker(bodies);
        if (this.count > 0 && bodies.dim === 3) {
            this.section = new THREE.Mesh(new THREE.BufferGeometry(), bodies.material(shaders.MESH_VERTEX, shaders.MESH_FRAGMENT, { defines: { CUT: 1 } }));
            bodies.add(this.section, 1);
        }
    }
    // The node that was picked.
    makeMarker(bodies) {
        const look = bodies.material(shaders.DOT_VERTEX, shaders.DOT_FRAGMENT, { depthTest: false, transparent: true });
        look.uniforms = { ...bodies.uniforms, size: { value: 11 } };
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3), 3));
        geometry.setAttribute("tint", new THREE.BufferAttribute(new Float32Array([1, 0.42, 0.05]), 3));
        const points = new THREE.Points(geometry, look);
        points.frustumCulled = false;
        points.renderOrder = 61;
        points.visible = false;
        return points;
    }
    // Shows where node n of mesh m is; m below 0 or n null: none.
    mark(m, n) {
        this.marker.visible = m >= 0 && n !== null && n < this.nodes(m)[1];
        if (this.marker.visible) {
            const { position } = this.marker.geometry.attributes;
            const k = 3 * (this.nodes(m)[0] + n);
            position.array.set(this.shown.subarray(k, k + 3));
            position.needsUpdate = true;
        }
    }
    // Parts of mesh m: first and number of nodes, triangles, edges, elements.
    nodes(m) {
        return [this.row[9 * m + 1], this.row[9 * m + 2]];
    }
    triangles(m) {
        return [this.row[9 * m + 3], this.row[9 * m + 4]];
    }
    edges(m) {
        return [this.row[9 * m + 5], this.row[9 * m + 6]];
    }
    elements(m) {
        return [this.row[9 * m + 7], this.row[9 * m + 8]];
    }
    meanEdge() {
        let sum = 0;
        for (let m = 0; m < this.count; m++) {
            const [first] = this.nodes(m);
            const [start, count] = this.edges(m);
            for (let k = 2 * start; k < 2 * (start + count); k += 2) {
                const [a, b] = [3 * (first + this.edge[k]), 3 * (first + this.edge[k + 1])];
                sum += Math.hypot(...[0, 1, 2].map((c) => this.reference[a + c] - this.reference[b + c]));
            }
        }
        return this.edge.length ? sum / (this.edge.length / 2) : 0;
    }
    // Tells the list of bodies how large they are.
    measure(bodies) {
        for (let m = 0; m < this.count; m++) {
            const [first, count] = this.nodes(m);
            const centre = centreOf(this.reference, first, count);
            let far = 0;
            for (let n = first; n < first + count; n++) {
                far = Math.max(far, Math.hypot(...centre.map((c, k) => this.reference[3 * n + k] - c)));
            }
            bodies.reach[this.row[9 * m]] = far;
        }
    }
    draw(bodies) {
        const body = new Float32Array(this.nodeCount);
        const faces = new Uint32Array(this.triangle.length);
        const lines = new Uint32Array(this.edge.length);
        for (let m = 0; m < this.count; m++) {
            const [first, count] = this.nodes(m);
            body.fill(this.row[9 * m], first, first + count);
            const [t, triangles] = this.triangles(m);
            for (let k = 3 * t; k < 3 * (t + triangles); k++) {
                faces[k] = first + this.triangle[k];
            }
            const [e, edges] = this.edges(m);
            for (let k = 2 * e; k < 2 * (e + edges); k++) {
                lines[k] = first + this.edge[k];
            }
        }
        this.position = new THREE.BufferAttribute(this.shown, 3).setUsage(THREE.DynamicDrawUsage);
        this.levels = new THREE.BufferAttribute(this.level, 1).setUsage(THREE.DynamicDrawUsage);
        const made = (index) => {
            const geometry = new THREE.BufferGeometry();
            geometry.setAttribute("position", this.position);
            geometry.setAttribute("level", this.levels);
            geometry.setAttribute("body", new THREE.BufferAttribute(body, 1));
            geometry.setIndex(new THREE.BufferAttribute(index, 1));
            return geometry;
        };
        bodies.add(new THREE.Mesh(made(faces), bodies.material(shaders.MESH_VERTEX, shaders.MESH_FRAGMENT)), 1);
        bodies.add(new THREE.LineSegments(made(lines), bodies.material(shaders.MESH_VERTEX, shaders.MESH_FRAGMENT, { defines: { EDGES: 1 } })), 3, bodies.edges);
    }
    // Visits the meshes of a frame as (mesh, place of the body, first node in the frame).
    each(frame, visit) {
        const row = frame["mesh.row"]?.data ?? [];
        for (let k = 0, first = 0; k < row.length / 2; k++) {
            visit(row[2 * k + 1], row[2 * k], first);
            first += this.nodes(row[2 * k + 1])[1];
        }
    }
    // Visits all nodes as (node of the run, node of the frame, mesh).
    eachNode(frame, visit) {
        this.each(frame, (m, place, first) => {
            const [start, count] = this.nodes(m);
            for (let n = 0; n < count; n++) {
                visit(start + n, first + n, m);
            }
        });
    }
    // Moves the nodes to a frame, `times` as far as they are: from the reference place, or, without
    // the motion of the body as a whole, from where it would be if it were rigid.
    moveTo(frame, times, isShape) {
        const at = frame["node.at"]?.data ?? NONE;
        this.each(frame, (m, place, first) => {
            const [start, count] = this.nodes(m);
            const rigid = isShape && times !== 1 ? this.rigidMotion(m, at, first) : (n) => this.reference.subarray(3 * n, 3 * n + 3);
            for (let n = 0; n < count; n++) {
                const from = times === 1 ? null : rigid(start + n);
                for (let c = 0; c < 3; c++) {
                    const x = at[3 * (first + n) + c];
                    this.shown[3 * (start + n) + c] = from ? from[c] + times * (x - from[c]) : x;
                }
            }
        });
        if (this.position) {
            this.position.needsUpdate = true;
        }
    }
    rigidMotion(m, at, first) {
        const [start, count] = this.nodes(m);
        const from = centreOf(this.reference, start, count);
        const to = centreOf(at, first, count);
        const columns = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
        for (let n = 0; n < count; n++) {
            for (let c = 0; c < 3; c++) {
                for (let d = 0; d < 3; d++) {
                    columns[d][c] += (at[3 * (first + n) + c] - to[c]) * (this.reference[3 * (start + n) + d] - from[d]);
                }
            }
        }
        const q = nearestTurn(columns);
        return (n) => turn(q, [0, 1, 2].map((c) => this.reference[3 * n + c] - from[c])).map((x, c) => x + to[c]);
    }
    // Levels of the colour map from one value per node of the run.
    setLevels(values, place) {
        for (let n = 0; n < this.nodeCount; n++) {
            this.level[n] = place(values[n]);
        }
        if (this.levels) {
            this.levels.needsUpdate = true;
        }
    }
    // Grows a box around mesh m as it is shown.
    growBox(m, low, high) {
        const [first, count] = this.nodes(m);
        for (let n = first; n < first + count; n++) {
            for (let c = 0; c < 3; c++) {
                low[c] = Math.min(low[c], this.shown[3 * n + c]);
                high[c] = Math.max(high[c], this.shown[3 * n + c]);
            }
        }
    }
    // The node of mesh m (counted from its first) nearest to a point of the window; of those behind
    // each other the one in front.
    nearest(m, point, stage) {
        const [first, count] = this.nodes(m);
        const found = [];
        for (let n = 0; n < count; n++) {
            const x = this.shown.subarray(3 * (first + n), 3 * (first + n) + 3);
            const [px, py] = stage.project(x);
            found.push({ n, away: Math.hypot(px - point[0], py - point[1]), depth: stage.depth(x) });
        }
        const least = Math.min(...found.map(({ away }) => away));
        const close = found.filter(({ away }) => away < least + 6);
        return close.reduce((best, next) => (next.depth < best.depth - 1e-6 || (next.depth < best.depth + 1e-6 && next.away < best.away) ? next : best)).n;
    }
    // Visits elements as (corners as nodes of the run, mesh), at most `most` of them, evenly chosen.
    eachElement(frame, most, visit) {
        const every = Math.max(1, Math.ceil(this.element.length / 8 / most));
        this.each(frame, (m) => {
            const [first] = this.nodes(m);
            const [start, count] = this.elements(m);
            for (let e = start; e < start + count; e += every) {
                const corners = [];
                for (let k = 0; k < 8 && this.element[8 * e + k] >= 0; k++) {
                    corners.push(first + this.element[8 * e + k]);
                }
                visit(corners, m);
            }
        });
    }
    // Node of the frame for each node of the run, -1 for those that are not in it.
    places(frame) {
        const out = new Int32Array(this.nodeCount).fill(-1);
        this.eachNode(frame, (n, k) => (out[n] = k));
        return out;
    }
    // The section of solid meshes by a plane, normal . x = offset, with the levels on it; none: null.
    cutBy(frame, plane) {
        if (!this.section) {
            return;
        }
        const cut = { position: [], level: [], body: [] };
        if (plane) {
            this.eachElement(frame, Infinity, (corners, m) => {
                const over = corners.map((n) => plane.normal.reduce((sum, x, c) => sum + x * this.shown[3 * n + c], -plane.offset));
                if (Math.min(...over) < 0 && Math.max(...over) >= 0) {
                    for (const tet of TETS[corners.length]) {
                        this.cutTet(tet.map((k) => ({ n: corners[k], over: over[k] })), this.row[9 * m], cut);
                    }
                }
            });
        }
        const { geometry } = this.section;
        geometry.dispose();
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(cut.position), 3));
        geometry.setAttribute("level", new THREE.BufferAttribute(new Float32Array(cut.level), 1));
        geometry.setAttribute("body", new THREE.BufferAttribute(new Float32Array(cut.body), 1));
        this.section.visible = cut.body.length > 0;
    }
    // Adds the triangle or quadrangle in which a plane cuts a tetrahedron.
    cutTet(corners, body, cut) {
        const [under, above] = [corners.filter(({ over }) => over < 0), corners.filter(({ over }) => over >= 0)];
        const points = [];
        under.forEach((a, k) => {
            const row = above.map((b) => this.between(a, b));
            points.push(...(k % 2 ? row.reverse() : row)); // around the quadrangle
        });
        for (let k = 2; k < points.length; k++) {
            for (const { x, level } of [points[0], points[k - 1], points[k]]) {
                cut.position.push(...x);
                cut.level.push(level);
                cut.body.push(body);
            }
        }
    }
    between(a, b) {
        const t = a.over / (a.over - b.over);
        const mix = (values, i, j) => values[i] + t * (values[j] - values[i]);
        return { x: [0, 1, 2].map((c) => mix(this.shown, 3 * a.n + c, 3 * b.n + c)), level: mix(this.level, a.n, b.n) };
    }
    // The point of the surface of mesh m nearest to x in a frame, as nodes of the run with weights.
    anchor(frame, m, x) {
        const at = frame["node.at"].data;
        const place = this.places(frame);
        const [first] = this.nodes(m);
        const width = this.section ? 3 : 2; // triangles, in the plane edges
        const [start, count] = this.section ? this.triangles(m) : this.edges(m);
        const list = this.section ? this.triangle : this.edge;
        let best = { away: Infinity };
        for (let t = start; t < start + count; t++) {
            const nodes = [...list.subarray(width * t, width * t + width)].map((n) => first + n);
            const corners = nodes.map((n) => at.subarray(3 * place[n], 3 * place[n] + 3));
            const weights = weightsOf(corners, x);
            const away = Math.hypot(...mixed(corners, weights).map((c, k) => c - x[k]));
            best = away < best.away ? { away, nodes, weights } : best;
        }
        return best;
    }
    // Where an anchor is in a frame.
    anchored(frame, place, { nodes, weights }) {
        const at = frame["node.at"].data;
        return mixed(nodes.map((n) => at.subarray(3 * place[n], 3 * place[n] + 3)), weights);
    }
}
