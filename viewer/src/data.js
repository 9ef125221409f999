// data.js -- results as named arrays, from the server or from the page itself.
//
// Format: docs/formats.md, "Viewer". A frame is an object of blocks; blocks this program does not
// know are kept and ignored, so that new sorts of data need no new version.

const MAGIC = "cairnv01";
const HEAD = 48;
const NAME = 36;
const PACKED = 0x100;
const KINDS = { 1: Float32Array, 2: Int32Array, 3: Uint8Array, 4: Float64Array, 5: Float32Array };

function unshuffle(bytes, count, row) {
    const out = new Uint8Array(bytes.length);
    let from = 0;
    for (let b = 0; b < row; b++) {
        for (let k = 0, to = b; k < count; k++, to += row) {
            out[to] = bytes[from++];
        }
    }
    return out;
}

// Returns {name: {data, width, count}}; arrays are views of the buffer unless they were packed.
export function readBlocks(buffer) {
    const text = new TextDecoder();
    const bytes = new Uint8Array(buffer);
    const view = new DataView(buffer);
    if (buffer.byteLength < 8 || text.decode(bytes.subarray(0, 8)) !== MAGIC) {
        throw new Error("these are no data of a cairn viewer");
    }
    const blocks = {};
    for (let at = 8; at < buffer.byteLength; ) {
        const name = text.decode(bytes.subarray(at, at + NAME)).replace(/\0+$/, "");
        const kind = view.getUint32(at + NAME, true);
        const width = view.getUint32(at + NAME + 4, true);
        const count = view.getUint32(at + NAME + 8, true);
        const Kind = KINDS[kind & 0xff];
        if (!Kind) {
            throw new Error(`block ${name} is of an unknown kind; reload the page`);
        }
        const size = Kind.BYTES_PER_ELEMENT * width * count;
        at += HEAD;
        if (at + size > buffer.byteLength) {
            throw new Error(`block ${name} is cut off`);
        }
        let data;
        if (kind & PACKED) {
            const plain = unshuffle(bytes.subarray(at, at + size), count, size / count || 1);
            data = new Kind(plain.buffer);
        } else {
            data = new Kind(buffer, at, width * count);
        }
        blocks[name] = { data, width, count };
        at += Math.ceil(size / 8) * 8;
    }
    return blocks;
}

const TRIES = 20; // for what a run may be writing just now
const PAUSE = 250; // [ms]

// The server answers only those who know its token, which is in the address of this page.
const query = new URLSearchParams(location.search);
const token = query.get("token");
const which = /^\d$/.test(query.get("result") ?? "") ? `&result=${query.get("result")}` : "";
const withToken = (path) => (token ? `${path}?token=${encodeURIComponent(token)}${which}` : path);

async function request(path, isGrowing = false) {
    let answer;
    for (let k = 0; k === 0 || (isGrowing && !answer.ok && k < TRIES); k++) {
        k > 0 && (await new Promise((done) => setTimeout(done, PAUSE)));
        try {
            answer = await fetch(withToken(path));
        } catch {
            throw new Error("the program that serves this page has stopped; start 'cairn view' again");
        }
    }
    if (!answer.ok) {
        throw new Error((await answer.text()).trim() || `${path}: ${answer.status}`);
    }
    return answer;
}

class ServerSource {
    async meta() {
        const meta = await (await request("api/meta", true)).json();
        this.isGrowing = meta.live && !meta.complete;
        return meta;
    }
    async live() {
        return (await request("api/live")).json();
    }
    async blocks(what) {
        return readBlocks(await (await request(`api/${what}`, this.isGrowing)).arrayBuffer());
    }
}

// Everything stands in script elements of this page: base64 of zlib of blocks.
class PageSource {
    bytes(id) {
        const element = document.getElementById(id);
        if (!element) {
            throw new Error(`this page has no part '${id}'`);
        }
        const text = atob(element.textContent);
        const bytes = new Uint8Array(text.length);
        for (let k = 0; k < text.length; k++) {
            bytes[k] = text.charCodeAt(k);
        }
        return bytes;
    }
    async meta() {
        return JSON.parse(new TextDecoder().decode(this.bytes("cairn-meta-0")));
    }
    async blocks(what) {
        if (typeof DecompressionStream === "undefined") {
            throw new Error("this browser is too old to unpack the data of the page");
        }
        const [name, number] = what.split("/");
        const packed = new Blob([this.bytes(`cairn-${name}-${number ?? 0}`)]);
        const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
        return readBlocks(await new Response(stream).arrayBuffer());
    }
}

// A result: what is common to all frames, and frames on demand. Frames that were read are kept up
// to a limit, the least recently used go first.
export class Result {
    constructor() {
        this.source = document.getElementById("cairn-meta-0") ? new PageSource() : new ServerSource();
        this.cache = new Map();
        this.cacheBytes = 0;
        this.cacheMost = 300e6;
        this.series = new Map();
    }
    async open() {
        this.meta = await this.source.meta();
        if (this.meta.version !== 1) {
            throw new Error(`this page reads data of version 1, these are of ${this.meta.version}`);
        }
        this.shapes = await this.source.blocks("shapes");
    }
    // New frames of a run that goes on. Returns whether there are any.
    async refresh() {
        const live = await this.source.live();
        this.run ??= live.run;
        if (live.run !== this.run) {
            location.reload();
        }
        if (live.frames === this.meta.frames && live.complete === this.meta.complete) {
            return false;
        }
        this.meta = await this.source.meta();
        this.series.clear();
        return true;
    }
    async reloadShapes() {
        this.shapes = await this.source.blocks("shapes");
    }
    // The contacts of a frame join its other blocks when they are wanted.
    async frame(index, wantsContacts) {
        const frame = await this.part(index);
        if (wantsContacts && !frame["contact.row"]) {
            const entry = this.cache.get(index);
            const contacts = await this.source.blocks(`contacts/${index}`);
            Object.assign(frame, contacts);
            entry && this.count(entry, contacts);
        }
        return frame;
    }
    async part(index) {
        let entry = this.cache.get(index);
        if (entry) {
            this.cache.delete(index);
        } else {
            entry = { promise: this.source.blocks(`frame/${index}`), bytes: 0 };
            entry.promise.then(
                (blocks) => this.count(entry, blocks),
                () => this.cache.delete(index),
            );
        }
        this.cache.set(index, entry); // now the last one
        return entry.promise;
    }
    count(entry, blocks) {
        const bytes = Object.values(blocks).reduce((sum, b) => sum + b.data.byteLength, 0);
        entry.bytes += bytes;
        this.cacheBytes += bytes;
        for (const [index, old] of this.cache) {
            if (this.cacheBytes <= this.cacheMost || old === entry) {
                break;
            }
            this.cacheBytes -= old.bytes;
            this.cache.delete(index);
        }
    }
    curve(column) {
        if (!this.series.has(column)) {
            this.series.set(column, this.source.blocks(`series/${column}`));
        }
        return this.series.get(column);
    }
}
