// site.js -- the search: pages and headings that hold all words, those with the words in their names first.
const input = document.getElementById("search");
const found = document.getElementById("found");
const article = document.querySelector("article");
const SHOWN = 30;

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

// How well a part suits the words, 0: not at all.
function weight([page, title, name, heading, text], words) {
    const [where, content] = [`${title} ${heading}`.toLowerCase(), text.toLowerCase()];
    let sum = 0;
    for (const word of words) {
        const inHeading = heading.toLowerCase().includes(word);
        const times = content.split(word).length - 1;
        if (!where.includes(word) && times === 0) {
            return 0;
        }
        sum += (inHeading ? 12 : where.includes(word) ? 4 : 0) + Math.min(times, 5);
    }
    return page.includes("CHANGELOG") ? 0.2 * sum : sum;
}

function excerpt(text, words) {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((k) => k >= 0)) - 60 || 0);
    const part = escaped((at > 0 ? "… " : "") + text.slice(Number.isFinite(at) ? at : 0, (Number.isFinite(at) ? at : 0) + 220));
    const pattern = words.map((word) => escaped(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    return part.replace(new RegExp(pattern, "gi"), (word) => `<mark>${word}</mark>`);
}

function search() {
    const words = wordsOf(input.value);
    found.hidden = words.length === 0;
    article.hidden = !found.hidden;
    if (!words.length) {
        return;
    }
    const hits = INDEX.map((part) => [weight(part, words), part]).filter(([w]) => w > 0);
    hits.sort((a, b) => b[0] - a[0]);
    const rows = hits.slice(0, SHOWN).map(([, [page, title, name, heading, text]]) => {
        const where = heading && heading !== title ? `${title}: ${heading}` : title;
        return `<li><a href="${ROOT}${page}${name ? `#${encodeURIComponent(name)}` : ""}">${escaped(where)}</a><p>${excerpt(text, words)}</p></li>`;
    });
    found.innerHTML = rows.join("") || "<li>nothing has all of these words</li>";
}

input.addEventListener("input", search);
found.addEventListener("click", (event) => {
    if (event.target.closest("a")) {
        input.value = "";
        search();
    }
});
document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
        event.preventDefault();
        input.focus();
    } else if (event.key === "Escape") {
        input.value = "";
        search();
        input.blur();
    }
});
document.getElementById("menu").addEventListener("click", () => document.querySelector("nav").classList.toggle("shown"));
