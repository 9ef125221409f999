// colour.js -- colour maps, drawn as curves through OKLab, the space in which equal distances look
// equally different (B. Ottosson, 2020). Lightness rises all the way, so that maps can be read
// without telling hues apart.

function linear(l, a, b) {
    const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
        -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
        -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
    ];
}

function gamma(c) {
    const x = Math.min(1, Math.max(0, c));
    return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
}

// Lightness, chroma, hue [degrees] to bytes; chroma shrinks until the colour exists.
function bytesOf([l, c, h]) {
    const a = Math.cos((h * Math.PI) / 180);
    const b = Math.sin((h * Math.PI) / 180);
    let rgb;
    for (let k = 0; k <= 20; k++) {
        rgb = linear(l, c * (1 - k / 20) * a, c * (1 - k / 20) * b);
        if (Math.min(...rgb) > -1e-3 && Math.max(...rgb) < 1.001) {
            break;
        }
    }
    return rgb.map((x) => Math.round(255 * gamma(x)));
}

function mix(stops, t) {
    const x = t * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(x));
    return stops[k].map((value, n) => value + (x - k) * (stops[k + 1][n] - value));
}

function table(stops) {
    const rgb = new Uint8Array(3 * 256);
    for (let k = 0; k < 256; k++) {
        rgb.set(bytesOf(mix(stops, k / 255)), 3 * k);
    }
    return rgb;
}

// The scale of pictures of cairn render: a quadratic Bezier curve in OKLab from pale yellow, bent
// towards teal, to dark blue, in equal steps of arc length (src/picture/colour.c).
function pictureTable() {
    const [start, middle, end] = [[0.955, -0.022, 0.075], [0.64, -0.125, 0], [0.325, 0.012, -0.125]];
    const at = (t) => start.map((x, k) => (1 - t) * ((1 - t) * x + t * middle[k]) + t * ((1 - t) * middle[k] + t * end[k]));
    const length = [0];
    for (let k = 1; k <= 1024; k++) {
        const [p, q] = [at((k - 1) / 1024), at(k / 1024)];
        length.push(length[k - 1] + Math.hypot(...p.map((x, n) => x - q[n])));
    }
    const rgb = new Uint8Array(3 * 256);
    for (let n = 0, k = 0; n < 256; n++) {
        const want = (length[1024] * n) / 255;
        while (k < 1023 && length[k + 1] < want) {
            k++;
        }
        const part = (want - length[k]) / (length[k + 1] - length[k]);
        rgb.set(linear(...at((k + part) / 1024)).map((x) => Math.round(255 * gamma(x))), 3 * n);
    }
    return rgb;
}

export const MAPS = {
    shore: { title: "Shore (pale, dark), as in pictures", table: pictureTable() },
    dusk: { title: "Dusk (violet, yellow)", table: table([[0.28, 0.13, 300], [0.42, 0.12, 265], [0.56, 0.1, 215], [0.7, 0.12, 165], [0.82, 0.16, 130], [0.93, 0.17, 105]]) },
    sand: { title: "Sand (blue, yellow)", table: table([[0.27, 0.09, 258], [0.42, 0.045, 262], [0.56, 0.015, 200], [0.7, 0.05, 95], [0.83, 0.1, 95], [0.94, 0.14, 102]]) },
    ember: { title: "Ember (dark, bright)", table: table([[0.18, 0.04, 290], [0.36, 0.13, 350], [0.53, 0.18, 380], [0.68, 0.17, 405], [0.82, 0.14, 435], [0.96, 0.08, 460]]) },
    balance: { title: "Balance (two sides)", table: table([[0.42, 0.13, 255], [0.68, 0.09, 245], [0.96, 0.01, 100], [0.74, 0.12, 60], [0.47, 0.14, 40]]) },
    grey: { title: "Grey", table: table([[0.3, 0, 0], [0.96, 0, 0]]) },
};

const hex = (x) => [(x >> 16) & 255, (x >> 8) & 255, x & 255];

// Bodies by group: told apart by lightness as well as by hue; those of pictures.
const GROUP_COLOURS = [0x7fa8cc, 0xe8b76b, 0x6fb39a, 0xd98b70, 0xb9d9ea, 0xb490b8, 0xeadf95, 0x9c9388].map(hex);

// Contacts by status: open, stick, slide, joined; in light as in pictures of cairn render, in dark
// lighter ones of the same hue.
const STATUS_NAMES = ["open", "stick", "slide", "joined"];
const STATUS_LIGHT = [0x9aa3ad, 0x1f3a5f, 0xc8451b, 0x6f3f8f].map(hex);
const STATUS_DARK = [0x9aa3ad, 0x6fa8e8, 0xff8a5c, 0xc79be8].map(hex);

export function statusOf(k, isDark) {
    return { name: STATUS_NAMES[k], colour: (isDark ? STATUS_DARK : STATUS_LIGHT)[k] };
}

// Places of groups in the palette: the groups that bodies have, in the order of their numbers.
export function groupColours(groups) {
    const sorted = [...new Set(groups)].sort((a, b) => a - b);
    return new Map(sorted.map((group, k) => [group, GROUP_COLOURS[k % GROUP_COLOURS.length]]));
}

export const HELD = hex(0xc6cbd0);

export function mixed(a, b, t) {
    return a.map((x, k) => Math.round(x + t * (b[k] - x)));
}

export function css([r, g, b]) {
    return `rgb(${r}, ${g}, ${b})`;
}

// Place of a value in a range, 0 to 1.
export function place(value, [low, high]) {
    return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
}

export function colourAt(map, t, out, at) {
    const k = 3 * Math.round(255 * t);
    out[at] = map[k];
    out[at + 1] = map[k + 1];
    out[at + 2] = map[k + 2];
}

export function gradient(map) {
    const stops = [];
    for (let k = 0; k <= 16; k++) {
        const n = 3 * Math.round((255 * k) / 16);
        stops.push(css([map[n], map[n + 1], map[n + 2]]));
    }
    return `linear-gradient(to right, ${stops.join(", ")})`;
}
