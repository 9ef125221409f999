// film.js -- films of frames and of a turn around one frame: the card that asks, and what makes them.
import { choice, element } from "./format.js";
import { Gif } from "./gif.js";
import { fileName } from "./save.js";
import { Webm } from "./webm.js";

const MAKERS = { webm: Webm, gif: Gif };

// Pictures that a film asks for: functions that bring each one onto the stage.
function picturesOf(app, { what, from, to, every, turns }) {
    if (what === "turn") {
        return Array.from({ length: turns }, () => () => app.stage.turn((2 * Math.PI) / turns));
    }
    const list = [];
    for (let k = from; k <= to; k += every) {
        list.push(() => app.goTo(k));
    }
    return list;
}

// Makes a film of what the page shows, with title, time and legend in every picture. `wish`: what
// (frames or turn), from, to, every [frames], turns [pictures], rate [1/s], format (webm or gif).
// `tell(done, whole)` returns false to stop; then the film is null.
export async function filmOf(app, wish, tell) {
    const list = picturesOf(app, wish);
    let maker = null;
    for (const [k, bring] of list.entries()) {
        await bring();
        const picture = app.picture();
        const [width, height] = [picture.width & ~1, picture.height & ~1];
        maker ??= new MAKERS[wish.format](width, height, wish.rate);
        if (maker.width !== width || maker.height !== height) {
            throw new Error("the window has changed its size while the film was made");
        }
        await maker.add(picture.getContext("2d", { willReadFrequently: true }).getImageData(0, 0, width, height).data);
        await new Promise((done) => setTimeout(done));
        if (!tell(k + 1, list.length)) {
            return null;
        }
    }
    return { blob: await maker.end(), pictures: list.length, width: maker.width, height: maker.height };
}

export class FilmCard {
    constructor(box, app) {
        this.box = box;
        this.app = app;
        const last = () => app.meta.frames - 1;
        const field = (id, value, least) => element("input", { type: "number", id: `film-${id}`, min: least, step: 1, value });
        this.what = choice([["frames", "frames"], ...(app.dim === 3 ? [["turn", "a turn around this frame"]] : [])], "frames", () => this.update(), { id: "film-what" });
        this.from = field("from", 0, 0);
        this.to = field("to", last(), 0);
        this.every = field("every", 1, 1);
        this.turns = field("turns", 72, 2);
        this.rate = field("rate", 15, 1);
        this.format = choice([...(Webm.isThere ? [["webm", "WebM"]] : []), ["gif", "GIF"]], Webm.isThere ? "webm" : "gif", () => {}, { id: "film-format" });
        this.make = element("button.do", { id: "film-make", onclick: () => this.run() }, "Make");
        this.progress = element("p.note", {});
        const pair = (title, ...items) => element("div.pair", {}, element("span", {}, title), ...items);
        box.replaceChildren(
            element("h2", {}, "Film"),
            pair("of", this.what),
            (this.framesRow = pair("frames", this.from, "to", this.to, "every", this.every)),
            (this.turnRow = pair("pictures", this.turns)),
            pair("per second", this.rate),
            pair("file", this.format),
            element("div.pair", {}, this.make, element("button", { onclick: () => this.close() }, "Close")),
            this.progress,
        );
        this.update();
    }
    open() {
        this.to.value = this.app.meta.frames - 1;
        this.rate.value = this.app.state.speed;
        this.box.hidden = !this.box.hidden;
    }
    close() {
        this.isStopped = true;
        this.box.hidden = true;
    }
    update() {
        this.framesRow.hidden = this.what.value !== "frames";
        this.turnRow.hidden = this.what.value !== "turn";
    }
    // What is asked for; a sentence if it makes no sense.
    wish() {
        const whole = (input) => (/^\d+$/.test(input.value) ? Number(input.value) : NaN);
        const wish = { what: this.what.value, from: whole(this.from), to: Math.min(whole(this.to), this.app.meta.frames - 1), every: whole(this.every), turns: whole(this.turns), rate: whole(this.rate), format: this.format.value };
        const isSound = wish.from <= wish.to && wish.every >= 1 && wish.turns >= 2 && wish.rate >= 1 && wish.rate <= 120;
        return isSound ? wish : "a film goes from one frame to a later one, every 1 or more, with 1 to 120 pictures a second";
    }
    async run() {
        const wish = this.wish();
        if (typeof wish === "string") {
            return this.app.message(wish);
        }
        this.isStopped = false;
        this.make.disabled = true;
        try {
            const film = await filmOf(this.app, wish, (done, whole) => {
                this.progress.textContent = `picture ${done} of ${whole}`;
                return !this.isStopped;
            });
            if (film) {
                const size = (film.blob.size / 1e6).toPrecision(2);
                this.progress.textContent = `${film.pictures} pictures of ${film.width} × ${film.height}, ${size} MB`;
                const link = element("a", { href: URL.createObjectURL(film.blob), download: `${fileName(this.app.meta.title)}.${wish.format}` });
                link.click();
                this.film = film;
            }
        } catch (error) {
            this.app.message(`no film: ${error.message}`);
        }
        this.make.disabled = false;
    }
}
