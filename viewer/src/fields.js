// fields.js -- numbers by which bodies are coloured. A field is one entry: title, unit, how to fill
// one value per body of a frame, and the value at a node of a mesh (n of the run, k of the frame).
// Without `fill` rigid bodies have none, without `node` a mesh has the one of its body.
import { mises, principal } from "./stress.js";

function norms(data, count, width, start, out) {
    for (let i = 0; i < count; i++) {
        const k = width * i + start;
        out[i] = Math.hypot(data[k], data[k + 1], data[k + 2]);
    }
}

// Visits the contacts of a frame as (place, i, j, normal impulse, tangential impulse).
export function eachContact(frame, visit) {
    const row = frame["contact.row"].data;
    const at = frame["contact.at"].data;
    for (let a = 0; a < frame["contact.row"].count; a++) {
        const k = 13 * a;
        const n = at[k + 6] * at[k + 3] + at[k + 7] * at[k + 4] + at[k + 8] * at[k + 5];
        const t = Math.hypot(at[k + 6] - n * at[k + 3], at[k + 7] - n * at[k + 4], at[k + 8] - n * at[k + 5]);
        visit(a, row[5 * a], row[5 * a + 1], n, t);
    }
}

// Names of the states that laws keep at contacts and that say something by themselves.
export function statesOf(laws) {
    const isInner = (name) => /^(anchor|normal|tangent|moment)_|_2$/.test(name);
    const names = new Set(laws.flatMap((law) => law.states).filter((name) => !isInner(name)));
    const first = ["damage", "opening", "slip"].filter((name) => names.has(name));
    return [...new Set([...first, ...names])];
}

// A function of a contact and the name of a state, NaN if its law has none of this name. Slip is the
// length of its two components.
export function stateReader(frame, laws) {
    const row = frame["contact.row"].data;
    const states = frame["contact.state"].data;
    const start = new Int32Array(frame["contact.row"].count + 1);
    for (let a = 0; a + 1 < start.length; a++) {
        start[a + 1] = start[a] + (laws[row[5 * a + 3]]?.states.length ?? 0);
    }
    const places = laws.map(({ states: names }) => new Map(names.map((name, k) => [name, k])));
    const one = (a, name) => {
        const k = places[row[5 * a + 3]]?.get(name);
        return k === undefined || !states.length ? NaN : states[start[a] + k];
    };
    return (a, name) => {
        const second = name === "slip" ? one(a, "slip_2") : NaN;
        return Number.isNaN(second) ? one(a, name) : Math.hypot(one(a, name), second);
    };
}

export function timeStep(frame) {
    return frame.head.data[2];
}

export const STRESSES = ["xx", "yy", "zz", "xy", "yz", "zx"];
const SIGNED = { map: "balance", isSigned: true };

export function three(data, k) {
    return data.subarray(3 * k, 3 * k + 3);
}

export function stressAt(frame, k) {
    return frame["node.stress"].data.subarray(6 * k, 6 * k + 6);
}

export function displacementAt(frame, k, meshes, n) {
    return three(frame["node.at"].data, k).map((x, c) => x - meshes.reference[3 * n + c]);
}

export const FIELDS = {
    group: { title: "Group", isGroup: true },
    speed: {
        title: "Speed",
        unit: "m/s",
        fill: (frame, out) => norms(frame["body.rate"].data, out.length, 6, 0, out),
        node: (frame, k) => Math.hypot(...three(frame["node.rate"].data, k)),
    },
    spin: {
        title: "Angular speed",
        unit: "rad/s",
        fill: (frame, out) => norms(frame["body.rate"].data, out.length, 6, 3, out),
    },
    vertical: {
        title: "Vertical velocity",
        unit: "m/s",
        map: "balance",
        isSigned: true,
        fill: (frame, out, { dim }) => {
            const rate = frame["body.rate"].data;
            for (let i = 0; i < out.length; i++) {
                out[i] = rate[6 * i + dim - 1];
            }
        },
        node: (frame, k, { dim }) => frame["node.rate"].data[3 * k + dim - 1],
    },
    displacement: {
        title: "Displacement since the start",
        unit: "m",
        needsStart: true,
        fill: (frame, out, { start }) => {
            const row = frame["body.row"].data;
            const at = frame["body.at"].data;
            for (let i = 0; i < out.length; i++) {
                const from = start.get(row[3 * i]);
                out[i] = from ? Math.hypot(at[3 * i] - from[0], at[3 * i + 1] - from[1], at[3 * i + 2] - from[2]) : 0;
            }
        },
        node: (frame, k, { meshes, n }) => Math.hypot(...displacementAt(frame, k, meshes, n)),
    },
    force: {
        title: "Sum of normal contact forces",
        unit: "N",
        needsContacts: true,
        fill: (frame, out) => {
            const h = timeStep(frame);
            eachContact(frame, (a, i, j, n) => {
                out[i] += h > 0 ? Math.abs(n) / h : 0;
                out[j] += h > 0 ? Math.abs(n) / h : 0;
            });
        },
    },
    contacts: {
        title: "Contacts with an impulse",
        unit: "-",
        needsContacts: true,
        fill: (frame, out) =>
            eachContact(frame, (a, i, j, n, t) => {
                out[i] += n !== 0 || t !== 0 ? 1 : 0;
                out[j] += n !== 0 || t !== 0 ? 1 : 0;
            }),
    },
    kinetic: {
        title: "Kinetic energy of translation",
        unit: "J",
        fill: (frame, out, { bodies }) => {
            const row = frame["body.row"].data;
            norms(frame["body.rate"].data, out.length, 6, 0, out);
            for (let i = 0; i < out.length; i++) {
                out[i] = 0.5 * bodies.mass(row[3 * i]) * out[i] * out[i];
            }
        },
    },
    mass: {
        title: "Mass",
        unit: "kg",
        fill: (frame, out, { bodies }) => {
            const row = frame["body.row"].data;
            for (let i = 0; i < out.length; i++) {
                out[i] = bodies.mass(row[3 * i]);
            }
        },
    },
    mises: { title: "Von Mises stress", unit: "Pa", needsStress: true, node: (frame, k) => mises(stressAt(frame, k)) },
    greatest: { title: "Greatest principal stress", unit: "Pa", needsStress: true, node: (frame, k) => principal(stressAt(frame, k))[0].value, ...SIGNED },
    least: { title: "Least principal stress", unit: "Pa", needsStress: true, node: (frame, k) => principal(stressAt(frame, k))[2].value, ...SIGNED },
    mean: { title: "Mean stress", unit: "Pa", needsStress: true, node: (frame, k) => stressAt(frame, k).subarray(0, 3).reduce((sum, x) => sum + x / 3, 0), ...SIGNED },
    ...Object.fromEntries(
        STRESSES.map((name, c) => [`s${name}`, { title: `Stress ${name}`, unit: "Pa", needsStress: true, isSpatial: c > 3, node: (frame, k) => frame["node.stress"].data[6 * k + c], ...SIGNED }]),
    ),
};

// Fields that a result has something to show for.
export function fieldsOf({ dim, stress }) {
    return Object.entries(FIELDS).filter(([, field]) => (!field.needsStress || stress) && (!field.isSpatial || dim === 3));
}

// Smallest and largest of values: those of held bodies would hide the others and are left out by
// `counts`.
export function rangeOf(lists, isSigned) {
    let low = Infinity;
    let high = -Infinity;
    for (const { values, counts } of lists) {
        for (let i = 0; i < values.length; i++) {
            if (counts(i) && Number.isFinite(values[i])) {
                low = Math.min(low, values[i]);
                high = Math.max(high, values[i]);
            }
        }
    }
    if (low > high) {
        return [0, 1];
    }
    if (isSigned) {
        const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
        return [-most, most];
    }
    low = low > 0 && low < 0.5 * high ? 0 : low;
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}
