// save.js -- scene, title and legend as one picture.
import { css } from "./colour.js";
import { element, number } from "./format.js";

const PLAIN = "13px system-ui, sans-serif";
const BOLD = "600 17px system-ui, sans-serif";
const SMALL = "12px system-ui, sans-serif";
const ROW = 54; // height of a row of the strip [pixel]
const GAP = 26;

// Items of the strip: how wide each is, and how it is drawn from its left end, in the middle of a row.
function scaleItem(g, { title, unit, map, range }) {
    const text = unit && unit !== "-" ? `${title} [${unit}]` : title;
    const draw = (x, y) => {
        for (let k = 0; k < 200; k++) {
            const c = 3 * Math.floor((255 * k) / 199);
            g.fillStyle = css([map[c], map[c + 1], map[c + 2]]);
            g.fillRect(x + k, y - 4, 1.5, 9);
        }
        g.fillStyle = g.ink;
        g.fillText(text, x, y - 10);
        g.fillText(number(range[0], 3), x, y + 20);
        g.textAlign = "right";
        g.fillText(number(range[1], 3), x + 200, y + 20);
        g.textAlign = "left";
    };
    return { width: Math.max(200, g.measureText(text).width), draw };
}

function chipItem(g, { name, colour }) {
    const draw = (x, y) => {
        g.fillStyle = css(colour);
        g.fillRect(x, y - 6, 11, 11);
        g.fillStyle = g.ink;
        g.fillText(name, x + 16, y + 4);
    };
    return { width: 16 + g.measureText(name).width, draw, isNarrow: true };
}

function sampleItem(g, { picture, isRod, text, height, width }) {
    const draw = (x, y) => {
        g.fillStyle = g.soft;
        if (isRod) {
            g.fillRect(x, y - height / 2, width, height);
        } else {
            g.save();
            g.translate(x, y - 5);
            g.fill(new Path2D(picture.firstChild.getAttribute("d")));
            g.restore();
        }
        g.fillStyle = g.ink;
        g.fillText(text.textContent, x + width + 8, y + 4);
    };
    return { width: width + 8 + g.measureText(text.textContent).width, draw };
}

function axesItem(g, ways, colours) {
    const draw = (x, y) => {
        ways.forEach(([right, up], k) => {
            const [dx, dy] = [17 * right, -17 * up];
            g.strokeStyle = colours[k];
            g.lineWidth = 2;
            g.beginPath();
            g.moveTo(x + 24, y);
            g.lineTo(x + 24 + dx, y + dy);
            g.stroke();
            g.fillStyle = g.ink;
            Math.hypot(dx, dy) > 5 && g.fillText("xyz"[k], x + 21 + 1.36 * dx, y + 4 + 1.36 * dy);
        });
    };
    return { width: 48, draw };
}

function barItem(g, pixels, text) {
    const draw = (x, y) => {
        g.fillStyle = g.ink;
        g.fillRect(x, y, pixels, 1.5);
        g.fillRect(x, y - 6, 1.5, 7);
        g.fillRect(x + pixels - 1.5, y - 6, 1.5, 7);
        g.textAlign = "center";
        g.fillText(text, x + pixels / 2, y + 15);
        g.textAlign = "left";
    };
    return { width: pixels, draw };
}

function itemsOf(g, { ruler, legend }) {
    const bar = barItem(g, parseFloat(ruler.bar.style.width) || 0, ruler.length.textContent);
    const made = { scale: scaleItem, chip: chipItem, sample: sampleItem };
    return [axesItem(g, ruler.ways, ruler.colours), bar, ...legend.map((item) => made[item.kind](g, item))];
}

// Rows of items that fit a width: [{item, x, row}].
function layOut(items, width) {
    let [x, row] = [18, 0];
    return items.map((item) => {
        if (x > 18 && x + item.width > width - 18) {
            [x, row] = [18, row + 1];
        }
        const placed = { item, x, row };
        x += item.width + (item.isNarrow ? 14 : GAP);
        return placed;
    });
}

// A canvas with the sky, what `canvas` shows, the texts, and the strip below it. `legend`: what the
// strip shows, as legend.js lists it.
export function pictureOf(canvas, { look, title, subtitle, ruler, legend }) {
    const ratio = canvas.width / canvas.clientWidth;
    const out = element("canvas");
    const g = out.getContext("2d", { willReadFrequently: true });
    const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    g.font = SMALL;
    const placed = layOut(itemsOf(g, { ruler, legend }), canvas.clientWidth);
    const rows = placed.at(-1).row + 1;
    out.width = canvas.width;
    out.height = canvas.height + Math.round(ratio * ROW * rows);
    const sky = g.createLinearGradient(0, 0, 0, canvas.height);
    sky.addColorStop(0, look.top);
    sky.addColorStop(1, look.bottom);
    g.fillStyle = sky;
    g.fillRect(0, 0, out.width, canvas.height);
    g.drawImage(canvas, 0, 0);
    g.fillStyle = tone("--solid");
    g.fillRect(0, canvas.height, out.width, out.height - canvas.height);
    g.scale(ratio, ratio);
    [g.ink, g.soft] = [tone("--ink"), tone("--soft")];
    g.fillStyle = g.ink;
    g.font = BOLD;
    g.fillText(title, 18, 30);
    g.font = PLAIN;
    g.fillText(subtitle, 18, 50);
    g.font = SMALL;
    placed.forEach(({ item, x, row }) => item.draw(x, canvas.clientHeight + ROW * (row + 0.5)));
    return out;
}

// A name for a file that is made of the title.
export function fileName(title) {
    return (title || "cairn").replace(/[^\w]+/g, "_").slice(0, 60);
}

// Hands a picture to the browser; returns the length of what it hands over.
export function download(picture, title, frame) {
    const name = fileName(title);
    const link = element("a", { href: picture.toDataURL("image/png"), download: `${name}_${String(frame).padStart(4, "0")}.png` });
    link.click();
    return link.href.length;
}
