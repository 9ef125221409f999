// build.mjs -- makes dist/viewer.html, one page with everything in it, from src/.
//
//   node build.mjs           writes it
//   node build.mjs --check   says whether it is up to date (exit 1 if not)
//
// dist/ is committed, so that building cairn needs neither Node nor a network. dist/sources.sha256
// lets a test without Node see that the page belongs to these sources.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), "utf8");

async function bundle(entry, loader) {
    const made = await build({
        entryPoints: [join(here, entry)],
        bundle: true,
        minify: true,
        write: false,
        format: loader === "js" ? "iife" : undefined,
        target: "es2020",
        charset: "utf8",
        legalComments: "none",
        logLevel: "warning",
    });
    return made.outputFiles[0].text.trim();
}

// A closing tag within a script would end it.
const script = (await bundle("src/main.js", "js")).replaceAll("</script", "<\\/script");
const style = await bundle("src/style.css", "css");
const notice = read("node_modules/three/LICENSE").trim().replaceAll("*/", "* /");
const page = read("src/index.html")
    .replace("/*STYLE*/", () => style)
    .replace("/*SCRIPT*/", () => `/* cairn viewer, Apache-2.0. Includes three.js:\n${notice}\n*/\n${script}`);

// As sha256sum prints it, in the order of names.
const files = [...readdirSync(join(here, "src")).sort().map((name) => `src/${name}`), "package-lock.json"];
const sums = files.map((name) => `${createHash("sha256").update(read(name)).digest("hex")}  ${name}\n`).join("");

if (process.argv.includes("--check")) {
    const isSame = read("dist/viewer.html") === page && read("dist/sources.sha256") === sums;
    if (!isSame) {
        console.error("viewer/dist is not made from viewer/src: run 'npm run build' in viewer/");
        process.exit(1);
    }
} else {
    writeFileSync(join(here, "dist/viewer.html"), page);
    writeFileSync(join(here, "dist/sources.sha256"), sums);
    console.log(`dist/viewer.html: ${Math.round(page.length / 1024)} KiB`);
}
