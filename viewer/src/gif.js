// gif.js -- animated GIF 89a: each picture with the 255 colours that suit it (median cut), packed by LZW.

const LEVELS = 32; // per channel in which colours are counted
const COLOURS = 256;

// Splits the box of colours that holds most pixels times its longest side, at its median.
function medianCut(counts) {
    const present = [];
    counts.forEach((count, k) => count && present.push(k));
    const channel = (k, c) => (k >> (10 - 5 * c)) & 31;
    const boxOf = (list) => {
        const side = [0, 1, 2].map((c) => {
            let [low, high] = [31, 0];
            for (const k of list) {
                low = Math.min(low, channel(k, c));
                high = Math.max(high, channel(k, c));
            }
            return high - low;
        });
        const pixels = list.reduce((sum, k) => sum + counts[k], 0);
        const longest = side.indexOf(Math.max(...side));
        return { list, longest, weight: side[longest] * Math.sqrt(pixels) };
    };
    const boxes = [boxOf(present)];
    while (boxes.length < COLOURS) {
        const k = boxes.reduce((best, box, n) => (box.weight > boxes[best].weight ? n : best), 0);
        const { list, longest, weight } = boxes[k];
        if (weight === 0) {
            break;
        }
        list.sort((a, b) => channel(a, longest) - channel(b, longest));
        const half = list.reduce((sum, n) => sum + counts[n], 0) / 2;
        let [cut, sum] = [1, counts[list[0]]];
        for (; cut < list.length - 1 && sum < half; cut++) {
            sum += counts[list[cut]];
        }
        boxes.splice(k, 1, boxOf(list.slice(0, cut)), boxOf(list.slice(cut)));
    }
    return boxes.map(({ list }) => list);
}

// Palette of a picture (RGBA) and the place in it of every pixel.
export function indexed(pixels) {
    const count = pixels.length / 4;
    const key = new Uint16Array(count);
    const counts = new Uint32Array(LEVELS ** 3);
    const sums = new Float64Array(3 * LEVELS ** 3);
    for (let n = 0; n < count; n++) {
        const [r, g, b] = [pixels[4 * n], pixels[4 * n + 1], pixels[4 * n + 2]];
        const k = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
        key[n] = k;
        counts[k]++;
        sums[3 * k] += r;
        sums[3 * k + 1] += g;
        sums[3 * k + 2] += b;
    }
    const palette = new Uint8Array(3 * COLOURS);
    const place = new Uint8Array(LEVELS ** 3);
    medianCut(counts).forEach((list, n) => {
        const pixelsThere = list.reduce((sum, k) => sum + counts[k], 0) || 1;
        list.forEach((k) => (place[k] = n));
        for (let c = 0; c < 3; c++) {
            palette[3 * n + c] = Math.round(list.reduce((sum, k) => sum + sums[3 * k + c], 0) / pixelsThere);
        }
    });
    return { palette, index: Uint8Array.from(key, (k) => place[k]) };
}

class Bytes {
    constructor() {
        this.data = new Uint8Array(1 << 16);
        this.size = 0;
    }
    need(count) {
        if (this.size + count > this.data.length) {
            const more = new Uint8Array(2 * (this.size + count));
            more.set(this.data);
            this.data = more;
        }
    }
    put(...values) {
        this.need(values.length);
        values.forEach((value) => (this.data[this.size++] = value));
    }
    putAll(array) {
        this.need(array.length);
        this.data.set(array, this.size);
        this.size += array.length;
    }
    putShort(value) {
        this.put(value & 255, value >> 8);
    }
    get whole() {
        return this.data.subarray(0, this.size);
    }
}

// LZW with codes of 9 to 12 bits; the table is cleared when it is full.
export function packed(index) {
    const CLEAR = 256;
    const END = 257;
    const out = new Bytes();
    const next = new Uint16Array(4096 * 256); // code of a known string and one more value; 0: none
    let [bits, held, width, last] = [0, 0, 9, END];
    const write = (code) => {
        bits |= code << held;
        for (held += width; held >= 8; held -= 8) {
            out.put(bits & 255);
            bits >>>= 8;
        }
    };
    write(CLEAR);
    let code = index[0];
    for (let n = 1; n < index.length; n++) {
        const known = next[256 * code + index[n]];
        if (known) {
            code = known;
            continue;
        }
        write(code);
        last++;
        if (last === 4095) {
            write(CLEAR);
            next.fill(0);
            [width, last] = [9, END];
        } else {
            next[256 * code + index[n]] = last;
            width += last === 1 << width ? 1 : 0;
        }
        code = index[n];
    }
    write(code);
    width += last + 1 === 1 << width && width < 12 ? 1 : 0;
    write(END);
    held && out.put(bits & 255);
    return out.whole;
}

// Pictures one after the other, for ever; `add` takes RGBA, `end` gives the file.
export class Gif {
    constructor(width, height, rate) {
        Object.assign(this, { width, height, delay: Math.max(2, Math.round(100 / rate)) }); // [1/100 s]
        this.out = new Bytes();
        this.out.putAll(new TextEncoder().encode("GIF89a"));
        this.out.putShort(width);
        this.out.putShort(height);
        this.out.put(0, 0, 0);
        this.out.put(0x21, 0xff, 11);
        this.out.putAll(new TextEncoder().encode("NETSCAPE2.0"));
        this.out.put(3, 1, 0, 0, 0);
    }
    add(pixels) {
        const { palette, index } = indexed(pixels);
        const { out } = this;
        out.put(0x21, 0xf9, 4, 0);
        out.putShort(this.delay);
        out.put(0, 0);
        out.put(0x2c, 0, 0, 0, 0);
        out.putShort(this.width);
        out.putShort(this.height);
        out.put(0x87); // 256 colours of its own
        out.putAll(palette);
        out.put(8);
        const data = packed(index);
        for (let at = 0; at < data.length; at += 255) {
            const part = data.subarray(at, at + 255);
            out.put(part.length);
            out.putAll(part);
        }
        out.put(0);
    }
    async end() {
        this.out.put(0x3b);
        return new Blob([this.out.whole], { type: "image/gif" });
    }
}
