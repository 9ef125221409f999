// legend.js -- what the colours mean.
import { GROUP_COLOURS, MAPS, STATUS, css, gradient } from "./colour.js";
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
    return element("div.scale", { "data-low": low, "data-high": high }, element("div.name", {}, name), bar, marks);
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

export function fillLegend(box, { state, meta, range, layers, frame, onGroup }) {
    box.replaceChildren();
    const field = FIELDS[state.colour];
    if (field.isGroup) {
        const rows = frame["body.row"].data;
        const present = new Set();
        for (let k = 1; k < rows.length; k += 3) {
            present.add(rows[k]);
        }
        const shown = [...present].sort((a, b) => a - b).map((k) => ({ name: meta.groups[k] || `group ${k}`, colour: GROUP_COLOURS[k % GROUP_COLOURS.length], isHidden: state.hidden.has(k), onclick: () => onGroup(k) }));
        const rest = shown.length - NAMES_MAX;
        if (shown.length > 1) {
            box.append(swatches(rest > 0 ? `Groups (${rest} more)` : "Groups", shown.slice(0, NAMES_MAX)));
        }
    } else {
        box.append(scale(field.title, field.unit, range, MAPS[state.map].table));
    }
    const on = Object.keys(LAYERS).filter((name) => state.layers.has(name));
    if (on.some((name) => LAYERS[name].hasStatus)) {
        box.append(swatches("Contacts", STATUS));
    }
    for (const name of on) {
        const legend = layers[name]?.legend;
        if (legend) {
            box.append(scale(legend.title, legend.unit, legend.range, legend.map));
        }
        const marks = layers[name]?.swatches;
        if (marks) {
            box.append(swatches(marks.title, marks.items));
        }
    }
    box.hidden = box.childElementCount === 0;
}
