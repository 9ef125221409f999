// webm.js -- a film as WebM: pictures are encoded by the browser (VP8), and put into a Matroska file here.

const KEY_EVERY = 30; // pictures

// A number in as few bytes as it takes, at least `least`.
function bytesOf(value, least = 1) {
    const out = [];
    for (let rest = value; rest > 0 || out.length < least; rest = Math.floor(rest / 256)) {
        out.unshift(rest % 256);
    }
    return out;
}

// An element: id, length in eight bytes, content (bytes, or arrays of them).
function item(id, ...content) {
    const parts = content.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part)));
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const out = new Uint8Array(bytesOf(id).length + 8 + size);
    out.set([...bytesOf(id), 0x01, ...bytesOf(size, 7)]);
    let at = bytesOf(id).length + 8;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

const text = (id, value) => item(id, new TextEncoder().encode(value));
const whole = (id, value) => item(id, bytesOf(value));

function real(id, value) {
    const out = new Uint8Array(8);
    new DataView(out.buffer).setFloat64(0, value);
    return item(id, out);
}

// The file of the encoded pictures [{bytes, isKey}], `rate` a second. Times are in milliseconds.
export function webmOf(pictures, width, height, rate) {
    const head = item(0x1a45dfa3, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8), text(0x4282, "webm"), whole(0x4287, 2), whole(0x4285, 2));
    const info = item(0x1549a966, whole(0x2ad7b1, 1000000), real(0x4489, (1000 * pictures.length) / rate), text(0x4d80, "cairn"), text(0x5741, "cairn"));
    const video = item(0xe0, whole(0xb0, width), whole(0xba, height));
    const track = item(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x83, 1), text(0x86, "V_VP8"), whole(0x23e383, Math.round(1e9 / rate)), video);
    const clusters = [];
    pictures.forEach(({ bytes, isKey }, k) => {
        const time = Math.round((1000 * k) / rate);
        if (isKey || !clusters.length) {
            clusters.push({ time, blocks: [] });
        }
        const { blocks, time: start } = clusters.at(-1);
        blocks.push(item(0xa3, [0x81, (time - start) >> 8, (time - start) & 255, isKey ? 0x80 : 0], bytes));
    });
    const body = clusters.map(({ time, blocks }) => item(0x1f43b675, whole(0xe7, time), ...blocks));
    return new Blob([head, item(0x18538067, info, item(0x1654ae6b, track), ...body)], { type: "video/webm" });
}

const BT601 = { primaries: "smpte170m", transfer: "smpte170m", matrix: "smpte170m", fullRange: false };

// Brightness of each pixel, then two differences of colour for each square of four: what players
// expect of VP8 (ITU-R BT.601, 16 to 235). Left to the browser, colours came out too bright.
export function i420(rgba, width, height) {
    const [size, half] = [width * height, width >> 1];
    const out = new Uint8ClampedArray(size + (size >> 1));
    for (let n = 0; n < size; n++) {
        const [r, g, b] = [rgba[4 * n], rgba[4 * n + 1], rgba[4 * n + 2]];
        out[n] = 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255;
    }
    for (let y = 0; y < height; y += 2) {
        for (let x = 0; x < width; x += 2) {
            const first = 4 * (y * width + x);
            const places = [first, first + 4, first + 4 * width, first + 4 * width + 4];
            const [r, g, b] = [0, 1, 2].map((c) => (rgba[places[0] + c] + rgba[places[1] + c] + rgba[places[2] + c] + rgba[places[3] + c]) / 1020);
            const at = size + (y >> 1) * half + (x >> 1);
            out[at] = 128 - 37.797 * r - 74.203 * g + 112 * b;
            out[at + (size >> 2)] = 128 + 112 * r - 93.786 * g - 18.214 * b;
        }
    }
    return out;
}

export class Webm {
    static get isThere() {
        return typeof VideoEncoder !== "undefined";
    }
    // Width and height must be even.
    constructor(width, height, rate) {
        Object.assign(this, { width, height, rate, pictures: [], count: 0 });
        this.encoder = new VideoEncoder({
            output: (chunk) => {
                const bytes = new Uint8Array(chunk.byteLength);
                chunk.copyTo(bytes);
                this.pictures.push({ bytes, isKey: chunk.type === "key" });
            },
            error: (error) => (this.error = error),
        });
        this.encoder.configure({ codec: "vp8", width, height, framerate: rate, bitrate: Math.round(0.25 * width * height * rate) });
    }
    // `pixels`: RGBA.
    async add(pixels) {
        const { width, height, rate } = this;
        const timestamp = Math.round((1e6 * this.count) / rate);
        const frame = new VideoFrame(i420(pixels, width, height), { format: "I420", codedWidth: width, codedHeight: height, timestamp, colorSpace: BT601 });
        this.encoder.encode(frame, { keyFrame: this.count % KEY_EVERY === 0 });
        this.count++;
        frame.close();
        await this.encoder.flush();
        if (this.error) {
            throw this.error;
        }
    }
    async end() {
        await this.encoder.flush();
        this.encoder.close();
        return webmOf(this.pictures, this.width, this.height, this.rate);
    }
}
