// state.js -- what is being looked at, and its short form in the address.

import { FIELDS } from "./fields.js";
import { LAYERS } from "./layers.js";
import { MAPS } from "./colour.js";

export function defaultState(dim) {
    return {
        frame: 0,
        colour: "group",
        map: "shore",
        range: null, // null: from the values
        layers: new Set(["joints", "cell", "edges"]),
        scale: 1, // of arrows and chains
        least: 0, // normal force of a contact that chains and force arrows show [N]
        opacity: 1,
        fixed: dim === 3 ? "open" : "solid",
        bond: "damage", // state of contacts that is shown
        images: "none", // of bodies in a periodic cell: "around", or "unwrapped": bodies where they went
        hidden: new Set(), // groups, by number
        clip: null, // {axis, at [m], isFlipped}
        parallel: false,
        selected: null, // id of a body, as text
        node: null, // of its mesh, from 0
        magnify: 1, // of displacements of meshes
        magnified: "displacement", // or "shape": without the motion of bodies as a whole
        theme: "light",
        speed: 15, // frames per second
        plots: [],
        camera: null,
    };
}

const numbers = (text) => text.split(",").map(Number);

// Each key: how to write it (undefined: as by default) and how to read it back.
const KEYS = {
    f: { write: (s) => s.frame || undefined, read: (s, t) => (s.frame = Math.trunc(Number(t)) || 0) }, // negative: from the end
    colour: { write: (s, d) => (s.colour === d.colour ? undefined : s.colour), read: (s, t) => t in FIELDS && (s.colour = t) },
    map: { write: (s, d) => (s.map === (FIELDS[s.colour].map ?? d.map) ? undefined : s.map), read: (s, t) => t in MAPS && (s.map = t) },
    range: {
        write: (s) => s.range?.join(","),
        read: (s, t) => {
            const pair = numbers(t);
            s.range = pair.length === 2 && pair.every(Number.isFinite) && pair[0] < pair[1] ? pair : null;
        },
    },
    show: {
        write: (s) => [...s.layers].join(","),
        read: (s, t) => (s.layers = new Set(t.split(",").filter((name) => name in LAYERS || name === "edges"))),
    },
    hide: { write: (s) => (s.hidden.size ? [...s.hidden].join(",") : undefined), read: (s, t) => (s.hidden = new Set(numbers(t).filter(Number.isInteger))) },
    scale: { write: (s) => (s.scale === 1 ? undefined : s.scale), read: (s, t) => Number(t) > 0 && (s.scale = Number(t)) },
    least: { write: (s) => (s.least > 0 ? s.least : undefined), read: (s, t) => Number(t) > 0 && Number.isFinite(Number(t)) && (s.least = Number(t)) },
    opacity: { write: (s) => (s.opacity === 1 ? undefined : s.opacity), read: (s, t) => Number(t) > 0 && (s.opacity = Math.min(1, Number(t))) },
    fixed: { write: (s, d) => (s.fixed === d.fixed ? undefined : s.fixed), read: (s, t) => ["solid", "open", "lines", "hidden"].includes(t) && (s.fixed = t) },
    clip: {
        write: (s) => s.clip && `${s.clip.isFlipped ? "-" : ""}${"xyz"[s.clip.axis]},${s.clip.at}`,
        read: (s, t, dim) => {
            const match = /^(-?)([xyz]),([-+0-9.e]+)$/.exec(t);
            const isSound = match && "xyz".indexOf(match[2]) < dim && Number.isFinite(Number(match[3]));
            s.clip = isSound ? { axis: "xyz".indexOf(match[2]), at: Number(match[3]), isFlipped: match[1] === "-" } : null;
        },
    },
    bond: { write: (s, d) => (s.bond === d.bond ? undefined : s.bond), read: (s, t) => /^\w+$/.test(t) && (s.bond = t) },
    images: { write: (s) => (s.images === "none" ? undefined : s.images), read: (s, t) => ["none", "around", "unwrapped"].includes(t) && (s.images = t) },
    parallel: { write: (s) => (s.parallel ? 1 : undefined), read: (s, t) => (s.parallel = t === "1") },
    body: { write: (s) => s.selected ?? undefined, read: (s, t) => (s.selected = /^\d+$/.test(t) ? t : null) },
    node: { write: (s) => s.node ?? undefined, read: (s, t) => (s.node = /^\d+$/.test(t) ? Number(t) : null) },
    magnify: { write: (s) => (s.magnify === 1 ? undefined : s.magnify), read: (s, t) => Number(t) >= 0 && Number.isFinite(Number(t)) && (s.magnify = Number(t)) },
    magnified: { write: (s) => (s.magnified === "shape" ? "shape" : undefined), read: (s, t) => (s.magnified = t === "shape" ? "shape" : "displacement") },
    theme: { write: (s) => (s.theme === "dark" ? "dark" : undefined), read: (s, t) => (s.theme = t === "dark" ? "dark" : "light") },
    plots: { write: (s) => (s.plots.length ? s.plots.join("|") : undefined), read: (s, t) => (s.plots = t.split("|").slice(0, 6)) },
    cam: { write: (s) => s.camera?.join(","), read: (s, t) => (s.camera = numbers(t)) },
};

export function writeHash(state, dim) {
    const usual = defaultState(dim);
    const parts = [];
    for (const [key, { write }] of Object.entries(KEYS)) {
        const value = write(state, usual);
        if (value !== undefined && value !== null && value !== false) {
            parts.push(`${key}=${encodeURIComponent(value)}`);
        }
    }
    return `#${parts.join("&")}`;
}

export function readHash(hash, dim) {
    const state = defaultState(dim);
    for (const part of hash.replace(/^#/, "").split("&")) {
        const at = part.indexOf("=");
        const key = KEYS[part.slice(0, at)];
        if (at > 0 && key) {
            try {
                key.read(state, decodeURIComponent(part.slice(at + 1)), dim);
            } catch {
                // a broken address is as good as none
            }
        }
    }
    if (!/(^#?|&)map=/.test(hash)) {
        state.map = FIELDS[state.colour].map ?? state.map;
    }
    return state;
}
