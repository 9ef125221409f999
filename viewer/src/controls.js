// controls.js -- the panel at the right, the timeline and the keys. Every control changes the state
// through app.set, and is filled from the state by update().
import { MAPS } from "./colour.js";
import { FIELDS, fieldsOf, statesOf } from "./fields.js";
import { layersOf } from "./layers.js";
import { Search } from "./search.js";
import { VIEWS } from "./stage.js";
import { choice, element, number } from "./format.js";

export class Controls {
    constructor(box, app) {
        this.box = box;
        this.app = app;
        const is3 = app.dim === 3;
        const set = (changes) => app.set(changes);
        this.colour = choice(fieldsOf(app.meta).map(([k, f]) => [k, f.title]), "group", (colour) => set({ colour, range: null, map: FIELDS[colour].map ?? (app.state.map === "balance" ? "shore" : app.state.map) }), { id: "colour" });
        this.map = choice(Object.entries(MAPS).map(([k, m]) => [k, m.title]), "shore", (map) => set({ map }), { id: "map" });
        const limit = (id) => element("input", { type: "number", step: "any", id, onchange: () => this.readRange() });
        this.low = limit("low");
        this.high = limit("high");
        this.auto = element("button.tight", { title: "range from the values of each frame", onclick: () => set({ range: null }) }, "auto");
        this.layers = {};
        const toggles = [];
        for (const [name, layer] of [...layersOf(app.meta), ["edges", { title: "Edges", key: "e" }]]) {
            this.layers[name] = element("input", { type: "checkbox", id: `layer-${name}`, onchange: () => app.toggle(name) });
            toggles.push(element("label", {}, this.layers[name], layer.title, element("kbd", {}, layer.key)));
        }
        const slider = (id, low, high, step, onchange) => {
            const made = element("input", { type: "range", min: low, max: high, step, id, oninput: () => onchange(Number(made.value)) });
            return made;
        };
        this.scale = slider("scale", -1, 1, 0.05, (x) => set({ scale: +(10 ** x).toPrecision(3) }));
        this.least = element("input", { type: "number", min: 0, step: "any", id: "least", title: "contacts of a smaller normal force are left out [N]", onchange: () => this.readLeast() });
        const mean = element("button.tight", { title: "only what is above the mean normal force of this frame", onclick: () => set({ least: app.meanForce() }) }, "mean");
        this.search = new Search(app);
        this.bond = choice(statesOf(app.meta.laws).map((name) => [name, name]), app.state.bond, (bond) => set({ bond }), { id: "bond" });
        this.images = choice([["none", "none"], ["around", "around the cell"], ["unwrapped", "bodies where they went"]], "none", (images) => set({ images }), { id: "images" });
        this.opacity = slider("opacity", 0.1, 1, 0.05, (opacity) => set({ opacity }));
        this.fixed = choice([["open", "cut open"], ["solid", "solid"], ["lines", "edges only"], ["hidden", "hidden"]], "open", (fixed) => set({ fixed }), { id: "fixed" });
        const axes = ["x", "y", "z"].slice(0, app.dim).flatMap((axis, k) => [[`${k}`, `along ${axis}`], [`-${k}`, `along −${axis}`]]);
        this.clipAxis = choice([["none", "none"], ...axes], "none", (value) => this.readClip(value), { id: "clip-axis" });
        this.clipPart = slider("clip-part", 0, 1, 0.005, (part) => app.state.clip && set({ clip: { ...app.state.clip, at: app.clipPlace(app.state.clip.axis, part) } }));
        // From none over 1 to 1e4, in equal steps of the logarithm.
        this.magnify = slider("magnify", -1.05, 4, 0.05, (x) => set({ magnify: x < -1 ? 0 : +(10 ** x).toPrecision(3) }));
        this.magnified = choice([["displacement", "displacement"], ["shape", "change of shape"]], "displacement", (magnified) => set({ magnified }), { id: "magnified" });
        this.times = element("output", { id: "times" });
        this.parallel = element("input", { type: "checkbox", id: "parallel", onchange: () => set({ parallel: !app.state.parallel }) });
        const pair = (title, ...items) => element("div.pair", {}, element("span", {}, title), ...items);
        const buttons = Object.entries(VIEWS).map(([name, view], k) => element("button", { title: `${view.title} (${k + 1})`, onclick: () => app.look(name) }, view.title));
        box.replaceChildren(
            element(
                "header",
                {},
                element("button.fold", { title: "fold this panel (m)", onclick: () => this.fold() }, "☰"),
                element("span.space"),
                element("button", { title: "plots (l)", onclick: () => app.togglePlots() }, "∿"),
                element("button", { title: "save a picture (s)", onclick: () => app.savePicture() }, "⤓"),
                element("button", { title: "make a film (n)", onclick: () => app.filmCard.open() }, "◫"),
                element("button", { title: "light or dark (t)", onclick: () => app.toggleTheme() }, "◐"),
                element("button", { title: "keys (?)", onclick: () => app.toggleHelp() }, "?"),
            ),
            this.search.box,
            element("h3", {}, "Colour of bodies"),
            this.colour,
            (this.mapPart = element("div", {}, pair("map", this.map), element("div.pair", {}, this.low, this.high, this.auto))),
            element("h3", {}, "Show"),
            ...toggles,
            (this.bondRow = pair("state", this.bond)),
            pair("arrows", this.scale),
            (this.leastRow = pair("least [N]", this.least, mean)),
            ...(is3 ? [element("h3", {}, "Bodies"), pair("held", this.fixed), pair("opacity", this.opacity)] : []),
            ...(app.meta.meshes ? [element("h3", {}, "Meshes"), pair("shown", this.magnified), pair("times", this.magnify, this.times)] : []),
            ...(app.meta.cell ? [element("h3", {}, "Periodic cell"), pair("images", this.images)] : []),
            element("h3", {}, "Cut"),
            pair("plane", this.clipAxis),
            (this.clipRow = pair("place", this.clipPart)),
            element("h3", {}, "View"),
            ...(is3
                ? [element("div.views", {}, ...buttons), element("label", {}, this.parallel, "parallel projection", element("kbd", {}, "u"))]
                : [element("div.views", {}, element("button", { onclick: () => app.look(), title: "fit (r)" }, "Fit"))]),
        );
    }
    fold() {
        const isNarrow = matchMedia("(max-width: 700px), (max-height: 420px)").matches;
        this.box.classList.toggle(isNarrow ? "chosen" : "folded");
    }
    focusSearch() {
        this.search.input.offsetParent === null && this.fold();
        this.search.input.focus();
    }
    readRange() {
        const range = [Number(this.low.value), Number(this.high.value)];
        if (this.low.value !== "" && this.high.value !== "" && range[0] < range[1]) {
            this.app.set({ range });
        } else {
            this.app.message("a range needs a lower and a higher number");
        }
    }
    readLeast() {
        const least = Number(this.least.value);
        if (least >= 0 && Number.isFinite(least)) {
            this.app.set({ least });
        } else {
            this.app.message("the least force to be shown is a number from 0 on [N]");
        }
    }
    readClip(value) {
        const axis = Math.abs(Number(value));
        const old = this.app.state.clip;
        const at = old && old.axis === axis ? old.at : this.app.clipPlace(axis, 0.5);
        this.app.set({ clip: value === "none" ? null : { axis, at, isFlipped: value.startsWith("-") } });
    }
    update(state, range) {
        this.colour.value = state.colour;
        this.map.value = state.map;
        const isGroup = FIELDS[state.colour].isGroup;
        this.bondRow.hidden = !state.layers.has("bonds");
        this.bond.value = state.bond;
        this.leastRow.hidden = !["chains", "forces"].some((name) => state.layers.has(name));
        if (document.activeElement !== this.least) {
            this.least.value = +state.least.toPrecision(4);
        }
        this.mapPart.hidden = Boolean(isGroup) && !["patches", "openings", "bonds"].some((name) => state.layers.has(name));
        this.low.parentElement.hidden = Boolean(isGroup);
        if (!isGroup && document.activeElement !== this.low && document.activeElement !== this.high) {
            this.low.value = +range[0].toPrecision(4);
            this.high.value = +range[1].toPrecision(4);
        }
        this.auto.disabled = !state.range;
        for (const [name, box] of Object.entries(this.layers)) {
            box.checked = state.layers.has(name);
        }
        this.scale.value = Math.log10(state.scale);
        this.magnify.value = state.magnify > 0 ? Math.log10(state.magnify) : -1.05;
        this.magnified.value = state.magnified;
        this.times.textContent = `× ${number(state.magnify, 3)}`;
        this.opacity.value = state.opacity;
        this.fixed.value = state.fixed;
        this.images.value = state.images;
        this.clipAxis.value = state.clip ? `${state.clip.isFlipped ? "-" : ""}${state.clip.axis}` : "none";
        this.clipRow.hidden = !state.clip;
        this.clipPart.value = state.clip ? this.app.clipPart(state.clip) : 0.5;
        this.parallel.checked = state.parallel;
    }
}

export class Timeline {
    constructor(box, app) {
        this.app = app;
        this.slider = element("input", { type: "range", min: 0, max: 0, step: 1, id: "slider", "aria-label": "frame", oninput: () => app.goTo(Number(this.slider.value)) });
        this.output = element("output", { id: "time" });
        this.play = element("button", { id: "play", title: "play (space)", onclick: () => app.togglePlay() }, "▶");
        this.speed = choice([[1, "1 /s"], [5, "5 /s"], [15, "15 /s"], [30, "30 /s"], [60, "60 /s"]], 15, (speed) => app.set({ speed: Number(speed) }), { title: "frames per second", id: "speed" });
        this.live = element("span.live", { hidden: true, title: "the run goes on; new frames are shown as they come" }, "● live");
        box.replaceChildren(
            element("button", { title: "first (Home)", onclick: () => app.goTo(0) }, "|‹"),
            element("button", { title: "back (←)", onclick: () => app.goTo(app.state.frame - 1) }, "‹"),
            this.play,
            element("button", { title: "on (→)", onclick: () => app.goTo(app.state.frame + 1) }, "›"),
            element("button", { title: "last (End)", onclick: () => app.goTo(Infinity) }, "›|"),
            this.slider,
            this.live,
            this.output,
            this.speed,
        );
    }
    update(state, meta, isPlaying) {
        this.slider.max = meta.frames - 1;
        this.slider.value = state.frame;
        this.slider.disabled = meta.frames < 2;
        this.play.textContent = isPlaying ? "⏸" : "▶";
        this.live.hidden = !meta.live || meta.complete;
        this.output.textContent = `${number(meta.times[state.frame], 5)} s  ·  frame ${state.frame} of ${meta.frames - 1}`;
    }
}

// One line per key: the help and the keyboard cannot disagree.
export function keys(app) {
    const layerKeys = [...layersOf(app.meta), ["edges", { title: "Edges", key: "e" }]].map(([name, layer]) => ({
        keys: [layer.key],
        title: layer.title,
        run: () => app.toggle(name),
    }));
    const views = Object.entries(VIEWS).map(([name, view], k) => ({ keys: [`${k + 1}`], title: `${view.title} view`, run: () => app.look(name) }));
    return [
        { keys: [" "], show: "space", title: "Play, pause", run: () => app.togglePlay() },
        { keys: ["ArrowLeft"], show: "←", title: "One frame back", run: () => app.goTo(app.state.frame - 1) },
        { keys: ["ArrowRight"], show: "→", title: "One frame on", run: () => app.goTo(app.state.frame + 1) },
        { keys: ["PageUp"], show: "PgUp", title: "Ten frames back", run: () => app.goTo(app.state.frame - 10) },
        { keys: ["PageDown"], show: "PgDn", title: "Ten frames on", run: () => app.goTo(app.state.frame + 10) },
        { keys: ["Home"], show: "Home", title: "First frame", run: () => app.goTo(0) },
        { keys: ["End"], show: "End", title: "Last frame", run: () => app.goTo(Infinity) },
        ...layerKeys,
        { keys: ["b"], title: "Next colouring of bodies", run: () => app.nextColour() },
        { keys: ["x"], title: "Cut across x, y, z, none", run: () => app.nextClip() },
        { keys: ["r"], title: "Fit everything into view", run: () => app.look() },
        ...(app.dim === 3 ? [...views, { keys: ["u"], title: "Parallel projection", run: () => app.set({ parallel: !app.state.parallel }) }] : []),
        { keys: ["l"], title: "Plots", run: () => app.togglePlots() },
        { keys: ["/"], title: "Search a body by name", run: () => app.controls.focusSearch() },
        { keys: ["s"], title: "Save a picture", run: () => app.savePicture() },
        { keys: ["n"], title: "Make a film", run: () => app.filmCard.open() },
        { keys: ["t"], title: "Light or dark", run: () => app.toggleTheme() },
        { keys: ["m"], title: "Fold the panel", run: () => app.controls.fold() },
        { keys: ["?", "h"], show: "? or h", title: "This list", run: () => app.toggleHelp() },
        { keys: ["Escape"], show: "Esc", title: "Close, deselect", run: () => app.escape() },
    ];
}

export function fillHelp(box, list, dim) {
    const mouse = dim === 3 ? "Drag turns, right drag moves, wheel zooms; click a body to see its numbers." : "Drag moves, wheel zooms; click a body to see its numbers.";
    const items = list.map((key) => element("div", {}, element("dt", {}, element("kbd", {}, key.show ?? key.keys[0])), element("dd", {}, key.title)));
    box.replaceChildren(element("h2", {}, "Keys"), element("dl", {}, ...items), element("p.note", {}, `${mouse} The address of the page keeps what you see.`));
}
