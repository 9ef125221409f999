// browser.mjs -- cases that run in one browser, one page each, against results in the current folder.
// An argument chooses cases by name. Any error on a page fails its case.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import puppeteer from "../../viewer/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js";

const PATIENCE = 60000; // [ms]
const SIZE = { width: 640, height: 360 };
let failures = 0;
let caseName = "";

function check(isTrue, what) {
    if (!isTrue) {
        failures++;
        console.log(`${caseName}: ${what}`);
    }
}

function near(value, exact, tolerance, what) {
    check(Math.abs(value - exact) <= tolerance * Math.max(1, Math.abs(exact)), `${what} is ${value}, in the file ${exact}`);
}

function table(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
    const names = head.split(",");
    return lines.map((line) => Object.fromEntries(line.split(",").map((value, k) => [names[k], value])));
}

// Waits for a file that another program makes.
async function appears(path) {
    const end = Date.now() + PATIENCE;
    const watcher = watch(".");
    while (!existsSync(path) && Date.now() < end) {
        await Promise.race([new Promise((done) => watcher.once("change", done)), new Promise((done) => setTimeout(done, 1000))]);
    }
    watcher.close();
}

// Starts a program; `first` is the first line that it prints.
function start(...args) {
    const child = spawn(process.env.CAIRN, args, { stdio: ["ignore", "pipe", "inherit"] });
    const first = new Promise((done, fail) => {
        child.stdout.once("data", (data) => done(String(data).trim()));
        child.once("exit", (code) => fail(new Error(`cairn ${args.join(" ")} ended with ${code}`)));
    });
    first.catch(() => {});
    const ended = new Promise((done) => child.once("exit", done));
    return { child, first, ended, stop: () => (child.kill("SIGTERM"), ended) };
}

const profile = mkdtempSync(join(tmpdir(), "cairn-browser-"));
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM,
    userDataDir: profile,
    args: [
        "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
    ],
    defaultViewport: SIZE,
    protocolTimeout: 2 * PATIENCE,
});

// Opens an address and waits for the picture; what goes wrong on the page is a failure of the case.
async function open(address, { before, mayFail } = {}) {
    const page = await browser.newPage();
    page.errors = [];
    page.on("pageerror", (error) => page.errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
    if (before) {
        await page.evaluateOnNewDocument(before);
    }
    await page.goto(address, { timeout: PATIENCE });
    await page.waitForFunction("window.__cairn && (window.__cairn.ready || window.__cairn.error)", { timeout: PATIENCE });
    page.report = () => page.evaluate(() => (({ app, ...rest }) => rest)(window.__cairn));
    page.app = (text) => page.evaluate(`(async () => { const app = window.__cairn.app; ${text} })()`);
    page.done = async () => {
        const { error } = await page.report();
        if (!mayFail) {
            check(!error, `error on the page: ${error}`);
            check(page.errors.length === 0, `errors of the page: ${page.errors.join("; ")}`);
        }
        await page.close();
    };
    return page;
}

async function view(path, work, { hash = "", args = [] } = {}) {
    const server = start("view", path, "--no-open", ...args);
    try {
        const page = await open((await server.first) + hash);
        await work(page, server);
        await page.done();
    } finally {
        await server.stop();
    }
}

// Colours of the picture itself, without the panels: a few numbers about it.
async function pixels(page) {
    return page.evaluate(() => {
        const app = window.__cairn.app;
        app.stage.drawNow();
        const gl = app.stage.renderer.getContext();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const data = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
        const colours = new Set();
        let covered = 0;
        let hash = 0;
        for (let k = 0; k < data.length; k += 4) {
            covered += data[k + 3] > 200 ? 1 : 0;
            colours.add((data[k] >> 3) * 1024 + (data[k + 1] >> 3) * 32 + (data[k + 2] >> 3));
            hash = (hash * 31 + data[k] + 7 * data[k + 1] + 49 * data[k + 2] + 3 * data[k + 3]) % 1000000007;
        }
        return { colours: colours.size, covered: covered / (w * h), hash };
    });
}

// Colour of the picture at a place of the window, 0 to 255.
async function pixelAt(page, [x, y]) {
    return page.evaluate(
        ([px, py]) => {
            const app = window.__cairn.app;
            app.stage.drawNow();
            const gl = app.stage.renderer.getContext();
            const box = app.stage.canvas.getBoundingClientRect();
            const ratio = gl.drawingBufferWidth / box.width;
            const out = new Uint8Array(4);
            gl.readPixels((px - box.left) * ratio, gl.drawingBufferHeight - (py - box.top) * ratio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
            return [...out];
        },
        [x, y],
    );
}

// Where a body is in the window.
const placeOf = (page, id) => page.app(`const k = app.rowOfId("${id}"); return app.stage.project(app.bodies.pose.subarray(8 * k, 8 * k + 3));`);

async function moveSlider(page, value) {
    await page.evaluate((wanted) => {
        const slider = document.getElementById("slider");
        slider.value = wanted;
        slider.dispatchEvent(new Event("input"));
    }, value);
    await page.waitForFunction((wanted) => window.__cairn.frame === wanted, { timeout: PATIENCE }, value);
}

async function pick(page, id) {
    await page.keyboard.press("Escape"); // a panel would lie over the scene
    const [x, y] = await placeOf(page, id);
    await page.mouse.click(x, y);
    // The panel comes with the contacts, a request later.
    const isThere = (title) => !document.getElementById("inspector").hidden && document.querySelector("#inspector h2")?.dataset.id === title;
    await page.waitForFunction(isThere, { timeout: 10000 }, id).catch(() => {});
    return page.evaluate(() => {
        const panel = document.getElementById("inspector");
        const facts = {};
        panel.querySelectorAll("[data-key]").forEach((cell) => (facts[cell.dataset.key] = cell.dataset.value.split(" ")));
        const contacts = [...panel.querySelectorAll("[data-other]")].map((row) => ({ ...row.dataset }));
        return { isShown: !panel.hidden, title: panel.querySelector("h2")?.textContent, id: panel.querySelector("h2")?.dataset.id, facts, contacts, text: panel.textContent };
    });
}

// The panel of a body against the tables that `cairn export --csv` wrote.
function comparePanel(panel, name, dim, frame, id) {
    const body = table(`${name}-export/bodies.csv`).find((row) => +row.frame === frame && row.id === id);
    const axes = ["x", "y", "z"].slice(0, dim);
    axes.forEach((axis, k) => near(+panel.facts.position[k], +body[axis], 1e-6, `${axis} of body ${id}`));
    axes.forEach((axis, k) => near(+panel.facts.velocity[k], +body[`v${axis}`], 1e-4, `velocity ${axis} of body ${id}`));
    near(+panel.facts.spin[dim === 2 ? 0 : 2], +body[dim === 2 ? "spin" : "wz"], 1e-4, `spin of body ${id}`);
    check(panel.facts.group[0] === body.group, `group is ${panel.facts.group[0]}, in the file ${body.group}`);
    const own = table(`${name}-export/contacts.csv`).filter((row) => +row.frame === frame && [row.id_i, row.id_j].includes(id));
    check(panel.contacts.length === own.length && own.length > 0, `${panel.contacts.length} contacts in the panel, ${own.length} in the file`);
    const strong = (list) => list.sort((a, b) => Math.abs(b.r_n) - Math.abs(a.r_n) || a.gap - b.gap);
    const shown = strong(panel.contacts.map((row) => ({ other: row.other, r_n: +row.impulse.split(" ")[0], r_t: +row.impulse.split(" ")[1], gap: +row.gap, status: row.status })));
    strong(own.map((row) => ({ other: row.id_i === id ? row.id_j : row.id_i, r_n: +row.r_n, r_t: dim === 2 ? Math.abs(+row.r_t) : Math.hypot(+row.r_t1, +row.r_t2), gap: +row.gap, status: row.status }))).forEach((row, k) => {
        near(shown[k].r_n, row.r_n, 1e-4, `normal impulse of contact ${k} of body ${id}`);
        near(shown[k].r_t, row.r_t, 1e-4, `friction impulse of contact ${k} of body ${id}`);
        check(shown[k].other === row.other && shown[k].status === row.status, `contact ${k} of body ${id}: ${JSON.stringify(shown[k])}, in the file ${JSON.stringify(row)}`);
    });
}

// Arrays of the meshes that `cairn export --paraview` wrote: nodes in the order of the page.
function meshFile(name, frame) {
    const bytes = readFileSync(`${name}-export/meshes_${String(frame).padStart(4, "0")}.vtu`);
    const head = bytes.subarray(0, bytes.indexOf("<AppendedData")).toString();
    const data = bytes.indexOf("_", bytes.indexOf("<AppendedData")) + 1;
    const read = (key) => {
        const [, type, offset] = new RegExp(`type="(\\w+)" Name="${key}"[^>]*offset="(\\d+)"`).exec(head);
        const at = data + Number(offset);
        const count = (k) => Number(bytes.readBigUInt64LE(at + 8 * k)); // of blocks, their size, the last one's, then of each compressed
        const parts = [];
        for (let k = 0, from = at + 8 * (3 + count(0)); k < count(0); from += count(3 + k), k++) {
            parts.push(inflateSync(bytes.subarray(from, from + count(3 + k))));
        }
        const whole = new Uint8Array(Buffer.concat(parts)).buffer;
        return [...(type === "Float64" ? new Float64Array(whole) : new Float32Array(whole))];
    };
    return { x: read("Points"), displacement: read("displacement"), velocity: read("velocity"), stress: read("stress"), mises: read("mises") };
}

// Nodes and their fields on the page against the file. Displacements of centimetres are differences of
// places of a metre in single precision.
async function compareMesh(page, name, dim, frame, tolerance = 1e-5) {
    const file = meshFile(name, frame);
    const shown = await page.app(`
        await app.set({colour: "mises", range: null});
        const value = (key) => [...app.frame[key].data];
        const names = ["mises", "speed", "displacement", "sxx"];
        const fields = {};
        for (const colour of names) {
            await app.set({colour, range: null});
            fields[colour] = {range: app.range, level: [...app.meshes.level]};
        }
        return {at: value("node.at"), rate: value("node.rate"), stress: value("node.stress"), fields};`);
    const worst = (a, b, what) => {
        const size = Math.max(...b.map(Math.abs)) || 1;
        const off = Math.max(...b.map((value, k) => Math.abs(a[k] - value))) / size;
        check(a.length === b.length && off < tolerance, `${what} of ${name}: ${a.length} numbers, ${b.length} in the file, off by ${off}`);
    };
    worst(shown.at, file.x, "places");
    worst(shown.rate, file.velocity, "velocities");
    worst(shown.stress, file.stress, "stresses");
    const norms = (list) => file.mises.map((m, k) => Math.hypot(...list.slice(3 * k, 3 * k + 3)));
    const exact = { mises: file.mises, speed: norms(file.velocity), displacement: norms(file.displacement), sxx: file.mises.map((m, k) => file.stress[6 * k]) };
    for (const [field, { range, level }] of Object.entries(shown.fields)) {
        const values = level.map((t) => range[0] + t * (range[1] - range[0]));
        worst(values, exact[field], `colours by ${field}`);
    }
}

// Pictures of a film in a page of its own: how many, how long, and 400 colours of each.
async function playBack(address, format) {
    const page = await browser.newPage();
    try {
        await page.goto(`file://${resolve("blank.html")}`); // a file: decoders need an origin to trust
        return await page.evaluate(async (data, kind) => {
            const coloursOf = (image, width, height) => {
                const canvas = new OffscreenCanvas(width, height).getContext("2d");
                canvas.drawImage(image, 0, 0);
                const { data: all } = canvas.getImageData(0, 0, width, height);
                return Array.from({ length: 400 }, (_, n) => [...all.subarray(4 * Math.floor((n * all.length) / 1600), 4 * Math.floor((n * all.length) / 1600) + 3)]);
            };
            if (kind === "gif") {
                const decoder = new ImageDecoder({ data: await (await fetch(data)).arrayBuffer(), type: "image/gif" });
                await decoder.tracks.ready;
                const { frameCount } = decoder.tracks.selectedTrack;
                const out = { count: frameCount, seconds: 0, colours: [] };
                for (let k = 0; k < frameCount; k++) {
                    const { image } = await decoder.decode({ frameIndex: k });
                    Object.assign(out, { width: image.displayWidth, height: image.displayHeight, seconds: out.seconds + image.duration / 1e6 });
                    out.colours.push(coloursOf(image, out.width, out.height));
                }
                return out;
            }
            const film = document.createElement("video");
            film.muted = true;
            film.src = data;
            await new Promise((done, fail) => [(film.onloadeddata = done), (film.onerror = () => fail(new Error(film.error.message)))]);
            const out = { seconds: film.duration, width: film.videoWidth, height: film.videoHeight, colours: [] };
            for (let k = 0; (k + 0.5) / 10 < film.duration; k++) {
                film.currentTime = (k + 0.5) / 10;
                await new Promise((done) => (film.onseeked = done));
                out.colours.push(coloursOf(film, out.width, out.height));
            }
            return { ...out, count: out.colours.length };
        }, address, format);
    } finally {
        await page.close();
    }
}

const cases = {
    async counts_and_pixels_in_the_plane() {
        await view("plane.h5", async (page) => {
            const rows = table("plane-export/bodies.csv").filter((row) => row.frame === "0");
            const report = await page.report();
            check(report.bodies === rows.length && report.joints === 1, `${report.bodies} bodies, ${report.joints} joints`);
            const seen = await pixels(page);
            check(seen.colours > 10 && seen.covered > 0.1, `an empty picture: ${JSON.stringify(seen)}`);
            // The box is of the colour of its group; above it there is nothing.
            const [x, y] = await placeOf(page, "5");
            const inside = await pixelAt(page, [x, y]);
            const above = await pixelAt(page, [x, 8]);
            check(inside[3] > 250 && inside[0] > 100, `inside a box: ${inside}`);
            check(above[3] < 10, `above everything: ${above}`);
            check((await page.$eval("#title h1", (e) => e.textContent)) === "Every shape in the plane", "the title");
            await moveSlider(page, 3);
            const later = await page.report();
            const contacts = table("plane-export/contacts.csv").filter((row) => row.frame === "3").length;
            check(later.contacts === contacts, `${later.contacts} contacts in frame 3, ${contacts} in the file`);
            check((await page.$eval("#time", (e) => e.textContent)).startsWith("0.06 s"), "the time beside the slider");
            comparePanel(await pick(page, "5"), "plane", 2, 3, "5");
            comparePanel(await pick(page, "6"), "plane", 2, 3, "6");
            const panel = await pick(page, "3");
            near(+panel.facts.mass[0], Math.PI * 0.2 * 0.2 * 2000, 1e-9, "mass of the disk");
            check(panel.title === "disk" && panel.text.includes("kg"), `panel: ${panel.title}`);
            await page.keyboard.press("Escape");
            check(await page.$eval("#inspector", (e) => e.hidden), "Escape does not close the panel");
        });
    },
    async counts_and_pixels_in_space() {
        await view("space.h5", async (page) => {
            const rows = table("space-export/bodies.csv").filter((row) => row.frame === "0");
            const report = await page.report();
            check(report.bodies === rows.length && report.joints === 2, `${report.bodies} bodies, ${report.joints} joints`);
            const title = await page.$eval("#title h1", (e) => [e.textContent, e.childElementCount]);
            check(title[0].includes("<b>") && title[1] === 0, "a title is text, never HTML");
            const seen = await pixels(page);
            check(seen.colours > 60 && seen.covered > 0.2, `a picture without light: ${JSON.stringify(seen)}`);
            await moveSlider(page, 5);
            comparePanel(await pick(page, "2"), "space", 3, 5, "2"); // the sphere
            comparePanel(await pick(page, "4"), "space", 3, 5, "4"); // the upper box
            const panel = await pick(page, "2");
            near(+panel.facts.mass[0], (4 / 3) * Math.PI * 0.3 ** 3 * 2000, 1e-9, "mass of the sphere");
        });
    },
    async every_shape_can_be_picked() {
        await view("space.h5", async (page) => {
            // From above nothing hides anything but the lower box; each kind of shape answers to its centre.
            await page.app('await app.look("top");');
            for (const id of ["2", "4", "5", "6", "7", "8", "10", "12", "15"]) {
                const panel = await pick(page, id);
                check(panel.id === id, `at the place of body ${id} there is ${panel.id}, ${panel.title}`);
            }
        }, { hash: "#fixed=open&colour=mass" }); // names of groups would lie over some of them
    },
    async layers_change_the_picture() {
        for (const [name, path] of [["plane", "plane.h5"], ["space", "space.h5"]]) {
            await view(path, async (page) => {
                await moveSlider(page, 5);
                let last = (await pixels(page)).hash;
                // An opening needs bodies that part; those of these scenes do not.
                for (const layer of ["contacts", "chains", "forces", "velocities", "patches", "joints", "edges"]) {
                    await page.app(`await app.toggle("${layer}");`);
                    const now = (await pixels(page)).hash;
                    check(now !== last, `${layer} shows nothing (${name})`);
                    last = now;
                }
                for (const change of ['{colour: "speed"}', '{map: "sand"}', "{clip: {axis: 0, at: 0.4, isFlipped: false}}", "{clip: null}", ...(name === "space" ? ["{opacity: 0.4}", "{parallel: true}", '{fixed: "solid"}', '{fixed: "hidden"}'] : [])]) {
                    await page.app(`await app.set(${change});`);
                    const now = (await pixels(page)).hash;
                    check(now !== last, `${change} changes nothing (${name})`);
                    last = now;
                }
            });
        }
    },
    async legend_tells_the_range() {
        await view("plane.h5", async (page) => {
            const scale = await page.$eval("#legend .scale", (e) => ({ ...e.dataset }));
            const speeds = table("plane-export/bodies.csv").filter((row) => row.frame === "2").map((row) => Math.hypot(+row.vx, +row.vy));
            near(+scale.high, Math.max(...speeds), 1e-4, "upper end of the legend");
            await page.app("await app.set({range: [0, 2]});");
            check((await page.$eval("#legend .scale", (e) => e.dataset.high)) === "2", "a chosen range is not in the legend");
        }, { hash: "#f=2&colour=speed" });
    },
    async openings_are_what_has_parted() {
        await view("plane.h5", async (page) => {
            // The lid flies up from the ground, which it touched in frame 0.
            const rise = (frame) => +table("plane-export/bodies.csv").find((row) => row.frame === frame && row.group === "lid").y;
            const scale = await page.$$eval("#legend .scale", (all) => all.map((e) => ({ ...e.dataset, text: e.textContent })).find((e) => e.text.includes("Opening")));
            near(+scale?.high, rise("1") - rise("0"), 1e-5, "widest opening");
        }, { hash: "#f=1&show=openings" });
    },
    async the_address_keeps_the_view() {
        await view("space.h5", async (page, server) => {
            await page.app('app.set({colour: "displacement", clip: {axis: 2, at: 0.1, isFlipped: true}, scale: 2, theme: "dark"}); app.toggle("chains"); app.toggleGroup(3); await app.goTo(4); await app.look("right"); app.stage.setCameraState(app.stage.cameraState());');
            await pick(page, "2");
            await page.waitForFunction(() => location.hash === window.__cairn.app.address(), { timeout: PATIENCE }); // it follows a little later
            const state = () => page.app("const {layers, hidden, ...rest} = app.state; return {...rest, hidden: [...hidden], layers: [...layers].sort()};");
            const [before, image] = [await state(), (await pixels(page)).hash];
            const address = await page.evaluate(() => location.href);
            const again = await open(address);
            const after = await again.app("const {layers, hidden, ...rest} = app.state; return {...rest, hidden: [...hidden], layers: [...layers].sort()};");
            check(JSON.stringify(before) === JSON.stringify(after), `the view was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`);
            check(image === (await pixels(again)).hash, "the same address gives another picture");
            await again.done();
            const broken = await open((await server.first) + "#f=-5&colour=nothing&range=a,b&cam=1,2&clip=q&show=%E0%A4%A&body=x&plots=none");
            check((await broken.report()).ready, "a broken address stops the page");
            await broken.done();
        });
    },
    async plots_follow_the_time() {
        await view("plane.h5", async (page) => {
            await page.keyboard.press("l");
            await page.waitForFunction(() => document.querySelectorAll("[data-points]").length === 2, { timeout: PATIENCE });
            const steps = table("plane-export/history.csv").length;
            const points = await page.$eval('[data-plot="residual"]', (e) => +e.dataset.points);
            check(points > 0 && points % steps === 0, `${points} points for ${steps} steps`);
            await moveSlider(page, 4);
            near(+(await page.$eval('[data-plot="energy"]', (e) => e.dataset.cursor)), 0.08, 1e-9, "time of the cursor");
            const box = await (await page.$('[data-plot="energy"] canvas')).boundingBox();
            await page.mouse.click(box.x + 64, box.y + 30);
            await page.waitForFunction(() => window.__cairn.frame === 0, { timeout: 5000 }).catch(() => {});
            check((await page.report()).frame === 0, "a click on the left of a plot does not go to the start");
            // Any series, with the values of the file.
            await page.app('await app.plots.add("series/bob.x");');
            await page.waitForFunction(() => document.querySelector('[data-plot="series/bob.x"]')?.dataset.points, { timeout: PATIENCE });
            const shown = await page.app("return [...app.plots.list[2].curves[0].points];");
            const file = table("plane-export/series.csv").map((row) => +row["bob.x"]);
            check(shown.length === 2 * file.length, `${shown.length / 2} points of the series, ${file.length} in the file`);
            near(shown[shown.length - 1], file[file.length - 1], 1e-6, "last value of the series");
        });
    },
    async groups_can_be_hidden() {
        await view("plane.h5", async (page) => {
            const before = (await pixels(page)).hash;
            const [x, y] = await placeOf(page, "5");
            await page.app('await app.toggleGroup(app.meta.groups.indexOf("box"));');
            check((await pixels(page)).hash !== before, "a hidden group is still seen");
            await page.mouse.click(x, y); // what it picks is known when the page has seen it
            check((await page.app("return app.state.selected;")) === null, "a hidden body can be picked");
            await page.$$eval("#legend .choice", (all) => all.find((e) => e.textContent === "box").click());
            await page.waitForFunction(() => window.__cairn.app.state.hidden.size === 0, { timeout: 10000 }).catch(() => {});
            check((await pixels(page)).hash === before, "a click on the legend does not bring it back");
        });
    },
    async keys_play_help_and_picture() {
        await view("plane.h5", async (page) => {
            await page.keyboard.press("End");
            await page.waitForFunction(() => window.__cairn.frame === 5, { timeout: PATIENCE });
            await page.keyboard.press("ArrowLeft");
            await page.waitForFunction(() => window.__cairn.frame === 4, { timeout: PATIENCE });
            await page.keyboard.press("Home");
            await page.waitForFunction(() => window.__cairn.frame === 0, { timeout: PATIENCE });
            await page.keyboard.press(" ");
            await page.waitForFunction(() => window.__cairn.frame === 5, { timeout: PATIENCE });
            await page.keyboard.press("?");
            const help = await page.$eval("#help", (e) => (e.hidden ? "" : e.textContent));
            check(help.includes("Save a picture") && help.includes("Force chains"), "no help on keys");
            await page.keyboard.press("Escape");
            await page.keyboard.press("c");
            check(await page.$eval("#layer-contacts", (e) => e.checked), "the key of contacts and its box disagree");
            await page.keyboard.press("s");
            check((await page.report()).picture > 5000, "no picture was made");
        });
    },
    async one_page_holds_all() {
        for (const [name, dim, id] of [["plane", 2, "5"], ["space", 3, "2"]]) {
            const page = await open(`file://${resolve(`${name}-export/view.html`)}#f=3`);
            const rows = table(`${name}-export/bodies.csv`).filter((row) => row.frame === "3");
            const report = await page.report();
            check(report.ready && report.bodies === rows.length && report.frame === 3, `${name}: ${JSON.stringify(report)}`);
            check((await pixels(page)).covered > 0.1, `${name}: an empty picture`);
            comparePanel(await pick(page, id), name, dim, 3, id);
            await page.keyboard.press("l");
            await page.waitForFunction(() => document.querySelectorAll("[data-points]").length === 2, { timeout: PATIENCE });
            await page.done();
        }
    },
    async nothing_and_almost_nothing() {
        for (const [path, bodies] of [["empty2.h5", 0], ["empty3.h5", 0], ["one.h5", 1]]) {
            await view(path, async (page) => {
                const report = await page.report();
                check(report.ready && report.bodies === bodies && report.contacts === 0, `${path}: ${JSON.stringify(report)}`);
                for (const layer of ["contacts", "chains", "forces", "velocities", "patches", "openings"]) {
                    await page.app(`await app.toggle("${layer}");`);
                }
                for (const colour of await page.app('return [...document.querySelectorAll("#colour option")].map((o) => o.value);')) {
                    await page.app(`await app.set({colour: "${colour}"});`);
                }
                await page.keyboard.press("l");
                await page.keyboard.press(" ");
                await page.keyboard.press("r");
                await page.mouse.click(320, 150);
                await page.app("await app.nextClip();");
            });
        }
    },
    async bodies_come_and_go() {
        await view("guests.h5", async (page) => {
            for (const [frame, bodies] of [[0, 2], [2, 3], [3, 2], [1, 2]]) {
                await moveSlider(page, frame);
                check((await page.report()).bodies === bodies, `${(await page.report()).bodies} bodies in frame ${frame}`);
            }
            await moveSlider(page, 2);
            const panel = await pick(page, "2");
            check(panel.title === "body 2", `picked ${panel.title}`);
            await moveSlider(page, 3);
            check(await page.$eval("#inspector", (e) => e.hidden), "the panel of a body that is gone stays");
        });
    },
    async far_from_the_origin() {
        await view("far.h5", async (page) => {
            const panel = await pick(page, "2");
            near(+panel.facts.position[0], 500000, 1e-12, "place of a body far away");
            near(+panel.facts.position[2], 0.1, 1e-5, "its height");
        });
    },
    async two_thousand_spheres() {
        await view("spheres.h5", async (page) => {
            const report = await page.report();
            check(report.bodies === 2001, `${report.bodies} bodies`);
            check((await pixels(page)).colours > 60, "no spheres");
        });
    },
    // Where a processor draws, balls of a crowd are points: of the same colour, in the same place, to be picked.
    async a_crowd_is_drawn_as_points() {
        await view("crowd.h5", async (page) => {
            check((await page.app("return app.stage.drawsBalls;")) === false, "balls of a crowd are drawn in full by a processor");
            await page.app('await app.look("top");');
            const top = await page.app("let best = -1; for (let k = 0; k < app.bodies.count; k++) { best = best < 0 || app.bodies.pose[8 * k + 2] > app.bodies.pose[8 * best + 2] + 1e-6 ? k : best; } return app.bodies.id(best);");
            const [x, y] = await placeOf(page, top);
            const middle = await pixelAt(page, [x, y]);
            check(middle[2] > 150 && middle[2] > middle[0] + 20, `a ball of the first group is ${middle}`);
            check((await pick(page, top)).id === top, "a point cannot be picked");
            const size = () => page.app("return app.stage.renderer.getContext().drawingBufferWidth;");
            const still = await size();
            await page.keyboard.press("Escape");
            await page.mouse.move(480, 150);
            await page.mouse.down();
            await page.mouse.move(500, 160);
            check((await size()) * 2 === still, "as many pixels while the camera moves");
            await page.mouse.up();
            check((await size()) === still, "fewer pixels after the camera has moved");
        });
    },
    async a_run_is_followed() {
        const run = start("run", "long.yaml", "-o", "long.h5", "-q");
        try {
            await appears("long.h5");
            await view("long.h5", async (page) => {
                check(await page.$eval(".live", (e) => !e.hidden), "nothing says that the run goes on");
                const before = await page.app("return app.meta.frames;");
                await page.waitForFunction((n) => window.__cairn.frame >= n, { timeout: PATIENCE }, before);
                check((await page.app("return app.meta.frames;")) > before, "no new frames");
                check((await page.app('return app.frame["node.at"].count;')) === 9, "no nodes of the mesh");
            }, { args: ["--live"] });
        } finally {
            run.child.kill("SIGKILL");
        }
    },
    async meshes_show_their_fields() {
        for (const [name, dim] of [["soft", 2], ["soft3", 3]]) {
            await view(`${name}.h5`, async (page) => {
                await moveSlider(page, 5);
                await compareMesh(page, name, dim, 5);
                // The numbers of the file are also those of the colours, and each field has its own picture.
                const seen = new Set();
                for (const colour of ["group", "speed", "displacement", "mises", "greatest", "least", "mean", "sxx", "syy", "sxy"]) {
                    await page.app(`await app.set({colour: "${colour}", range: null});`);
                    seen.add((await pixels(page)).hash);
                }
                check(seen.size === 10, `${seen.size} pictures of 10 fields (${name})`);
                for (const layer of ["crosses", "velocities", "patches", "edges"]) {
                    const before = (await pixels(page)).hash;
                    await page.app(`await app.toggle("${layer}");`);
                    check((await pixels(page)).hash !== before, `${layer} of meshes shows nothing (${name})`);
                }
            });
            const page = await open(`file://${resolve(`${name}-export/view.html`)}#f=5&colour=mises`);
            await compareMesh(page, name, dim, 5, 2e-4);
            await page.done();
        }
    },
    // Shown places are reference + times * displacement; without the rigid motion the mean stays.
    async deformation_is_magnified() {
        await view("soft.h5", async (page) => {
            const { x, displacement } = meshFile("soft", 5);
            await page.evaluate(() => {
                const slider = document.getElementById("magnify");
                slider.value = 1;
                slider.dispatchEvent(new Event("input"));
            });
            await page.waitForFunction(() => window.__cairn.app.state.magnify === 10 && document.getElementById("times").textContent === "× 10", { timeout: PATIENCE });
            const shown = await page.app("return [...app.meshes.shown];");
            const worst = Math.max(...shown.map((value, k) => Math.abs(value - (x[k] + 9 * displacement[k]))));
            check(worst < 1e-5, `shown nodes are off by ${worst} m at times 10`);
            await page.app('await app.set({magnified: "shape"});');
            const mean = (list, first, count) => [0, 1].map((c) => list.filter((v, k) => k >= 3 * first && k < 3 * (first + count) && k % 3 === c).reduce((sum, v) => sum + v / count, 0));
            const [first, count] = await page.app("return app.meshes.nodes(2);"); // the wheel that flies
            const held = mean(await page.app("return [...app.meshes.shown];"), first, count);
            mean(x, first, count).forEach((value, c) => near(held[c], value, 1e-5, "place of the wheel without its motion"));
        }, { hash: "#f=5" });
    },
    async nodes_can_be_picked() {
        await view("soft.h5", async (page) => {
            const { displacement, stress } = meshFile("soft", 5);
            const [start] = await page.app("return app.meshes.nodes(app.meshes.ofBody[app.rowOfId('2')]);");
            const point = await page.app(`return app.stage.project(app.meshes.shown.subarray(3 * ${start + 20}, 3 * ${start + 20} + 3));`);
            await page.mouse.click(point[0], point[1]);
            await page.waitForFunction(() => document.querySelector('[data-key="node-stress"]'), { timeout: PATIENCE });
            const facts = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#inspector [data-key]")].map((cell) => [cell.dataset.key, cell.dataset.value.split(" ").map(Number)])));
            check(facts.node[0] === 20, `picked node ${facts.node}`);
            const dot = await pixelAt(page, point);
            check(dot[0] > 240 && dot[2] < 60, `no mark at the node that was picked: ${dot}`);
            [0, 1].forEach((c) => near(facts["node-displacement"][c], displacement[3 * (start + 20) + c], 1e-6, "displacement of the node"));
            [0, 1, 3].forEach((c, k) => near(facts["node-stress"][k === 2 ? 3 : c], stress[6 * (start + 20) + c], 1e-4, "stress of the node"));
        }, { hash: "#f=5&fixed=hidden&colour=mises" });
    },
    // The section of the cube: as large as the cube is there, with values of the nodes between them.
    async a_cut_shows_the_inside() {
        await view("soft3.h5", async (page) => {
            const before = (await pixels(page)).hash;
            await page.app("await app.set({clip: {axis: 0, at: 0.05, isFlipped: false}});");
            check((await pixels(page)).hash !== before, "a cut changes nothing");
            const area = await page.app(`
                const at = app.meshes.section.geometry.attributes.position.array;
                const body = app.meshes.section.geometry.attributes.body.array;
                const cube = app.rowOfId("3");
                let sum = 0;
                for (let t = 0; t < at.length; t += 9) {
                    if (body[t / 3] === cube) {
                        const [u, v] = [3, 6].map((n) => [1, 2].map((c) => at[t + n + c] - at[t + c]));
                        sum += 0.5 * Math.abs(u[0] * v[1] - u[1] * v[0]);
                    }
                }
                return sum;`);
            near(area, 0.36, 1e-6, "area of the section in frame 0");
        }, { hash: "#f=0&colour=mises" });
    },
    // A bar and samples of forces: as long and thick as what they stand for.
    async the_strip_measures() {
        for (const [path, hash] of [["plane.h5", "#f=3&show=chains,forces"], ["space.h5", "#f=5&show=chains,forces&parallel=1"], ["space.h5", "#f=5&show=chains"]]) {
            await view(path, async (page) => {
                const bar = await page.$eval("#legend .ruler span", (e) => ({ metres: +e.dataset.metres, pixels: e.parentElement.querySelector("div").getBoundingClientRect().width, text: e.textContent }));
                const pixels = await page.app(`
                    const way = app.stage.axes().map((row) => row[0]);
                    const from = app.stage.controls.target.toArray();
                    const [a, b] = [0, ${bar.metres}].map((s) => app.stage.project(from.map((x, k) => x + s * way[k])));
                    return Math.hypot(a[0] - b[0], a[1] - b[1]);`);
                near(bar.pixels, pixels, 1e-3, `pixels of the bar of ${bar.text}`);
                const samples = await page.$$eval("#legend .sample", (all) => all.map((e) => ({ kind: e.dataset.kind, most: +e.dataset.most, ...e.querySelector("span").dataset })));
                check(samples.length > 0, "no sample of forces");
                // The largest force of the file; one that is drawn in full, as thick as the sample says.
                const name = path.replace(".h5", "");
                const frame = +hash.slice(3, 4);
                const rows = table(`${name}-export/contacts.csv`).filter((row) => +row.frame === frame);
                const h = await page.app("return app.frame.head.data[2];");
                near(samples[0].most, Math.max(...rows.map((row) => Math.abs(+row.r_n))) / h, 1e-3, "largest normal force of the legend");
                const drawn = await page.app("const { rods } = app.layers.chains; return {width: Math.min(...rods.width.subarray(0, rods.used).filter((x) => x > 0)), size: app.stage.metresPerPixel};");
                const forces = rows.map((row) => Math.abs(+row.r_n) / h).filter((f) => f > 1e-3 * samples[0].most).sort((a, b) => a - b);
                near((2 * drawn.width) / drawn.size / forces[0], samples[0].pixels / samples[0].force, 0.02, "pixels per newton");
                const [strip, stage] = await page.evaluate(() => ["legend", "stage"].map((id) => document.getElementById(id).getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })));
                check(strip.top >= stage.bottom, "the legend lies over the scene");
                const sizes = await page.app("const { width, height, clientWidth, clientHeight } = app.stage.canvas; return [width / clientWidth, height / clientHeight];");
                check(Math.abs(sizes[0] - sizes[1]) < 0.01, `the picture is distorted by ${sizes}`);
            }, { hash });
        }
    },
    async the_scene_fits_every_window() {
        for (const path of ["plane.h5", "space.h5"]) {
            await view(path, async (page) => {
                for (const [width, height] of [[400, 640], [900, 500]]) {
                    await page.setViewport({ width, height });
                    await page.waitForFunction((w) => window.__cairn.app.stage.size[0] === w, { timeout: PATIENCE }, width);
                    const out = await page.app(`
                        const canvas = app.stage.canvas.getBoundingClientRect();
                        const { low, high } = app.stage.box;
                        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => app.stage.project([0, 1, 2].map((k) => ((n >> k) & 1 ? high[k] : low[k]))));
                        return corners.filter(([x, y]) => x < canvas.left || x > canvas.right || y < canvas.top || y > canvas.bottom).length;`);
                    check(out === 0, `${out} corners of ${path} are out of a window of ${width} x ${height}`);
                }
            });
        }
    },
    async names_are_found() {
        await view("plane.h5", async (page) => {
            await page.keyboard.press("/");
            await page.keyboard.type("SEC");
            check((await page.$$eval(".search li", (all) => all.map((e) => e.textContent))).join() === "second", "the list of names");
            await page.keyboard.press("Enter");
            await page.waitForFunction(() => document.querySelector("#inspector h2")?.textContent === "second", { timeout: PATIENCE });
            const [x, y] = await placeOf(page, "6");
            const middle = await page.app("const box = app.stage.canvas.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2];");
            check(Math.abs(x - middle[0]) < 180 && Math.abs(y - middle[1]) < 60, `the body that was found is at ${x}, ${y}`);
            check((await page.$$eval("#inspector .contacts .name", (all) => all.map((e) => e.textContent))).includes("roof"), "names of what it touches");
            await page.keyboard.press("/");
            await page.keyboard.down("Control");
            await page.keyboard.press("a");
            await page.keyboard.up("Control");
            await page.keyboard.type("nobody");
            check((await page.$eval(".search", (e) => e.textContent)).includes("no body has this"), "an unknown name");
        }, { hash: "#f=5" });
    },
    async weak_forces_are_left_out() {
        await view("plane.h5", async (page) => {
            const h = await page.app("return app.frame.head.data[2];");
            const forces = table("plane-export/contacts.csv").filter((row) => row.frame === "5" && +row.r_n !== 0).map((row) => Math.abs(+row.r_n) / h);
            await page.$$eval("#controls button", (all) => all.find((e) => e.textContent === "mean").click());
            await page.waitForFunction(() => window.__cairn.app.state.least > 0, { timeout: PATIENCE });
            const mean = forces.reduce((sum, f) => sum + f, 0) / forces.length;
            near(await page.app("return app.state.least;"), mean, 1e-3, "mean normal force");
            await page.app(`await app.set({least: ${mean}});`);
            check((await page.app("return app.layers.chains.count;")) === forces.filter((f) => f >= mean).length, "contacts above the mean force");
        }, { hash: "#f=5&show=chains" });
    },
    async the_last_frame_first() {
        await view("plane.h5", async (page) => {
            check((await page.report()).frame === 5, "frame -1 is not the last one");
        }, { hash: "#f=-1" });
        await view("plane.h5", async (page) => {
            check((await page.report()).frame === 4, "--frame -2 is not the last but one");
        }, { args: ["--frame", "-2"] });
    },
    // The same colours of speeds and groups as in a picture of cairn render, at the middle of each body.
    async colours_are_those_of_pictures() {
        for (const [paint, colour] of [["velocity", "speed"], ["group", "group"]]) {
            const [scale, low, high] = [100, [-2.2, -0.4], [3.8, 1.6]];
            await start("render", "plane.h5", "--frame", "2", "--paint", paint, "--no-forces", "--no-legend", "--view", [...low, ...high].join(), "--width", String(scale * (high[0] - low[0])), "-o", `${paint}.png`).ended;
            await view("plane.h5", async (page) => {
                const picture = `data:image/png;base64,${readFileSync(`${paint}.png`).toString("base64")}`;
                for (const id of ["5", "6", "9"]) {
                    const x = await page.app(`const k = app.rowOfId("${id}"); return [...app.bodies.pose.subarray(8 * k, 8 * k + 2)];`);
                    const inPicture = await page.evaluate(async (data, part) => {
                        const image = new Image();
                        image.src = data;
                        await image.decode();
                        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
                        canvas.drawImage(image, 0, 0);
                        return [...canvas.getImageData(part[0] * image.width, (1 - part[1]) * image.height, 1, 1).data];
                    }, picture, x.map((c, k) => (c - low[k]) / (high[k] - low[k])));
                    const here = await pixelAt(page, await placeOf(page, id));
                    const off = Math.max(...[0, 1, 2].map((k) => Math.abs(here[k] - inPicture[k])));
                    check(off <= 3, `${paint} of body ${id}: ${here} here, ${inPicture} in the picture`);
                }
            }, { hash: `#f=2&colour=${colour}&show=` });
        }
    },
    async a_cell_repeats() {
        await view("cell.h5", async (page) => {
            // The disk has gone 3 m/s * t along x; the file puts it back into the cell of 1 m.
            const at = () => page.app('const k = app.rowOfId("1"); return app.bodies.pose[8 * k];');
            near(await at(), 0.3, 1e-5, "place in the cell");
            await page.app('await app.set({images: "unwrapped"});');
            near(await at(), 0.5 + 3 * 0.6, 1e-5, "where it went");
            await page.app('await app.set({images: "none", colour: "displacement"});');
            near((await page.app("return app.values[0];")), 1.8, 1e-5, "displacement since the start");
            near(await at(), 0.3, 1e-5, "place in the cell again");
            // An image of the lower disk stands above the cell, and the force goes there, not across.
            await moveSlider(page, 2);
            const long = await page.app(`
                await app.set({layers: new Set(["chains"])});
                const { rods } = app.layers.chains;
                return Math.max(...Array.from({length: rods.used}, (_, k) => Math.hypot(...[0, 1, 2].map((c) => rods.from[3 * k + c] - rods.to[3 * k + c]))));`);
            check(long < 0.11, `a force chain is ${long} m long`);
            const place = await page.app('const k = app.rowOfId("2"); const x = app.bodies.pose; return app.stage.project([x[8 * k], x[8 * k + 1] + 0.8, 0]);');
            const before = await pixelAt(page, place);
            await page.app('await app.set({images: "around"});');
            const after = await pixelAt(page, place);
            check(before[3] < 10 && after[3] > 200, `the image of a body: ${before}, then ${after}`);
        }, { hash: "#f=6" });
        // Along y it does not repeat: images stand to the left and right alone.
        await view("strip.h5", async (page) => {
            check((await page.app("return app.meta.cell;")) === 1, "axes of a cell that repeats along x");
            check((await page.app("return app.images.copies.map((copy) => copy.shift.join()).join(' ');")) === "-1,0,0 1,0,0", "its images");
        }, { hash: "#f=2&images=around" });
    },
    async bonds_show_their_damage() {
        await view("bond.h5", async (page) => {
            const rows = table("bond-export/contacts.csv").filter((row) => row.frame === "10");
            for (const [state, value] of [["damage", (row) => +row["cohesive.damage"]], ["opening", (row) => +row["cohesive.opening"]], ["slip", (row) => Math.hypot(+row["cohesive.slip"], +row["cohesive.slip_2"])]]) {
                await page.app(`await app.set({bond: "${state}"});`);
                const shown = await page.app("return app.layers.bonds.values;");
                check(shown.length === rows.length, `${shown.length} contacts with ${state}, ${rows.length} in the file`);
                const exact = rows.map(value).sort((a, b) => a - b);
                shown.sort((a, b) => a - b).forEach((x, k) => near(x, exact[k], 1e-4, `${state} of contact ${k}`));
            }
            await page.app('await app.set({bond: "damage"});');
            check((await page.app("return app.layers.bonds.lostCount;")) === 1, "the bond of the brick that was pulled off");
            const panel = await pick(page, "2");
            const states = await page.$$eval("#inspector [data-state]", (all) => all.map((e) => +e.dataset.state));
            check(panel.title === "pushed" && states.length === 3, `damage of the contacts of ${panel.title}: ${states}`);
        }, { hash: "#f=10&show=bonds" });
    },
    // Films are played back: as many pictures as asked, each with the colours of the page at that frame.
    async films_are_what_is_seen() {
        await view("plane.h5", async (page) => {
            const place = await placeOf(page, "8"); // the lid, which flies up
            for (const format of ["gif", "webm"]) {
                const film = await page.app(`
                    const card = app.filmCard;
                    card.box.hidden = false;
                    Object.assign(card.from, {value: 1}), Object.assign(card.to, {value: 5}), Object.assign(card.every, {value: 2});
                    card.rate.value = 10;
                    card.format.value = "${format}";
                    await card.run();
                    const bytes = new Uint8Array(await card.film.blob.arrayBuffer());
                    return {pictures: card.film.pictures, type: card.film.blob.type, data: btoa(Array.from(bytes, (x) => String.fromCharCode(x)).join("")), note: card.progress.textContent};`);
                check(film.pictures === 3 && film.note.includes("3 pictures"), `${film.pictures} pictures of a film: ${film.note}`);
                const seen = await playBack(`data:${film.type};base64,${film.data}`, format);
                check(seen.count === 3 && Math.abs(seen.seconds - 0.3) < 0.011, `${format}: ${seen.count} pictures in ${seen.seconds} s`);
                for (const [k, frame] of [1, 3, 5].entries()) {
                    await page.app(`await app.goTo(${frame});`);
                    const exact = await page.app("const p = app.picture(); const d = p.getContext('2d').getImageData(0, 0, p.width, p.height); return {width: p.width, height: p.height, data: Array.from({length: 400}, (_, n) => [...d.data.subarray(4 * Math.floor(n * d.data.length / 1600), 4 * Math.floor(n * d.data.length / 1600) + 3)])};");
                    check(Math.abs(seen.width - exact.width) <= 1 && Math.abs(seen.height - exact.height) <= 1, `${format}: ${seen.width} x ${seen.height}`);
                    const off = exact.data.map((c, n) => Math.max(...c.map((x, i) => Math.abs(x - seen.colours[k][n][i])))).sort((a, b) => a - b);
                    check(off[200] <= 4 && off[360] <= 12, `${format}, picture ${k}: colours off by ${off[200]} in the middle, ${off[360]} at 9 of 10 places`);
                }
            }
            check((await page.app('app.filmCard.every.value = "x"; await app.filmCard.run(); return document.getElementById("message").textContent;')).includes("1 or more"), "a film every x frames");
        }, { hash: "#f=0&colour=speed" });
        // A turn comes back to where it began.
        await view("space.h5", async (page) => {
            const before = await page.app("return app.stage.cameraState();");
            await page.app('const card = app.filmCard; card.what.value = "turn"; card.turns.value = 4; card.format.value = "gif"; await card.run();');
            const after = await page.app("return app.stage.cameraState();");
            check((await page.app("return app.filmCard.film.pictures;")) === 4, "pictures of a turn");
            before.forEach((x, k) => near(after[k], x, 1e-4, `camera after a turn, ${k}`));
        });
    },
    // Two results: one time, one camera, one range, each in its own frame.
    async two_results_beside_each_other() {
        const server = start("view", "plane.h5", "softer.h5", "--no-open");
        const page = await browser.newPage();
        await page.setViewport({ width: 1000, height: 420 });
        try {
            await page.goto((await server.first) + "#colour=speed", { timeout: PATIENCE });
            await page.waitForFunction("window.__cairn && (window.__cairn.ready || window.__cairn.error)", { timeout: PATIENCE });
            const both = (text) => page.evaluate(`(async () => { const apps = window.__cairn.beside.apps; ${text} })()`);
            check((await both("return apps.map((app) => app.meta.file).join();")) === "plane.h5,softer.h5", "the files of both");
            await both("await apps[0].goTo(4);");
            await page.waitForFunction("window.__cairn.beside.apps[1].frameIndex === 8", { timeout: PATIENCE }); // has a frame twice as often
            await page.waitForFunction("window.__cairn.beside.apps[0].range.join() === window.__cairn.beside.apps[1].range.join()", { timeout: PATIENCE });
            const most = (name, frame) => Math.max(...table(`${name}-export/bodies.csv`).filter((row) => row.frame === frame).map((row) => Math.hypot(+row.vx, +row.vy)));
            const shown = await both("return apps[0].range;");
            near(shown[1], Math.max(most("plane", "4"), most("softer", "8")), 1e-4, "upper end of the common range");
            // A window that is laid out late fits its scene once more, and both have that camera.
            const camera = "[0.5, 0.6, 10, 0.5, 0.6, 0, 2]";
            const follows = `(() => { const [one, other] = window.__cairn.beside.apps; other.stage.setCameraState(${camera}); return one.stage.cameraState().join() === ${camera}.join(); })()`;
            await page.waitForFunction(follows, { timeout: PATIENCE, polling: 200 });
            await both("apps[1].set({layers: new Set(['chains'])});");
            check((await both("return [...apps[0].state.layers].join();")) === "chains", "the same layers");
            await both("await apps[1].selectRow(3);");
            check((await both("return apps[0].state.selected;")) === null, "a body is picked in one of them alone");
        } finally {
            await page.close();
            await server.stop();
        }
    },
    async trouble_is_told() {
        const server = start("view", "plane.h5", "--no-open");
        const address = await server.first;
        // A browser without WebGL.
        const blind = await open(address, {
            mayFail: true,
            before: () => {
                const original = HTMLCanvasElement.prototype.getContext;
                HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
                    return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
                };
            },
        });
        check((await blind.$eval("#trouble", (e) => (e.hidden ? "" : e.textContent))).includes("WebGL 2"), "no word about WebGL");
        await blind.done();
        // A server that has gone.
        const page = await open(address, { mayFail: true });
        await server.stop();
        await page.app("await app.goTo(3);");
        check((await page.$eval("#message", (e) => (e.hidden ? "" : e.textContent))).includes("has stopped"), "no word about the server");
        await page.done();
    },
};

const wanted = process.argv[5];
for (const [name, run] of Object.entries(cases)) {
    if (!wanted || name.includes(wanted)) {
        caseName = name;
        const begin = Date.now();
        try {
            await run();
        } catch (error) {
            check(false, error.stack);
        }
        if (process.env.VERBOSE) {
            console.log(`${name} ${((Date.now() - begin) / 1000).toFixed(1)} s`);
        }
    }
}
await browser.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failures > 0 ? 1 : 0);
