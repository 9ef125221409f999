// format.js -- numbers for people, and small helpers for elements. Text from files is only ever set
// as text, never as HTML.

export function number(x, digits = 5) {
    if (x === null || x === undefined || Number.isNaN(x)) {
        return "–";
    }
    if (x === 0) {
        return "0";
    }
    const size = Math.abs(x);
    const text = size >= 1e-3 && size < 1e6 ? String(+x.toPrecision(digits)) : x.toExponential(digits - 2).replace("e+", "e");
    return text.replace("-", "−");
}

// element("div.card", {title: "..."}, child, "text", ...)
export function element(what, attributes = {}, ...children) {
    const [tag, ...classes] = what.split(".");
    const made = document.createElement(tag);
    made.className = classes.join(" ");
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) {
            made.addEventListener(name.slice(2), value);
        } else if (value !== undefined && value !== false) {
            made.setAttribute(name, value === true ? "" : value);
        }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

export function choice(options, value, onchange, attributes = {}) {
    const made = element("select", { ...attributes, onchange: () => onchange(made.value) });
    for (const [key, title] of options) {
        made.append(element("option", { value: key }, title));
    }
    made.value = value;
    return made;
}

// Round numbers within a range, about `count` of them.
export function ticks(low, high, count) {
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) {
        return [low];
    }
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((x) => x * power >= rough * 0.999);
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) {
        out.push(k * step);
    }
    return out;
}
