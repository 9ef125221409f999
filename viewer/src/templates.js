// templates.js -- round shapes of unit size as triangles. Each vertex carries how it stretches
// (shaders.js): its direction times the radius, and which way it moves with length and wall.

class Builder {
    constructor() {
        this.position = [];
        this.normal = [];
        this.stretch = [];
        this.index = [];
        this.lines = { position: [], stretch: [] };
    }
    vertex(position, normal, stretch) {
        this.position.push(...position);
        this.normal.push(...normal);
        this.stretch.push(...stretch);
        return this.position.length / 3 - 1;
    }
    // Joins two rows of vertices; each row has `sides` + 1 of them.
    band(below, above, sides) {
        for (let k = 0; k < sides; k++) {
            this.index.push(below + k, below + k + 1, above + k + 1, below + k, above + k + 1, above + k);
        }
    }
    row(sides, make) {
        const first = this.position.length / 3;
        for (let k = 0; k <= sides; k++) {
            const angle = (2 * Math.PI * k) / sides;
            this.vertex(...make(Math.cos(angle), Math.sin(angle)));
        }
        return first;
    }
    line(a, b, stretchA, stretchB) {
        this.lines.position.push(...a, ...b);
        this.lines.stretch.push(...stretchA, ...stretchB);
    }
    circle(sides, z, stretch, radius = 1) {
        for (let k = 0; k < sides; k++) {
            const a = (2 * Math.PI * k) / sides;
            const b = (2 * Math.PI * (k + 1)) / sides;
            this.line([radius * Math.cos(a), radius * Math.sin(a), z], [radius * Math.cos(b), radius * Math.sin(b), z], stretch, stretch);
        }
    }
}

// A dome or a whole ball; `way` -1 looks inwards. along moves the two halves apart (capsule).
function ball(b, sides, rings, wall, along, way) {
    let last = -1;
    for (let k = 0; k <= rings; k++) {
        const polar = -Math.PI / 2 + (Math.PI * k) / rings;
        const halves = along && 2 * k === rings ? [-1, 1] : [2 * k < rings ? -along : along];
        for (const move of halves) {
            const row = b.row(sides, (x, y) => {
                const n = [x * Math.cos(polar), y * Math.cos(polar), Math.sin(polar)];
                return [n, n.map((v) => way * v), [wall, move, 0]];
            });
            if (last >= 0) {
                way > 0 ? b.band(last, row, sides) : b.band(row, last, sides);
            }
            last = row;
        }
    }
}

// A tube seen from outside (way 1) or inside, from along -1 to 1, reaching into closed ends by cap.
function tube(b, sides, wall, caps, way) {
    const low = b.row(sides, (x, y) => [[x, y, 0], [way * x, way * y, 0], [wall, -1, -caps[0]]]);
    const high = b.row(sides, (x, y) => [[x, y, 0], [way * x, way * y, 0], [wall, 1, caps[1]]]);
    way > 0 ? b.band(low, high, sides) : b.band(high, low, sides);
}

// A disk across the axis at one end; `up` is the side it is seen from.
function lid(b, sides, wall, along, cap, up) {
    const centre = b.row(sides, () => [[0, 0, 0], [0, 0, up], [0, along, cap]]);
    const edge = b.row(sides, (x, y) => [[x, y, 0], [0, 0, up], [wall, along, cap]]);
    up > 0 ? b.band(edge, centre, sides) : b.band(centre, edge, sides);
}

function rim(b, sides, along, up) {
    const inner = b.row(sides, (x, y) => [[x, y, 0], [0, 0, up], [0, along, 0]]);
    const outer = b.row(sides, (x, y) => [[x, y, 0], [0, 0, up], [1, along, 0]]);
    up > 0 ? b.band(outer, inner, sides) : b.band(inner, outer, sides);
}

export function capsule() {
    const b = new Builder();
    ball(b, 32, 16, 0, 1, 1);
    return b;
}

export function cylinder() {
    const b = new Builder();
    tube(b, 40, 0, [0, 0], 1);
    lid(b, 40, 0, -1, 0, -1);
    lid(b, 40, 0, 1, 0, 1);
    b.circle(40, 0, [0, -1, 0]);
    b.circle(40, 0, [0, 1, 0]);
    return b;
}

// Hollow bodies are cut open towards the eye: only what faces it from inside is there, unless they
// are shown whole.
export function hollowSphere(isWhole) {
    const b = new Builder();
    ball(b, 64, 32, 0, 0, -1);
    if (isWhole) {
        ball(b, 64, 32, 1, 0, 1);
    }
    b.circle(64, 0, [1, 0, 0]);
    return b;
}

export function hollowCylinder(ends, isWhole) {
    const b = new Builder();
    const closed = [ends & 1 ? 1 : 0, ends & 2 ? 1 : 0];
    tube(b, 64, 0, [0, 0], -1);
    for (let k = 0; k < 2; k++) {
        const along = k ? 1 : -1;
        if (closed[k]) {
            lid(b, 64, 0, along, 0, -along);
        } else {
            rim(b, 64, along, along);
        }
        if (closed[k] && isWhole) {
            lid(b, 64, 1, along, along, along);
        }
        b.circle(64, 0, [0, along, 0]);
        b.circle(64, 0, [1, along, along * closed[k]]);
    }
    if (isWhole) {
        tube(b, 64, 1, closed, 1);
    }
    return b;
}

// In the plane: flat, seen from +z.
export function capsule2() {
    const b = new Builder();
    const sides = 24;
    const centre = b.vertex([0, 0, 0], [0, 0, 1], [0, 0, 0]);
    const outline = [];
    for (let k = 0; k <= 2 * sides + 1; k++) {
        const half = k > sides ? 1 : 0;
        const angle = -Math.PI / 2 + (Math.PI * (k - half)) / sides;
        outline.push([Math.cos(angle), Math.sin(angle), half ? -1 : 1]);
    }
    const first = b.position.length / 3;
    for (const [x, y, side] of outline) {
        b.vertex([x, y, 0], [0, 0, 1], [0, side, 0]);
    }
    outline.forEach(([x, y, side], k) => {
        const [nx, ny, nside] = outline[(k + 1) % outline.length];
        b.index.push(centre, first + k, first + ((k + 1) % outline.length));
        b.line([x, y, 0], [nx, ny, 0], [0, side, 0], [0, nside, 0]);
    });
    return b;
}

export function ring2() {
    const b = new Builder();
    const sides = 128;
    const inner = b.row(sides, (x, y) => [[x, y, 0], [0, 0, 1], [0, 0, 0]]);
    const outer = b.row(sides, (x, y) => [[x, y, 0], [0, 0, 1], [1, 0, 0]]);
    b.band(outer, inner, sides);
    b.circle(sides, 0, [0, 0, 0]);
    b.circle(sides, 0, [1, 0, 0]);
    b.line([1, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0]);
    return b;
}

// Around the axis from z = 0 to 1; an arrow has a head at z = 2 that the shader moves.
export function rod(sides, isArrow) {
    const b = new Builder();
    const low = b.row(sides, (x, y) => [[x, y, 0], [x, y, 0], [0, 0, 0]]);
    const high = b.row(sides, (x, y) => [[x, y, 1], [x, y, 0], [0, 0, 0]]);
    b.band(low, high, sides);
    const foot = b.row(sides, () => [[0, 0, 0], [0, 0, -1], [0, 0, 0]]);
    const footEdge = b.row(sides, (x, y) => [[x, y, 0], [0, 0, -1], [0, 0, 0]]);
    b.band(foot, footEdge, sides);
    if (isArrow) {
        const skirt = b.row(sides, (x, y) => [[2.4 * x, 2.4 * y, 1], [0.8 * x, 0.8 * y, 0.5], [0, 0, 0]]);
        const tip = b.row(sides, (x, y) => [[0, 0, 2], [0.8 * x, 0.8 * y, 0.5], [0, 0, 0]]);
        b.band(skirt, tip, sides);
    }
    const end = b.row(sides, (x, y) => [[(isArrow ? 2.4 : 1) * x, (isArrow ? 2.4 : 1) * y, 1], [0, 0, isArrow ? -1 : 1], [0, 0, 0]]);
    const endMiddle = b.row(sides, () => [[0, 0, 1], [0, 0, isArrow ? -1 : 1], [0, 0, 0]]);
    isArrow ? b.band(endMiddle, end, sides) : b.band(end, endMiddle, sides);
    return b;
}
