// inspector.js -- the panel of the body that was picked: what it is, how it moves, what touches it.
import { css, statusOf } from "./colour.js";
import { STRESSES, displacementAt, eachContact, stateReader, stressAt, three, timeStep } from "./fields.js";
import { element, number } from "./format.js";
import { mises } from "./stress.js";

const ROWS_MAX = 60;
const JOINT_NAMES = ["ball", "hinge", "slider", "fixed", "rod", "cable"];

function vector(values) {
    return values.map((x) => number(x)).join(",  ");
}

function line(key, title, values, unit) {
    const list = Array.isArray(values) ? values : [values];
    return element(
        "tr",
        {},
        element("th", {}, title),
        element("td", { "data-key": key, "data-value": list.join(" ") }, typeof list[0] === "string" ? list[0] : vector(list)),
        element("td.unit", {}, unit ?? ""),
    );
}

// Law and states of each contact as text, "coulomb: slid 0".
function lawTexts(frame, laws) {
    const read = stateReader(frame, laws);
    return (a) => {
        const law = laws[frame["contact.row"].data[5 * a + 3]];
        const parts = law && frame["contact.state"].data.length ? law.states.map((name) => `${name} ${number(read(a, name), 4)}`) : [];
        return parts.length ? `${law.name}: ${parts.join(", ")}` : (law?.name ?? "");
    };
}

// Contacts of one body, the strongest first.
export function contactsOf(frame, bodies, place, laws = [], bond = null) {
    const read = stateReader(frame, laws);
    const lawText = lawTexts(frame, laws);
    const h = timeStep(frame);
    const row = frame["contact.row"].data;
    const at = frame["contact.at"].data;
    const list = frame["body.row"].data;
    const found = [];
    eachContact(frame, (a, i, j, n, t) => {
        if (i === place || j === place) {
            found.push({
                other: bodies.id(list[3 * (i === place ? j : i)]),
                name: bodies.name(list[3 * (i === place ? j : i)]),
                otherRow: list[3 * (i === place ? j : i)],
                status: row[5 * a + 2],
                law: lawText(a),
                state: bond ? read(a, bond) : NaN,
                gap: at[13 * a + 12],
                impulse: [n, t],
                force: h > 0 ? [n / h, t / h] : null,
            });
        }
    });
    return found.sort((p, q) => Math.abs(q.impulse[0]) - Math.abs(p.impulse[0]));
}

// With the state that is being shown as a column of its own.
function contactTable(contacts, bond, onPick) {
    const head = ["body", "", "normal [N]", "friction [N]", bond ?? "gap [m]"];
    const table = element("table.contacts", {}, element("thead", {}, element("tr", {}, ...head.map((text) => element("th", {}, text)))));
    const body = element("tbody");
    for (const c of contacts.slice(0, ROWS_MAX)) {
        const status = statusOf(c.status, document.documentElement.dataset.theme === "dark");
        const chip = element("i", { title: status.name });
        chip.style.background = css(status.colour);
        body.append(
            element(
                "tr",
                { "data-other": c.other, "data-impulse": c.impulse.join(" "), "data-gap": c.gap, "data-status": status.name, title: `${c.name}: ${status.name}, ${c.law}; impulse ${number(Math.hypot(...c.impulse), 4)} N s`, onclick: () => onPick(c.otherRow) },
                element("td.name", {}, c.name),
                element("td", {}, chip),
                element("td", {}, c.force ? number(c.force[0], 4) : "–"),
                element("td", {}, c.force ? number(c.force[1], 4) : "–"),
                element("td", bond ? { "data-state": c.state } : {}, number(bond ? c.state : c.gap, 3)),
            ),
        );
    }
    table.append(body);
    return table;
}

function heldText(bits, dim) {
    const names = dim === 2 ? { 1: "x", 2: "y", 32: "rotation" } : { 1: "x", 2: "y", 4: "z", 8: "rx", 16: "ry", 32: "rz" };
    const held = Object.entries(names).filter(([bit]) => bits & Number(bit));
    return held.length === Object.keys(names).length ? "held or driven in all directions" : held.length ? `held or driven: ${held.map(([, name]) => name).join(", ")}` : "free";
}

function jointLines(frame, place) {
    const row = frame["joint.row"].data;
    const at = frame["joint.at"].data;
    const h = timeStep(frame);
    const out = [];
    for (let k = 0; k < frame["joint.row"].count; k++) {
        if (row[5 * k + 2] === place || row[5 * k + 3] === place) {
            const impulse = Math.hypot(at[20 * k + 9], at[20 * k + 10], at[20 * k + 11]);
            const name = `${JOINT_NAMES[row[5 * k + 1]]} ${row[5 * k]}${row[5 * k + 4] ? " (broken)" : ""}`;
            out.push(line(`joint-${row[5 * k]}`, name, h > 0 ? impulse / h : 0, "N"));
        }
    }
    return out;
}

// The mesh of a body as a whole, and the node that was picked.
function meshLines(frame, meshes, m, node, dim) {
    const [start, count] = meshes.nodes(m);
    const place = meshes.places(frame);
    const all = [...Array(count).keys()].map((n) => start + n);
    const most = (value) => all.reduce((best, n) => Math.max(best, value(n)), 0);
    const hasStress = Boolean(frame["node.stress"]);
    const out = [
        line("elements", "elements", meshes.elements(m)[1]),
        line("nodes", "nodes", count),
        line("moved", "greatest displacement", most((n) => Math.hypot(...displacementAt(frame, place[n], meshes, n))), "m"),
        ...(hasStress ? [line("mises", "greatest mises", most((n) => mises(stressAt(frame, place[n]))), "Pa")] : []),
    ];
    if (node !== null && node < count) {
        const n = start + node;
        const parts = dim === 2 ? [0, 1, 2, 3] : [0, 1, 2, 3, 4, 5];
        out.push(
            line("node", "node", String(node)),
            line("node-displacement", "displacement", [...displacementAt(frame, place[n], meshes, n)].slice(0, dim), "m"),
            line("node-velocity", "velocity there", [...three(frame["node.rate"].data, place[n])].slice(0, dim), "m/s"),
        );
        if (hasStress) {
            const stress = stressAt(frame, place[n]);
            out.push(line("node-mises", "mises there", mises(stress), "Pa"), line("node-stress", `stress ${parts.map((c) => STRESSES[c]).join(" ")}`, parts.map((c) => stress[c]), "Pa"));
        }
    }
    return out;
}

// `place` is that of the body in the frame.
export function fillInspector(box, { frame, bodies, meshes, node, bond, place, meta, onPick, onClose, onLook }) {
    const k = frame["body.row"].data[3 * place];
    const at = [...frame["body.at"].data.subarray(3 * place, 3 * place + meta.dim)].map((x, n) => x + meta.origin[n]);
    const rate = frame["body.rate"].data.subarray(6 * place, 6 * place + 6);
    const turn = frame["body.turn"].data.subarray(4 * place, 4 * place + 4);
    const group = frame["body.row"].data[3 * place + 1];
    const is2 = meta.dim === 2;
    const velocity = [...rate.subarray(0, meta.dim)];
    const spin = is2 ? [rate[5]] : [...rate.subarray(3, 6)];
    const contacts = contactsOf(frame, bodies, place, meta.laws, bond);
    const table = element(
        "table.facts",
        {},
        line("id", "number", bodies.id(k)),
        line("group", "group", meta.groups[group] || String(group)),
        line("motion", "motion", meshes.ofBody[k] >= 0 ? "deforms" : heldText(frame["body.row"].data[3 * place + 2], meta.dim)),
        line("mass", "mass", bodies.mass(k), "kg"),
        line("inertia", "inertia", bodies.inertia(k), "kg m²"),
        line("position", "position", at, "m"),
        is2 ? line("angle", "angle", 2 * Math.atan2(turn[3], turn[0]), "rad") : line("turn", "turn", [...turn], ""),
        line("velocity", "velocity", velocity, "m/s"),
        line("speed", "speed", Math.hypot(...velocity), "m/s"),
        line("spin", is2 ? "spin" : "angular velocity", spin, "rad/s"),
        ...jointLines(frame, place),
        ...(meshes.ofBody[k] >= 0 ? meshLines(frame, meshes, meshes.ofBody[k], node, meta.dim) : []),
    );
    const more = contacts.length > ROWS_MAX ? element("p.note", {}, `and ${contacts.length - ROWS_MAX} more`) : null;
    const h = timeStep(frame);
    box.replaceChildren(
        element(
            "header",
            {},
            element("h2", { "data-id": bodies.id(k), title: bodies.name(k) }, bodies.name(k)),
            element("button", { onclick: onLook, title: "look at it" }, "◎"),
            element("button", { onclick: onClose, title: "close (Esc)" }, "×"),
        ),
        table,
        element("h3", { "data-contacts": contacts.length }, `${contacts.length} contact${contacts.length === 1 ? "" : "s"}`),
        ...(contacts.length ? [contactTable(contacts, bond, onPick)] : []),
        ...(more ? [more] : []),
        ...(contacts.length && h > 0 ? [element("p.note", {}, `Forces are impulses over the step of ${number(h, 3)} s.`)] : []),
    );
    box.hidden = false;
}
