// save.js -- scene, title and legend as one picture.
import { MAPS } from "./colour.js";
import { FIELDS } from "./fields.js";
import { element, number } from "./format.js";

const PLAIN = "13px system-ui, sans-serif";
const BOLD = "600 17px system-ui, sans-serif";

function drawScale(g, { field, map, range, bottom, ink }) {
    const [width, height] = [220, 10];
    const y = bottom - 44;
    for (let x = 0; x < width; x++) {
        const k = 3 * Math.floor((255 * x) / width);
        g.fillStyle = `rgb(${map[k]}, ${map[k + 1]}, ${map[k + 2]})`;
        g.fillRect(18 + x, y, 1.5, height);
    }
    g.fillStyle = ink;
    g.fillText(field.unit === "-" ? field.title : `${field.title} [${field.unit}]`, 18, y - 8);
    g.fillText(number(range[0], 3), 18, y + 26);
    g.textAlign = "right";
    g.fillText(number(range[1], 3), 18 + width, y + 26);
}

// A canvas with the sky, what `canvas` shows, the texts and, unless bodies have the colours of their
// groups, the scale.
export function pictureOf(canvas, { look, title, subtitle, colour, map, range }) {
    const out = element("canvas");
    out.width = canvas.width;
    out.height = canvas.height;
    const g = out.getContext("2d");
    const sky = g.createLinearGradient(0, 0, 0, out.height);
    sky.addColorStop(0, look.top);
    sky.addColorStop(1, look.bottom);
    g.fillStyle = sky;
    g.fillRect(0, 0, out.width, out.height);
    g.drawImage(canvas, 0, 0);
    const ratio = out.width / canvas.clientWidth;
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    g.scale(ratio, ratio);
    g.fillStyle = ink;
    g.font = BOLD;
    g.fillText(title, 18, 30);
    g.font = PLAIN;
    g.fillText(subtitle, 18, 50);
    const field = FIELDS[colour];
    if (!field.isGroup) {
        drawScale(g, { field, map: MAPS[map].table, range, bottom: canvas.clientHeight, ink });
    }
    return out;
}

// Hands a picture to the browser; returns the length of what it hands over.
export function download(picture, title, frame) {
    const name = (title || "cairn").replace(/[^\w]+/g, "_").slice(0, 60);
    const link = element("a", { href: picture.toDataURL("image/png"), download: `${name}_${String(frame).padStart(4, "0")}.png` });
    link.click();
    return link.href.length;
}
