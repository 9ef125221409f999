// beside.js -- two results beside each other: each in a frame of its own with the whole application,
// which this page keeps at the same time, camera, colours and range.
import { element } from "./format.js";
import { rangeOf } from "./fields.js";

const OWN = new Set(["selected", "node", "hidden", "frame", "camera", "plots"]); // of each result alone

// Whether this page shows two results, of which each frame shows one.
export function isBeside() {
    return new URLSearchParams(location.search).has("beside");
}

function addressOf(which) {
    const query = new URLSearchParams(location.search);
    query.delete("beside");
    query.set("result", which);
    return `${location.pathname}?${query}${location.hash}`;
}

export class Beside {
    constructor(box, report) {
        this.report = report;
        this.frames = [0, 1].map((k) => element("iframe", { src: addressOf(k), title: `result ${k + 1}` }));
        box.replaceChildren(...this.frames);
        box.hidden = false;
    }
    async begin() {
        this.apps = await Promise.all(this.frames.map((frame) => this.appOf(frame)));
        this.apps.forEach((app, k) => this.link(app, this.apps[1 - k]));
        this.apps[1].controls.box.classList.add("folded");
        await this.apps[1].goToTime(this.apps[0].time);
        await this.fit();
    }
    async appOf(frame) {
        for (;;) {
            const { ready, error, app } = frame.contentWindow.__cairn ?? {};
            if (ready || error) {
                if (error) {
                    throw new Error(error);
                }
                return app;
            }
            await new Promise((done) => setTimeout(done, 50));
        }
    }
    // Both look at what holds both.
    async fit() {
        if (this.apps[0].dim !== this.apps[1].dim) {
            return; // a plane and space have no view in common
        }
        const boxes = this.apps.map((app) => app.stage.box);
        const low = boxes[0].low.map((x, k) => Math.min(x, boxes[1].low[k]));
        const high = boxes[0].high.map((x, k) => Math.max(x, boxes[1].high[k]));
        for (const app of this.apps) {
            app.stage.setBox(low, high);
            app.stage.fit();
        }
    }
    link(app, other) {
        app.onSet = (changes) => {
            const shared = Object.fromEntries(Object.entries(changes).filter(([key]) => !OWN.has(key)));
            if (Object.keys(shared).length) {
                const copy = shared.layers ? { ...shared, layers: new Set(shared.layers) } : shared;
                this.follow(() => other.set(copy));
            }
        };
        app.onShow = (time) => this.follow(() => other.goToTime(time));
        const isAlike = app.dim === other.dim;
        app.stage.listeners.push(() => isAlike && this.follow(() => other.stage.setCameraState(app.stage.cameraState())));
        app.rangeWith = (own) => (other.ownRange && other.state.colour === app.state.colour ? rangeOf([{ values: [...own, ...other.ownRange], counts: () => true }]) : own);
        app.onRange = (range) => other.range && other.range.some((x, k) => x !== range[k]) && !other.state.range && this.follow(() => other.refresh());
    }
    // What one does because the other did it is not told back: both call their hooks before they wait.
    follow(act) {
        if (!this.isFollowing) {
            this.isFollowing = true;
            try {
                act();
            } finally {
                this.isFollowing = false;
            }
        }
    }
}
