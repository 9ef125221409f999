// main.js -- the application: one result, one state, and what follows from it.
//
// set() is the only way to change the state; it tells what has to be made again. Tests look at
// window.__cairn.
import { HELD, MAPS, colourAt, groupColours, mixed, place } from "./colour.js";
import { Beside, isBeside } from "./beside.js";
import { Bodies } from "./bodies.js";
import { Images, Unwrapped, cellOf, unwrappedFrame } from "./cell.js";
import { Controls, Timeline, fillHelp, keys } from "./controls.js";
import { Result } from "./data.js";
import { boxOf } from "./extent.js";
import { FilmCard } from "./film.js";
import { FIELDS, eachContact, fieldsOf, rangeOf, statesOf, timeStep } from "./fields.js";
import { fillInspector } from "./inspector.js";
import { LAYERS } from "./layers.js";
import { fillLegend } from "./legend.js";
import { Meshes } from "./meshes.js";
import { Plots } from "./plots.js";
import { Ruler } from "./ruler.js";
import { download, pictureOf } from "./save.js";
import { NO_GRAPHICS, Stage } from "./stage.js";
import { readHash, writeHash } from "./state.js";
import { element, number } from "./format.js";
import * as THREE from "three";

const CROWD = 5000; // bodies

const report = (window.__cairn = { ready: false, frame: -1, bodies: 0, contacts: 0, joints: 0, error: null });
const byId = (id) => document.getElementById(id);

function trouble(title, text) {
    report.error = `${title}: ${text}`;
    const box = byId("trouble");
    box.replaceChildren(element("div", {}, element("h2", {}, title), element("p", {}, text)));
    box.hidden = false;
}

class App {
    constructor(result) {
        this.result = result;
        this.dim = result.meta.dim;
        this.state = this.stateOf(location.hash);
        this.allHeld = this.dim === 2 ? 35 : 63;
        this.stage = new Stage(byId("canvas"), this.dim, result.shapes["body.row"].count > CROWD);
        this.layerGroup = new THREE.Group();
        this.stage.scene.add(this.layerGroup);
        this.makeBodies();
        this.makeLayers();
        this.images = new Images(this.stage);
        this.unwrapped = new Unwrapped(result, this.dim);
        this.ruler = new Ruler(this.stage, this.dim);
        this.stage.afterDraw.push(() => this.ruler.update());
        this.controls = new Controls(byId("controls"), this);
        this.timeline = new Timeline(byId("timeline"), this);
        this.plots = new Plots(byId("plots"), result, { onTime: (t) => this.goToTime(t), onChange: (plots) => this.set({ plots }) });
        this.plots.onError = (error) => this.message(error.message);
        this.keys = keys(this);
        fillHelp(byId("help"), this.keys, this.dim);
        this.filmCard = new FilmCard(byId("film"), this);
        this.listen();
    }
    // The state of an address, without colours that this result does not have.
    stateOf(hash) {
        const state = readHash(hash, this.dim);
        const isThere = fieldsOf(this.meta).some(([name]) => name === state.colour);
        const states = statesOf(this.meta.laws);
        return { ...state, colour: isThere ? state.colour : "group", bond: states.includes(state.bond) ? state.bond : (states[0] ?? "damage") };
    }
    get time() {
        return this.meta.times[this.state.frame];
    }
    get meta() {
        return this.result.meta;
    }
    makeBodies() {
        this.bodies?.group.removeFromParent();
        this.bodies?.edges.removeFromParent();
        this.bodies?.dispose();
        this.bodies = new Bodies(this.result.shapes, this.dim, this.stage.uniforms, this.stage.drawsBalls);
        this.meshes?.marker.removeFromParent();
        this.meshes = new Meshes(this.result.shapes, this.bodies);
        this.layerGroup.add(this.meshes.marker);
        this.stage.scene.add(this.bodies.group, this.bodies.edges);
        this.stage.overlays = [this.layerGroup, this.bodies.edges];
        this.unit = this.usualSize();
        this.groupColours = groupColours(this.bodies.groupsOfFree());
        if (this.state.fixed !== "open") {
            this.bodies.addRounds(true);
        }
        this.bodies.setOpacity(this.state.opacity);
    }
    // Reach of a usual body: arrows and rods are measured by it.
    usualSize() {
        const sizes = [...this.bodies.reach].filter((x) => x > 0).sort((a, b) => a - b);
        return sizes.length ? sizes[Math.floor(sizes.length / 2)] : 1;
    }
    makeLayers() {
        this.layers = {};
        const common = { uniforms: this.stage.uniforms, dim: this.dim, pixelRatio: this.stage.renderer.getPixelRatio() };
        for (const [name, { Layer }] of Object.entries(LAYERS)) {
            const group = new THREE.Group();
            this.layerGroup.add(group);
            this.layers[name] = new Layer(group, common);
            this.layers[name].group = group;
        }
    }
    listen() {
        let down = null;
        const canvas = byId("canvas");
        canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        canvas.addEventListener("pointerup", (event) => {
            const moved = down ? Math.hypot(event.clientX - down[0], event.clientY - down[1]) : 99;
            if (moved < 4 && event.button === 0) {
                this.selectAt(event.clientX, event.clientY);
            }
        });
        window.addEventListener("keydown", (event) => this.onKey(event));
        window.addEventListener("hashchange", () => location.hash !== this.written && this.restore(location.hash));
        this.stage.listeners.push(() => this.keepAddress());
        this.stage.controls.addEventListener("end", () => (this.isPlaced = true));
        this.stage.onResize = () => !this.isPlaced && this.frame && this.stage.fit();
        canvas.addEventListener("webglcontextlost", () => this.message("the browser has taken the graphics away; reload the page"));
    }
    onKey(event) {
        const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
        if (event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) {
            return;
        }
        const key = this.keys.find((item) => item.keys.includes(event.key));
        if (key) {
            event.preventDefault();
            key.run();
        }
    }
    async restore(hash) {
        this.state = this.stateOf(hash);
        await this.plots.set(this.state.plots);
        this.bodies.addRounds(this.state.fixed !== "open");
        this.bodies.setOpacity(this.state.opacity);
        this.stage.setTheme(this.state.theme === "dark");
        document.documentElement.dataset.theme = this.state.theme;
        this.stage.setParallel(this.state.parallel);
        this.state.camera && this.stage.setCameraState(this.state.camera);
        await this.show(this.state.frame);
    }
    address() {
        this.state.camera = this.isPlaced || this.viewed ? this.stage.cameraState() : null;
        return writeHash(this.state, this.dim);
    }
    // The address follows what is seen, not at every pixel of a drag.
    keepAddress() {
        clearTimeout(this.addressTimer);
        this.addressTimer = setTimeout(() => {
            this.written = this.address();
            history.replaceState(null, "", this.written);
        }, 150);
    }
    // Changes the state and makes again what depends on it.
    set(changes) {
        Object.assign(this.state, changes);
        this.onSet?.(changes);
        if ("fixed" in changes) {
            this.bodies.addRounds(this.state.fixed !== "open");
            this.bodies.setOpacity(this.state.opacity);
        }
        if ("opacity" in changes) {
            this.bodies.setOpacity(this.state.opacity);
        }
        if ("parallel" in changes) {
            this.stage.setParallel(this.state.parallel);
        }
        if ("theme" in changes) {
            document.documentElement.dataset.theme = this.state.theme;
            this.stage.setTheme(this.state.theme === "dark");
            this.plots.setTime(this.plots.time);
        }
        const isSpread = "images" in changes && this.meta.cell && !this.isPlaced;
        return isSpread ? this.refresh().then(() => this.look()) : this.refresh();
    }
    toggle(name) {
        const { layers } = this.state;
        layers.has(name) ? layers.delete(name) : layers.add(name);
        return this.set({ layers });
    }
    toggleGroup(k) {
        const { hidden } = this.state;
        hidden.has(k) ? hidden.delete(k) : hidden.add(k);
        return this.set({ hidden });
    }
    goTo(index) {
        const frame = Math.max(0, Math.min(this.meta.frames - 1, index));
        return this.show(frame);
    }
    goToTime(time) {
        const { times } = this.meta;
        let best = 0;
        times.forEach((t, k) => (best = Math.abs(t - time) < Math.abs(times[best] - time) ? k : best));
        return this.goTo(best);
    }
    // Only the last frame asked for is shown.
    async show(index) {
        const asked = Math.max(0, Math.min(this.meta.frames - 1, index));
        this.state.frame = asked;
        this.timeline.update(this.state, this.meta, this.isPlaying);
        this.onShow?.(this.time);
        try {
            const frame = await this.placed(await this.result.frame(asked, this.needsContacts()), asked);
            if (this.state.frame === asked) {
                await this.checkBodies(frame);
                this.frame = frame;
                this.frameIndex = asked;
                await this.refresh();
            }
        } catch (error) {
            report.error = error.message;
            this.message(error.message);
        }
    }
    needsContacts() {
        const { state } = this;
        return state.selected !== null || FIELDS[state.colour].needsContacts || [...state.layers].some((name) => LAYERS[name]?.needsContacts);
    }
    needsStart() {
        return FIELDS[this.state.colour].needsStart || [...this.state.layers].some((name) => LAYERS[name]?.needsStart);
    }
    // Bodies may have been added since the shapes were read.
    async checkBodies(frame) {
        const row = frame["body.row"].data;
        let most = -1;
        for (let i = 0; i < row.length; i += 3) {
            most = Math.max(most, row[i]);
        }
        if (most >= this.bodies.count) {
            await this.result.reloadShapes();
            this.makeBodies();
        }
    }
    startPlaces() {
        if (!this.places && this.startFrame) {
            this.places = new Map();
            const row = this.startFrame["body.row"].data;
            const at = this.startFrame["body.at"].data;
            for (let i = 0; i < row.length / 3; i++) {
                this.places.set(row[3 * i], at.subarray(3 * i, 3 * i + 3));
            }
        }
        return this.places ?? new Map();
    }
    // Everything that follows from frame and state; what fails is told, not thrown.
    async refresh() {
        try {
            await this.remake();
        } catch (error) {
            report.error = error.message;
            this.message(error.message);
        }
    }
    async remake() {
        const { state, frameIndex } = this;
        if (!this.frame) {
            return;
        }
        this.controls.update(state, this.range ?? [0, 1]);
        if (this.needsStart() && !this.startFrame) {
            this.startFrame = await this.result.frame(0, true);
        }
        const isFull = !this.needsContacts() || this.frame["contact.row"];
        const stored = isFull ? this.frame : await this.result.frame(frameIndex, true);
        const frame = await this.placed(stored, frameIndex);
        if (this.frameIndex !== frameIndex || this.state !== state) {
            return; // something else is being shown by now
        }
        this.went = this.meta.cell && this.needsStart() ? await this.whereTheyWent(frame.stored ?? frame, frameIndex) : null;
        this.frame = frame;
        this.flags = this.flagsOf(frame);
        this.bodies.moveTo(frame, (i) => this.flags[i]);
        this.meshes.moveTo(frame, state.magnify, state.magnified === "shape");
        this.images.update(this.bodies, cellOf(frame, this.dim), { dim: this.dim, axes: this.meta.cell, isShown: state.images === "around" });
        this.bodies.edges.visible = state.layers.has("edges");
        this.paintBodies();
        this.updateLayers();
        this.updateClip();
        this.updateSelection();
        this.onRange?.(this.range);
        this.controls.update(state, this.range);
        this.timeline.update(state, this.meta, this.isPlaying);
        this.plots.setTime(frame.head.data[0]);
        this.fillLegend();
        this.stage.draw();
        this.keepAddress();
        Object.assign(report, { frame: state.frame, bodies: frame["body.row"].count, contacts: frame.head.data[7], joints: frame["joint.row"].count });
        byId("title").querySelector("p").textContent = this.subtitle();
    }
    // The frame with bodies in the cell as they are stored, or where they went.
    async placed(stored, index) {
        const plain = stored.stored ?? stored;
        if (!this.meta.cell || this.state.images !== "unwrapped") {
            return plain;
        }
        return this.whereTheyWent(plain, index);
    }
    async whereTheyWent(stored, index) {
        return { ...unwrappedFrame(stored, await this.unwrapped.upTo(index), this.meta.origin), stored };
    }
    fillLegend() {
        const { state, meta, range, layers, frame, ruler } = this;
        const isHeld = (bits) => this.isHeld(bits);
        this.listed = fillLegend(byId("legend"), { state, meta, range, layers, frame, ruler, isHeld, colourOf: (k) => this.groupColour(k), onGroup: (k) => this.toggleGroup(k) });
        ruler.update(); // samples have a size only now, and with them the strip
        this.stage.keepSize();
        ruler.update();
    }
    subtitle() {
        const { frame } = this;
        const count = (n, what) => `${n} ${what}${n === 1 ? "" : what.endsWith("y") ? "" : "s"}`;
        const bodies = frame["body.row"].count;
        const contacts = frame["lacks.contacts"].data[0] ? "contacts not written in this frame" : count(frame.head.data[7], "contact");
        const parts = [`${bodies} ${bodies === 1 ? "body" : "bodies"}`, contacts];
        if (frame["joint.row"].count) {
            parts.push(count(frame["joint.row"].count, "joint"));
        }
        const file = this.onShow ? `${this.meta.file}  ·  ` : ""; // beside another result
        return `${file}t = ${number(frame.head.data[0], 5)} s  ·  ${parts.join("  ·  ")}`;
    }
    isHeld(bits) {
        return (bits & this.allHeld) === this.allHeld;
    }
    flagsOf(frame) {
        const row = frame["body.row"].data;
        const held = { solid: 1, lines: 2, open: 3, hidden: 0 }[this.state.fixed];
        const flags = new Uint8Array(frame["body.row"].count).fill(1);
        for (let i = 0; i < flags.length; i++) {
            if (this.state.hidden.has(row[3 * i + 1])) {
                flags[i] = 0;
            } else if (this.isHeld(row[3 * i + 2])) {
                flags[i] = this.bodies.isEndless[row[3 * i]] && held ? 1 : held;
            }
        }
        return flags;
    }
    paintBodies() {
        const { frame, state, bodies } = this;
        const field = FIELDS[state.colour];
        const row = frame["body.row"].data;
        const count = frame["body.row"].count;
        const paint = bodies.paint;
        const map = MAPS[state.map].table;
        const values = new Float64Array(count);
        field.fill?.((field.needsStart && this.went) || frame, values, { bodies, dim: this.dim, start: this.startPlaces() });
        const nodes = this.nodeValues(field);
        this.values = values;
        this.range = state.range ?? (field.isGroup ? [0, 1] : this.valueRange(field, values, nodes));
        for (let i = 0; i < count; i++) {
            const at = 4 * row[3 * i];
            if (this.isHeld(row[3 * i + 2]) || !(field.isGroup || field.fill)) {
                paint.set(HELD, at);
            } else if (field.isGroup) {
                paint.set(this.groupColour(row[3 * i + 1]), at);
            } else {
                colourAt(map, place(values[i], this.range), paint, at);
            }
            paint[at + 3] = 255;
        }
        bodies.paintMap.needsUpdate = true;
        this.stage.uniforms.hasLevels.value = nodes ? 1 : 0;
        if (nodes) {
            this.stage.setMap(map);
            this.meshes.setLevels(nodes, (value) => place(value, this.range));
        }
    }
    // Of a group, paler where forces are drawn over it.
    groupColour(group) {
        const colour = this.groupColours.get(group) ?? HELD;
        const hasForces = ["chains", "forces"].some((name) => this.state.layers.has(name));
        return hasForces ? mixed(colour, this.state.theme === "dark" ? [40, 46, 54] : [255, 255, 255], 0.45) : colour;
    }
    // One value per node of the run (NaN: not in this frame), or null if the field has none.
    nodeValues(field) {
        const { frame, meshes, dim } = this;
        if (!field.node || !frame["mesh.row"] || (field.needsStress && !frame["node.stress"])) {
            return null;
        }
        const out = new Float64Array(meshes.nodeCount).fill(NaN);
        meshes.eachNode(frame, (n, k) => (out[n] = field.node(frame, k, { meshes, n, dim })));
        return out;
    }
    valueRange(field, values, nodes) {
        const row = this.frame["body.row"].data;
        const lists = nodes ? [{ values: nodes, counts: () => true }] : [];
        if (field.fill) {
            const isRigid = (i) => !nodes || this.meshes.ofBody[row[3 * i]] < 0;
            lists.push({ values, counts: (i) => isRigid(i) && !this.isHeld(row[3 * i + 2]) });
        }
        this.ownRange = rangeOf(lists, field.isSigned);
        return this.rangeWith?.(this.ownRange) ?? this.ownRange;
    }
    updateLayers() {
        const context = {
            bodies: this.bodies,
            meshes: this.meshes,
            dim: this.dim,
            unit: this.unit,
            scale: this.state.scale,
            map: MAPS[this.state.map].table,
            start: this.startFrame,
            isDark: this.state.theme === "dark",
            least: this.state.least,
            origin: this.meta.origin,
            laws: this.meta.laws,
            bond: this.state.bond,
            isHeld: (bits) => this.isHeld(bits),
        };
        for (const [name, layer] of Object.entries(this.layers)) {
            layer.group.visible = this.state.layers.has(name);
            if (layer.group.visible) {
                layer.update(this.frame, context);
            }
        }
    }
    updateClip() {
        const { clip } = this.state;
        const { uniforms } = this.stage;
        uniforms.hasClip.value = clip ? 1 : 0;
        if (clip) {
            const sign = clip.isFlipped ? -1 : 1;
            const normal = [0, 0, 0];
            normal[clip.axis] = sign;
            uniforms.clip.value.set(...normal, sign * (clip.at - this.meta.origin[clip.axis]));
        }
        const { x, y, z, w } = uniforms.clip.value;
        this.meshes.cutBy(this.frame, clip ? { normal: [x, y, z], offset: w } : null);
    }
    // A part of the way through the scene along an axis, and back. [m]
    clipPlace(axis, part) {
        const { low, high } = this.stage.box;
        return +(low[axis] + part * (high[axis] - low[axis]) + this.meta.origin[axis]).toPrecision(6);
    }
    clipPart({ axis, at }) {
        const { low, high } = this.stage.box;
        return (at - this.meta.origin[axis] - low[axis]) / (high[axis] - low[axis] || 1);
    }
    rowOfId(id) {
        if (!this.ids || this.ids.count !== this.bodies.count) {
            this.ids = new Map();
            for (let k = 0; k < this.bodies.count; k++) {
                this.ids.set(this.bodies.id(k), k);
            }
            this.ids.count = this.bodies.count;
        }
        return this.ids.get(id) ?? -1;
    }
    // Mean normal force of the contacts of this frame that carry one. [N]
    meanForce() {
        const h = timeStep(this.frame);
        let [sum, count] = [0, 0];
        eachContact(this.frame, (a, i, j, n) => {
            sum += Math.abs(n);
            count += n !== 0 ? 1 : 0;
        });
        return h > 0 && count ? sum / count / h : 0;
    }
    // Shows a body and its numbers; it may not be there in this frame.
    async find(k) {
        await this.selectRow(k);
        const row = this.frame["body.row"].data;
        const place = Array.from({ length: row.length / 3 }, (_, i) => i).find((i) => row[3 * i] === k);
        if (place === undefined) {
            return this.message(`${this.bodies.name(k)} is not there in this frame`);
        }
        this.stage.lookAt(this.frame["body.at"].data.subarray(3 * place, 3 * place + 3));
        this.isPlaced = true;
    }
    selectRow(k, node = null) {
        return this.set({ selected: k >= 0 && k < this.bodies.count ? this.bodies.id(k) : null, node });
    }
    // What is at a point of the window: a body and, if it is a mesh, its nearest node.
    selectAt(x, y) {
        const k = this.stage.pick(x, y);
        const m = k >= 0 && k < this.bodies.count ? this.meshes.ofBody[k] : -1;
        return this.selectRow(k, m >= 0 ? this.meshes.nearest(m, [x, y], this.stage) : null);
    }
    updateSelection() {
        const k = this.state.selected === null ? -1 : this.rowOfId(this.state.selected);
        const row = this.frame["body.row"].data;
        let place = -1;
        for (let i = 0; k >= 0 && i < this.frame["body.row"].count; i++) {
            place = row[3 * i] === k ? i : place;
        }
        this.stage.uniforms.selected.value = place >= 0 ? k : -1;
        this.meshes.mark(place >= 0 ? this.meshes.ofBody[k] : -1, this.state.node);
        if (place < 0) {
            byId("inspector").hidden = true;
            return;
        }
        fillInspector(byId("inspector"), {
            frame: this.frame,
            bodies: this.bodies,
            meshes: this.meshes,
            node: this.state.node,
            bond: this.state.layers.has("bonds") ? this.state.bond : null,
            place,
            meta: this.meta,
            onPick: (other) => this.selectRow(other),
            onClose: () => this.selectRow(-1),
            onLook: () => this.stage.lookAt(this.frame["body.at"].data.subarray(3 * place, 3 * place + 3)),
        });
    }
    boxOf(frame) {
        return boxOf(this, frame, (bits) => this.isHeld(bits), this.dim);
    }
    look(view) {
        this.stage.setBox(...this.boxOf(this.frame));
        this.stage.fit(view);
        this.isPlaced = false;
        this.viewed = view ?? this.viewed;
        return this.refresh();
    }
    nextColour() {
        const names = fieldsOf(this.meta).map(([name]) => name);
        const colour = names[(names.indexOf(this.state.colour) + 1) % names.length];
        return this.set({ colour, range: null, map: FIELDS[colour].map ?? "shore" });
    }
    nextClip() {
        const axis = this.state.clip ? this.state.clip.axis + 1 : 0;
        return this.set({ clip: axis < this.dim ? { axis, at: this.clipPlace(axis, 0.5), isFlipped: axis === 1 && this.dim === 3 } : null });
    }
    togglePlots() {
        const plots = this.state.plots.length ? [] : ["energy", "residual"];
        this.plots.set(plots);
        return this.set({ plots });
    }
    toggleTheme() {
        return this.set({ theme: this.state.theme === "dark" ? "light" : "dark" });
    }
    toggleHelp() {
        byId("help").hidden = !byId("help").hidden;
    }
    escape() {
        if (!byId("film").hidden) {
            this.filmCard.close();
        } else if (!byId("help").hidden) {
            this.toggleHelp();
        } else {
            this.selectRow(-1);
        }
        document.activeElement?.blur();
    }
    togglePlay() {
        this.isPlaying = !this.isPlaying;
        this.timeline.update(this.state, this.meta, this.isPlaying);
        if (this.isPlaying) {
            this.play();
        }
    }
    // Frames are dropped rather than shown late; the next ones are fetched ahead.
    async play() {
        if (this.state.frame >= this.meta.frames - 1) {
            await this.goTo(0);
        }
        const first = this.state.frame;
        const begin = performance.now();
        for (let next = first; this.isPlaying && next < this.meta.frames - 1; ) {
            const due = first + Math.floor(((performance.now() - begin) / 1000) * this.state.speed);
            if (due <= this.state.frame) {
                await new Promise((done) => setTimeout(done, 500 / this.state.speed));
                continue;
            }
            next = Math.min(due, this.meta.frames - 1);
            await this.show(next);
            for (let k = next + 1; k <= Math.min(next + 3, this.meta.frames - 1); k++) {
                this.result.frame(k, this.needsContacts()).catch(() => {});
            }
            await new Promise((done) => requestAnimationFrame(done));
        }
        this.isPlaying = false;
        this.timeline.update(this.state, this.meta, false);
    }
    // What the page shows, without its controls.
    picture() {
        this.stage.drawNow();
        return pictureOf(byId("canvas"), { look: this.stage.look, title: this.meta.title, subtitle: this.subtitle(), ruler: this.ruler, legend: this.listed() });
    }
    savePicture() {
        const { state, meta } = this;
        const picture = this.picture();
        report.picture = download(picture, meta.title, state.frame);
        return picture;
    }
    message(text) {
        const box = byId("message");
        box.textContent = text;
        box.hidden = false;
        clearTimeout(this.messageTimer);
        this.messageTimer = setTimeout(() => (box.hidden = true), 6000);
    }
    // Looks for new frames once a second; follows them when the last one is shown.
    async follow() {
        for (;;) {
            await new Promise((done) => setTimeout(done, 1000));
            try {
                const isLast = this.state.frame === this.meta.frames - 1;
                if (await this.result.refresh()) {
                    await this.plots.reload();
                    await (isLast && !this.isPlaying ? this.goTo(Infinity) : this.refresh());
                }
            } catch (error) {
                this.message(error.message);
            }
        }
    }
    async begin() {
        document.title = `${this.meta.title || "result"} · cairn`;
        byId("title").querySelector("h1").textContent = this.meta.title || "cairn";
        document.documentElement.dataset.theme = this.state.theme;
        this.stage.setTheme(this.state.theme === "dark");
        const panel = byId("controls").offsetWidth;
        this.stage.setInset({ right: panel > 150 ? panel + 12 : 0, top: byId("title").offsetHeight + 12 });
        const { frames, live } = this.meta;
        const index = location.hash.length > 1 ? this.state.frame : live ? frames - 1 : 0;
        const asked = Math.max(0, Math.min(frames - 1, index < 0 ? frames + index : index));
        this.state.frame = asked;
        this.frame = await this.result.frame(asked);
        this.frameIndex = asked;
        await this.checkBodies(this.frame);
        this.meshes.moveTo(this.frame, this.state.magnify, this.state.magnified === "shape");
        this.stage.setBox(...this.boxOf(this.frame));
        this.controls.update(this.state, [0, 1]);
        this.stage.fit("oblique");
        if (this.state.parallel) {
            this.stage.setParallel(true);
        }
        if (this.state.camera) {
            this.stage.setCameraState(this.state.camera);
            this.isPlaced = true;
        }
        this.plots.set(this.state.plots);
        await this.refresh();
        if (!this.isPlaced && this.state.images === "unwrapped" && this.meta.cell) {
            await this.look();
        }
        this.stage.drawNow();
        if (this.meta.live) {
            this.follow();
        }
    }
}

// Two results: each has a frame of this page, which are in window.__cairn.beside.
async function mainOfTwo() {
    report.beside = new Beside(byId("beside"), report);
    await report.beside.begin();
    report.ready = true;
}

async function main() {
    if (isBeside()) {
        return mainOfTwo();
    }
    const began = performance.now();
    const result = new Result();
    await result.open();
    byId("app").hidden = false;
    const app = new App(result);
    report.app = app;
    await app.begin();
    report.milliseconds = performance.now() - began;
    report.ready = true;
}

window.addEventListener("error", (event) => (report.error ??= event.message));
window.addEventListener("unhandledrejection", (event) => (report.error ??= String(event.reason)));
main().catch((error) => {
    if (error.message === NO_GRAPHICS) {
        trouble("No WebGL 2", `This browser cannot draw in three dimensions (${NO_GRAPHICS}). Another browser, or 'cairn render', shows the result as pictures.`);
    } else {
        trouble("The result cannot be shown", error.message);
    }
});
