// search.js -- finds bodies by their names in the scene, as one types.
import { element } from "./format.js";

const SHOWN = 8;

// Rows of the bodies whose name holds the text, those that begin with it first, in the order of the
// run; whole is how many there are. Capitals do not matter.
export function namesLike(bodies, text, most = SHOWN) {
    const wanted = text.trim().toLowerCase();
    const [heads, others] = [[], []];
    for (let k = 0; wanted && k < bodies.count; k++) {
        const at = bodies.name(k).toLowerCase().indexOf(wanted);
        at === 0 ? heads.push(k) : at > 0 && others.push(k);
    }
    const exact = heads.filter((k) => bodies.name(k).toLowerCase() === wanted);
    const rest = [...heads.filter((k) => !exact.includes(k)), ...others];
    return { rows: [...exact, ...rest].slice(0, most), whole: heads.length + others.length };
}

export class Search {
    constructor(app) {
        this.app = app;
        this.input = element("input", { type: "text", id: "search", placeholder: "name of a body  ( / )", autocomplete: "off", spellcheck: "false", oninput: () => this.fill() });
        this.input.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && this.found?.rows.length) {
                this.choose(this.found.rows[0]);
            }
        });
        this.list = element("ul", { hidden: true });
        this.box = element("div.search", {}, this.input, this.list);
    }
    fill() {
        const { bodies } = this.app;
        this.found = namesLike(bodies, this.input.value);
        const { rows, whole } = this.found;
        const items = rows.map((k, n) => element(n ? "li" : "li.first", { onclick: () => this.choose(k) }, bodies.name(k)));
        if (whole > rows.length) {
            items.push(element("p.note", {}, `and ${whole - rows.length} more`));
        } else if (this.input.value.trim() && !whole) {
            items.push(element("p.note", {}, "no body has this in its name"));
        }
        this.list.replaceChildren(...items);
        this.list.hidden = items.length === 0;
    }
    choose(k) {
        this.input.value = this.app.bodies.name(k);
        this.list.hidden = true;
        this.input.blur();
        return this.app.find(k);
    }
}
