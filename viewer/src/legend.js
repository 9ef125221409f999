// legend.js -- what colours, thicknesses and lengths mean: a strip below the scene, which it never covers.
import { HELD, MAPS, css, gradient, statusOf } from "./colour.js";
import { FIELDS } from "./fields.js";
import { LAYERS } from "./layers.js";
import { element, number, ticks } from "./format.js";

function scale(title, unit, [low, high], map) {
    const bar = element("div.bar");
    bar.style.background = gradient(map);
    const marks = element("div.marks");
    for (const value of ticks(low, high, 4)) {
        const mark = element("span", {}, number(value, 3));
        mark.style.left = `${(100 * (value - low)) / (high - low)}%`;
        marks.append(mark);
    }
    const name = unit && unit !== "-" ? `${title} [${unit}]` : title;
    return element("div.scale.range", { "data-low": low, "data-high": high }, element("div.name", {}, name), bar, marks);
}

function swatches(title, items) {
    const list = element("div.swatches");
    for (const { name, colour, isHidden, onclick } of items) {
        const chip = element("i");
        chip.style.background = css(colour);
        const look = onclick ? { title: `${isHidden ? "show" : "hide"} ${name}`, onclick } : {};
        list.append(element(`span${onclick ? ".choice" : ""}${isHidden ? ".off" : ""}`, look, chip, name));
    }
    return element("div.scale", {}, element("div.name", {}, title), list);
}

const NAMES_MAX = 10;

// Chips of the groups of the bodies of a frame; held bodies are of one colour.
function groupItems({ state, meta, frame, isHeld, colourOf, onGroup }) {
    const rows = frame["body.row"].data;
    const isFree = new Map();
    for (let k = 0; k < rows.length; k += 3) {
        isFree.set(rows[k + 1], isFree.get(rows[k + 1]) || !isHeld(rows[k + 2]));
    }
    const named = [...isFree].sort(([a], [b]) => a - b);
    return named.map(([k, free]) => ({ name: meta.groups[k] || `group ${k}`, colour: free ? colourOf(k) : HELD, isHidden: state.hidden.has(k), onclick: () => onGroup(k) }));
}

// Fills the strip; returns a function that lists what it shows, for pictures.
export function fillLegend(box, given) {
    const { state, range, layers, frame, ruler } = given;
    const field = FIELDS[state.colour];
    const isDark = state.theme === "dark";
    const items = [...ruler.box];
    const listed = []; // the same for pictures and films
    const addScale = (title, unit, limits, map) => {
        items.push(scale(title, unit, limits, map));
        listed.push({ kind: "scale", title, unit, range: limits, map });
    };
    const addChips = (title, chips) => {
        items.push(swatches(title, chips));
        listed.push(...chips.filter((chip) => !chip.isHidden).map(({ name, colour }) => ({ kind: "chip", name, colour })));
    };
    ruler.samples = [];
    if (field.isGroup) {
        const groups = groupItems(given);
        const rest = groups.length - NAMES_MAX;
        if (groups.length > 1) {
            addChips(rest > 0 ? `Groups (${rest} more)` : "Groups", groups.slice(0, NAMES_MAX));
        }
    } else {
        addScale(field.title, field.unit, range, MAPS[state.map].table);
    }
    const on = Object.keys(LAYERS).filter((name) => state.layers.has(name));
    const present = new Set(frame["contact.row"]?.data.filter((_, k) => k % 5 === 2));
    if (on.some((name) => LAYERS[name].hasStatus) && present.size) {
        addChips("Contacts", [...present].sort().map((k) => statusOf(k, isDark)));
    }
    for (const name of on) {
        const { forces, legend, swatches: marks, note } = layers[name] ?? {};
        forces && items.push(ruler.sample(forces));
        legend && addScale(legend.title, legend.unit, legend.range, legend.map);
        marks && addChips(marks.title, marks.items);
        note && items.push(element("div.note", {}, note));
    }
    box.replaceChildren(...items);
    return () => [...listed, ...ruler.samples.map((sample) => ({ ...sample, kind: "sample" }))];
}
