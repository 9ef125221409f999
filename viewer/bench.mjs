// bench.mjs -- time to the first picture: node bench.mjs CHROMIUM CAIRN RESULT
//
// From asking for the page to the first picture drawn and read back, at 1280 x 720; then the camera goes
// around. Without a graphics card the browser draws in software, which is most of it.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [chromium, cairn, result] = process.argv.slice(2);
const server = spawn(cairn, ["view", result, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((done) => server.stdout.once("data", (data) => done(String(data).trim())));
const browser = await puppeteer.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    defaultViewport: { width: 1280, height: 720 },
});
// Processor time of all processes of the browser so far. [s]
function processorTime() {
    const parents = new Map();
    const times = new Map();
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
            parents.set(+pid, +fields[1]);
            times.set(+pid, (+fields[11] + +fields[12]) / 100);
        } catch {
            // it has ended meanwhile
        }
    }
    const isOurs = (pid) => pid === browser.process().pid || (parents.get(pid) > 1 && isOurs(parents.get(pid)));
    return [...times].reduce((sum, [pid, time]) => sum + (isOurs(pid) ? time : 0), 0);
}

// Processor time of a picture while the camera is moved by hand, and of the one after it.
async function turn(page, bodies) {
    const pictures = 10;
    const draw = (count, isMoving) =>
        page.evaluate(
            (n, moves) => {
                const { stage } = window.__cairn.app;
                const gl = stage.renderer.getContext();
                stage.coarsen(moves);
                for (let k = 0; k < n; k++) {
                    stage.turn(0.05);
                    stage.drawNow();
                    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
                }
            },
            count,
            isMoving,
        );
    const spent = [];
    for (const isMoving of [true, false]) {
        const begin = processorTime();
        await draw(pictures, isMoving);
        spent.push(Math.round((1000 * (processorTime() - begin)) / pictures));
    }
    console.log(`viewer             picture of ${bodies} bodies while it turns`.padEnd(63) + ` processor ${spent[0]} ms, at rest ${spent[1]} ms`);
}

for (let k = 0; k < 2; k++) {
    const page = await browser.newPage();
    const begin = processorTime();
    await page.goto(address);
    await page.waitForFunction("window.__cairn.ready", { timeout: 120000 });
    const { bodies, ready, shown } = await page.evaluate(() => {
        const { app, bodies } = window.__cairn;
        const gl = app.stage.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the picture
        return { bodies, ready: window.__cairn.milliseconds, shown: performance.now() };
    });
    console.log(`viewer             first picture, ${bodies} bodies${k ? ", again" : ""}`.padEnd(63) + ` ${Math.round(shown)} ms       processor ${Math.round(1000 * (processorTime() - begin))} ms, ${Math.round(ready)} ms after the page was there; budget 2000 ms`);
    await turn(page, bodies);
    await page.close();
}
await browser.close();
server.kill();
