// ruler.js -- axes, a bar of a round length and samples of forces, as the camera shows them now.
import { element, number } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";
const AXIS_COLOURS = ["#c8451b", "#14967a", "#1b6ca8"];
const ARM = 17; // [pixel]
const SAMPLE_MOST = { rod: 20, arrow: 90 }; // thickness, length [pixel]

// The largest of 1, 2, 5 times a power of ten that is not above x > 0.
export function roundBelow(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * [5, 2, 1].find((step) => step * power <= x * (1 + 1e-9));
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// 12300 N as "12.3 kN".
export function quantity(value, unit) {
    const size = Math.abs(value);
    const [factor, prefix] = PREFIXES.find(([least]) => size >= 0.9995 * least) ?? [1, ""];
    return size === 0 || !Number.isFinite(value) ? `${number(value, 3)} ${unit}` : `${number(value / factor, 3)} ${prefix}${unit}`;
}

function drawing(tag, attributes, ...children) {
    const made = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
}

export class Ruler {
    constructor(stage, dim) {
        this.stage = stage;
        this.axes = ["x", "y", "z"].slice(0, dim).map((name, k) => {
            const line = drawing("line", { stroke: AXIS_COLOURS[k], "stroke-width": 2, "stroke-linecap": "round" });
            const text = drawing("text", { "text-anchor": "middle", "dominant-baseline": "central" }, name);
            return { line, text };
        });
        const triad = drawing("svg", { width: 48, height: 48, viewBox: "-24 -24 48 48", class: "triad" }, ...this.axes.flatMap(({ line, text }) => [line, text]));
        this.bar = element("div");
        this.length = element("span", { title: "at the depth of the point that is looked at" });
        this.box = [triad, element("div.ruler", {}, this.bar, this.length)];
        this.samples = [];
    }
    // A sample of a layer that draws forces: {title, kind, unit, perMetre, most}, perMetre being the
    // force of a rod one metre thick or an arrow one metre long.
    sample(scale) {
        const isRod = scale.kind === "rod";
        const shape = isRod ? drawing("rect", { fill: "var(--soft)" }) : drawing("path", { fill: "var(--soft)" });
        const picture = drawing("svg", {}, shape);
        const text = element("span");
        this.samples.push({ ...scale, isRod, shape, picture, text });
        return element("div.sample", { "data-kind": scale.kind, "data-most": scale.most }, picture, text);
    }
    update() {
        const size = this.stage.metresPerPixel;
        if (!(size > 0) || !Number.isFinite(size)) {
            return;
        }
        const long = roundBelow(120 * size);
        this.bar.style.width = `${long / size}px`;
        this.length.textContent = quantity(long, "m");
        this.length.dataset.metres = long;
        const ways = this.stage.axes();
        [this.ways, this.colours] = [ways.slice(0, this.axes.length), AXIS_COLOURS];
        this.axes.forEach(({ line, text }, k) => {
            const [x, y] = [ARM * ways[k][0], -ARM * ways[k][1]];
            Object.entries({ x1: 0, y1: 0, x2: x, y2: y }).forEach(([name, value]) => line.setAttribute(name, value.toFixed(2)));
            text.setAttribute("x", (1.36 * x).toFixed(2));
            text.setAttribute("y", (1.36 * y).toFixed(2));
            text.style.opacity = Math.hypot(x, y) > 0.3 * ARM ? 1 : 0;
        });
        this.samples.forEach((item) => this.updateSample(item, size));
    }
    // A round force no larger than the largest one, drawn as it is in the scene.
    updateSample(item, size) {
        const { title, unit, isRod, perMetre, most, shape, picture, text } = item;
        const fits = perMetre * size * SAMPLE_MOST[isRod ? "rod" : "arrow"];
        const force = roundBelow(Math.min(most, fits));
        const pixels = force / (perMetre * size);
        const [width, height] = isRod ? [34, Math.max(pixels, 0.75)] : [pixels, 10];
        Object.assign(item, { width, height });
        picture.setAttribute("width", width.toFixed(2));
        picture.setAttribute("height", Math.max(height, 2).toFixed(2));
        if (isRod) {
            shape.setAttribute("width", width);
            shape.setAttribute("height", height.toFixed(2));
        } else {
            const neck = Math.max(0, width - 9).toFixed(2);
            shape.setAttribute("d", `M0 4H${neck}V1L${width.toFixed(2)} 5L${neck} 9V6H0Z`);
        }
        text.textContent = `${title} ${quantity(force, unit)}, largest ${quantity(most, unit)}`;
        text.dataset.force = force;
        text.dataset.pixels = pixels;
    }
}
