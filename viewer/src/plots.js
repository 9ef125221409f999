// plots.js -- curves of the history with the time that is shown. A plot is a preset or one column.
import { choice, element, number, ticks } from "./format.js";

// Columns by name; those a file does not have are left out.
const PRESETS = {
    energy: { title: "Energies [J]", columns: ["kinetic", "potential", "storage", "total_friction", "total_shock", "total_viscous", "total_drive", "total_elastic", "total_plastic"] },
    residual: { title: "Residual [-]", columns: ["residual", "residual_rms", "eps_v"], isLog: true },
    contacts: { title: "Contacts", columns: ["contacts", "active"] },
    penetration: { title: "Penetration [m]", columns: ["penetration"] },
    sweeps: { title: "Sweeps", columns: ["sweeps"] },
    error: { title: "Energy error [-]", columns: ["energy_error"], isLog: true },
};

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7a5c"];

function nameOf(column) {
    return column.replace(/^series\//, "").replace(/^total_/, "");
}

class Plot {
    constructor(what, panel) {
        this.what = what;
        this.panel = panel;
        this.canvas = element("canvas");
        this.key = element("div.key");
        const options = [...Object.entries(PRESETS).map(([key, p]) => [key, p.title]), ...panel.result.meta.series.map((name) => [name, nameOf(name)])];
        this.head = element(
            "header",
            {},
            choice(options, what, (value) => panel.change(this, value)),
            this.key,
            element("button", { title: "remove this plot", onclick: () => panel.remove(this) }, "×"),
        );
        this.box = element("div.plot", { "data-plot": what }, this.head, this.canvas);
        this.canvas.addEventListener("pointerdown", (event) => this.drag(event));
        this.canvas.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
    }
    async load() {
        const preset = PRESETS[this.what];
        const names = this.panel.result.meta.series;
        const wanted = (preset?.columns ?? [this.what]).filter((name) => names.includes(name));
        const read = await Promise.all(wanted.map((name) => this.panel.result.curve(names.indexOf(name))));
        this.curves = wanted
            .map((name, k) => ({ name, points: read[k].points.data, colour: COLOURS[k % COLOURS.length] }))
            .filter(({ points }, k) => k === 0 || points.some((x, n) => n % 2 && x !== 0));
        this.isLog = preset?.isLog ?? false;
        this.box.dataset.points = this.curves.reduce((sum, c) => sum + c.points.length / 2, 0);
        this.key.replaceChildren(
            ...this.curves.map(({ name, colour }) => {
                const mark = element("i");
                mark.style.background = colour;
                return element("span", {}, mark, nameOf(name));
            }),
        );
        this.draw();
    }
    range() {
        let [low, high] = [Infinity, -Infinity];
        for (const { points } of this.curves) {
            for (let k = 1; k < points.length; k += 2) {
                const y = this.isLog ? Math.log10(points[k]) : points[k];
                if (Number.isFinite(y)) {
                    low = Math.min(low, y);
                    high = Math.max(high, y);
                }
            }
        }
        if (low > high) {
            return [0, 1];
        }
        const room = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
        return [low - room, high + room];
    }
    // Colours follow the page.
    draw() {
        if (!this.curves || !this.canvas.clientWidth) {
            return;
        }
        const ratio = window.devicePixelRatio || 1;
        const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        const g = this.canvas.getContext("2d");
        g.scale(ratio, ratio);
        const style = getComputedStyle(this.box);
        const [ink, faint] = [style.getPropertyValue("--ink"), style.getPropertyValue("--line")];
        const area = { x: 62, y: 8, w: width - 74, h: height - 28 };
        const [low, high] = this.range();
        const times = this.panel.result.meta.times;
        const last = Math.max(times[times.length - 1], ...this.curves.map(({ points }) => points[points.length - 2] ?? 0));
        const first = Math.min(times[0], last);
        const span = last - first || 1;
        this.toX = (t) => area.x + (area.w * (t - first)) / span;
        this.toTime = (x) => first + (span * (x - area.x)) / area.w;
        const toY = (y) => area.y + area.h * (1 - (y - low) / (high - low));
        g.font = "11px system-ui, sans-serif";
        g.lineWidth = 1;
        g.strokeStyle = faint;
        g.fillStyle = ink;
        g.textAlign = "right";
        g.textBaseline = "middle";
        for (const y of ticks(low, high, 4)) {
            if (this.isLog && Math.abs(y - Math.round(y)) > 1e-6) {
                continue;
            }
            g.beginPath();
            g.moveTo(area.x, toY(y));
            g.lineTo(area.x + area.w, toY(y));
            g.stroke();
            g.fillText(this.isLog ? `1e${Math.round(y)}` : number(y, 3), area.x - 6, toY(y));
        }
        g.textAlign = "center";
        g.textBaseline = "top";
        for (const t of ticks(first, last, Math.max(2, Math.floor(area.w / 90)))) {
            g.fillText(`${number(t, 4)} s`, this.toX(t), area.y + area.h + 5);
        }
        g.save();
        g.beginPath();
        g.rect(area.x, area.y, area.w, area.h);
        g.clip();
        for (const { points, colour } of this.curves) {
            g.strokeStyle = colour;
            g.lineWidth = 1.4;
            g.beginPath();
            let isDown = false;
            for (let k = 0; k < points.length; k += 2) {
                const y = this.isLog ? Math.log10(points[k + 1]) : points[k + 1];
                if (!Number.isFinite(y)) {
                    isDown = false;
                    continue;
                }
                isDown ? g.lineTo(this.toX(points[k]), toY(y)) : g.moveTo(this.toX(points[k]), toY(y));
                isDown = true;
            }
            g.stroke();
        }
        const now = this.toX(this.panel.time);
        g.strokeStyle = "#d55e00";
        g.setLineDash([4, 3]);
        g.beginPath();
        g.moveTo(now, area.y);
        g.lineTo(now, area.y + area.h);
        g.stroke();
        g.restore();
        this.box.dataset.cursor = this.panel.time;
    }
    drag(event) {
        const box = this.canvas.getBoundingClientRect();
        this.panel.goToTime(this.toTime(event.clientX - box.left));
    }
}

export class Plots {
    constructor(box, result, { onTime, onChange }) {
        this.box = box;
        this.result = result;
        this.goToTime = onTime;
        this.onChange = onChange;
        this.time = 0;
        this.list = [];
        new ResizeObserver(() => this.list.forEach((plot) => plot.draw())).observe(box);
    }
    get names() {
        return this.list.map((plot) => plot.what);
    }
    set(names) {
        this.list = names.filter((what) => what in PRESETS || this.result.meta.series.includes(what)).map((what) => new Plot(what, this));
        this.show();
    }
    add(what) {
        this.list.push(new Plot(what ?? this.next(), this));
        this.show();
        this.onChange(this.names);
    }
    next() {
        return Object.keys(PRESETS).find((what) => !this.names.includes(what)) ?? "energy";
    }
    remove(plot) {
        this.list = this.list.filter((other) => other !== plot);
        this.show();
        this.onChange(this.names);
    }
    change(plot, what) {
        this.list = this.list.map((other) => (other === plot ? new Plot(what, this) : other));
        this.show();
        this.onChange(this.names);
    }
    show() {
        const more = element("button.more", { title: "add a plot", onclick: () => this.add() }, "+ plot");
        this.box.replaceChildren(...this.list.map((plot) => plot.box), ...(this.list.length < 6 ? [more] : []));
        this.box.hidden = this.list.length === 0;
        return this.reload();
    }
    reload() {
        return Promise.all(this.list.map((plot) => plot.load().catch((error) => this.onError?.(error))));
    }
    setTime(time) {
        this.time = time;
        this.list.forEach((plot) => plot.draw());
    }
}
