// stage.js -- camera, picture and picking. Draws only when something has changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

// Directions to look from; the plane has only one.
export const VIEWS = {
    oblique: { title: "Oblique", from: [0.4565, -0.7908, 0.4078] }, // as in pictures of cairn render
    front: { title: "Front", from: [0, -1, 0] },
    right: { title: "Right", from: [1, 0, 0] },
    back: { title: "Back", from: [0, 1, 0] },
    left: { title: "Left", from: [-1, 0, 0] },
    top: { title: "Top", from: [0, -1e-3, 1] },
};

export const NO_GRAPHICS = "WebGL 2 is missing or switched off";

const HALF_ANGLE = (16 * Math.PI) / 180; // of the picture, upwards

const LIGHT = { top: "#f7f8fa", bottom: "#dde3ea", ground: [0.86, 0.85, 0.82] };
const DARK = { top: "#232830", bottom: "#12151a", ground: [0.24, 0.255, 0.28] };

// Whether a processor draws, not a graphics card.
function isSoftware(context) {
    const info = context.getExtension("WEBGL_debug_renderer_info");
    const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
    // Smooth edges cost four times the pixels; of many small bodies nobody sees them.
    constructor(canvas, dim, isCrowded) {
        const look = { alpha: true, antialias: !isCrowded, preserveDrawingBuffer: true };
        const context = canvas.getContext("webgl2", look);
        if (!context) {
            throw new Error(NO_GRAPHICS);
        }
        this.canvas = canvas;
        this.dim = dim;
        this.listeners = []; // after the camera has moved
        this.afterDraw = [];
        this.onResize = () => {};
        this.inset = { right: 0, top: 0 };
        this.renderer = new THREE.WebGLRenderer({ canvas, context, ...look });
        this.renderer.setPixelRatio(isCrowded && isSoftware(context) ? 1 : Math.min(2, window.devicePixelRatio || 1));
        this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // colours are meant as they are
        this.scene = new THREE.Scene();
        this.drawsBalls = !(isCrowded && isSoftware(context));
        this.uniforms = {
            pose: { value: null },
            paint: { value: null },
            mapTable: { value: new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1) },
            hasLevels: { value: 0 }, // meshes are coloured by their nodes
            clip: { value: new THREE.Vector4(1, 0, 0, 0) },
            hasClip: { value: 0 },
            isPicking: { value: 0 },
            image: { value: new THREE.Vector3() }, // these four: see cell.js
            toCell: { value: new THREE.Matrix3() },
            margin: { value: new THREE.Vector3(-1, -1, -1) },
            pale: { value: 0 },
            pixels: { value: 1 }, // of balls that are drawn as points
            selected: { value: -1 },
            opacity: { value: 1 },
            isFlat: { value: dim === 2 ? 1 : 0 },
            isParallel: { value: 0 },
            cameraMatrix: { value: new THREE.Matrix4() },
            middle: { value: new THREE.Vector3() },
            reach: { value: 1 },
            step: { value: 1 },
            ground: { value: new THREE.Vector3(...LIGHT.ground) },
        };
        this.box = { middle: new THREE.Vector3(), radius: 1, low: [-1, -1, -1], high: [1, 1, 1] };
        this.makeCamera(dim === 2);
        this.pickTarget = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: true });
        new ResizeObserver(() => this.keepSize()).observe(canvas.parentElement);
        this.resize();
    }
    makeCamera(isParallel) {
        const old = this.camera;
        const target = this.controls?.target.clone();
        this.controls?.dispose();
        this.camera = isParallel ? new THREE.OrthographicCamera(-1, 1, 1, -1, -1e6, 1e6) : new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
        this.camera.up.set(0, this.dim === 2 ? 1 : 0, this.dim === 2 ? 0 : 1);
        this.uniforms.isParallel.value = isParallel ? 1 : 0;
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.addEventListener("start", () => this.coarsen(true));
        this.controls.addEventListener("end", () => this.coarsen(false));
        this.controls.addEventListener("change", () => {
            this.draw();
            this.listeners.forEach((tell) => tell());
        });
        if (this.dim === 2) {
            this.controls.enableRotate = false;
            this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
            this.controls.touches.ONE = THREE.TOUCH.PAN;
        }
        this.controls.zoomToCursor = true;
        if (old) {
            this.camera.position.copy(old.position);
            this.controls.target.copy(target);
            this.resize();
            this.controls.update();
        }
    }
    // Where a processor draws a crowd it has a quarter of the pixels while the camera moves.
    coarsen(isMoving) {
        if (!this.drawsBalls) {
            this.renderer.setPixelRatio(isMoving ? 0.5 : 1);
            this.resize();
        }
    }
    get isParallel() {
        return this.camera.isOrthographicCamera === true;
    }
    setParallel(isParallel) {
        if (this.dim === 3 && isParallel !== this.isParallel) {
            const distance = this.camera.position.distanceTo(this.controls.target);
            this.makeCamera(isParallel);
            if (isParallel) {
                this.camera.zoom = this.box.radius / (distance * Math.tan(HALF_ANGLE));
            }
            this.resize();
            this.draw();
        }
    }
    // Follows the room there is, which the strip below may have changed.
    keepSize() {
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        if (this.size[0] !== Math.max(16, clientWidth) || this.size[1] !== Math.max(16, clientHeight)) {
            this.resize();
            this.onResize();
        }
    }
    resize() {
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        const width = Math.max(16, clientWidth);
        const height = Math.max(16, clientHeight);
        this.renderer.setSize(width, height, false);
        this.aspect = width / height;
        this.size = [width, height];
        const { right, top } = this.usedInset();
        right + top > 0 ? this.camera.setViewOffset(width, height, right / 2, -top / 2, width, height) : this.camera.clearViewOffset();
        if (this.isParallel) {
            const half = this.box.radius;
            Object.assign(this.camera, { left: -half * this.aspect, right: half * this.aspect, top: half, bottom: -half });
        } else {
            this.camera.aspect = this.aspect;
        }
        this.camera.updateProjectionMatrix();
        this.draw();
    }
    // Pixels at the right that the panel covers, and at the top the title: the scene keeps out of them,
    // if there is room.
    setInset(inset) {
        this.inset = inset;
        this.resize();
    }
    usedInset() {
        const { right, top } = this.inset;
        return { right: this.size[0] > 2.5 * right ? right : 0, top: this.size[1] > 4 * top ? top : 0 };
    }
    // Width and height that are left, over the height of the picture.
    get free() {
        const { right, top } = this.usedInset();
        return [(this.size[0] - right) / this.size[1], 1 - top / this.size[1]];
    }
    // The box that holds the scene, from low and high corners.
    setBox(low, high) {
        const size = high.map((x, k) => x - low[k]);
        this.box.low = low;
        this.box.high = high;
        this.box.middle.set(...low.map((x, k) => x + 0.5 * size[k]));
        this.box.radius = Math.max(1e-9, 0.5 * Math.hypot(...size));
        this.uniforms.middle.value.copy(this.box.middle);
        this.uniforms.reach.value = (this.dim === 2 ? 30 : 8) * this.box.radius;
        const rough = this.box.radius / 4;
        const power = 10 ** Math.floor(Math.log10(rough));
        this.uniforms.step.value = power * [1, 2, 5, 10].find((x) => x * power >= rough);
        this.resize();
    }
    fit(view) {
        const { middle, radius } = this.box;
        this.controls.target.copy(middle);
        if (this.dim === 2) {
            const size = this.box.high.map((x, k) => x - this.box.low[k]);
            this.camera.position.set(middle.x, middle.y, 10);
            const [wide, high] = this.free;
            const across = Math.max(size[1] / 2 / high, size[0] / 2 / wide, 1e-9);
            this.camera.zoom = radius / (1.12 * across);
        } else {
            const from = view ? new THREE.Vector3(...VIEWS[view].from) : this.camera.position.clone().sub(this.controls.target);
            if (from.lengthSq() < 1e-12) {
                from.set(...VIEWS.oblique.from);
            }
            this.camera.position.copy(middle).addScaledVector(from.normalize(), 4 * radius);
            this.controls.update();
            const need = this.needOf(from);
            this.camera.position.copy(middle).addScaledVector(from, 1.04 * need.distance);
            this.camera.zoom = this.isParallel ? radius / (1.04 * need.half) : 1;
        }
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.draw();
    }
    // How far the eye must be along `from`, and how high half the picture must be, to see the box.
    needOf(from) {
        this.camera.updateMatrixWorld();
        const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, k));
        const slope = Math.tan(HALF_ANGLE);
        const [wide, high] = this.free;
        const need = { distance: 0, half: 1e-9 };
        for (let corner = 0; corner < 8; corner++) {
            const x = new THREE.Vector3(...[0, 1, 2].map((n) => ((corner >> n) & 1 ? this.box.high[n] : this.box.low[n]))).sub(this.box.middle);
            const across = Math.max(Math.abs(x.dot(right)) / wide, Math.abs(x.dot(up)) / high);
            need.half = Math.max(need.half, across);
            need.distance = Math.max(need.distance, x.dot(from) + across / slope);
        }
        return need;
    }
    cameraState() {
        const round = (x) => +x.toPrecision(6);
        return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.zoom].map(round);
    }
    setCameraState(state) {
        if (state.length === 7 && state.every(Number.isFinite) && state[6] > 0) {
            this.camera.position.fromArray(state, 0);
            this.controls.target.fromArray(state, 3);
            this.camera.zoom = state[6];
            this.camera.updateProjectionMatrix();
            this.controls.update();
            this.draw();
        }
    }
    // Length of a pixel: of a perspective, at the depth of the point that is looked at. [m]
    get metresPerPixel() {
        const { camera, controls, box, size } = this;
        const half = this.isParallel ? box.radius : camera.position.distanceTo(controls.target) * Math.tan(HALF_ANGLE);
        return (2 * half) / camera.zoom / size[1];
    }
    // Axes of the world as they lie in the picture: right, up, towards the eye.
    axes() {
        this.camera.updateMatrixWorld();
        const m = this.camera.matrixWorld.elements;
        return [0, 1, 2].map((k) => [m[k], m[4 + k], m[8 + k]]);
    }
    // Goes around the point that is looked at, about the vertical. [rad]
    turn(angle) {
        const away = this.camera.position.clone().sub(this.controls.target);
        this.camera.position.copy(this.controls.target).add(away.applyAxisAngle(this.camera.up, angle));
        this.controls.update();
    }
    lookAt(point) {
        const move = new THREE.Vector3(...point).sub(this.controls.target);
        this.controls.target.add(move);
        this.camera.position.add(move);
        this.controls.update();
        this.draw();
    }
    setTheme(isDark) {
        const look = isDark ? DARK : LIGHT;
        this.uniforms.ground.value.set(...look.ground);
        this.look = look;
        this.canvas.parentElement.style.background = `linear-gradient(${look.top}, ${look.bottom})`;
        this.draw();
    }
    // At the next chance; before the first picture there is nothing to draw.
    draw() {
        if (!this.drawn) {
            return;
        }
        this.wanted ??= requestAnimationFrame(() => {
            this.wanted = undefined;
            this.drawNow();
        });
    }
    prepareCamera() {
        if (!this.isParallel) {
            const far = this.camera.position.distanceTo(this.box.middle);
            this.camera.near = 0.02 * this.camera.position.distanceTo(this.controls.target);
            this.camera.far = far + 12 * this.box.radius;
            this.camera.updateProjectionMatrix();
        }
        const height = this.size[1] * this.renderer.getPixelRatio();
        this.uniforms.pixels.value = this.isParallel ? (height * this.camera.zoom) / (2 * this.box.radius) : (height * this.camera.zoom) / (2 * Math.tan(HALF_ANGLE));
        this.camera.updateMatrixWorld();
        this.uniforms.cameraMatrix.value.copy(this.camera.matrixWorld);
    }
    drawNow() {
        cancelAnimationFrame(this.wanted);
        this.wanted = undefined;
        this.prepareCamera();
        this.renderer.render(this.scene, this.camera);
        this.drawn = (this.drawn ?? 0) + 1;
        this.afterDraw.forEach((tell) => tell());
    }
    // The body under a point of the window, -1 for none: one pixel of numbers.
    pick(x, y) {
        const box = this.canvas.getBoundingClientRect();
        const ratio = this.renderer.getPixelRatio();
        const at = [Math.floor((x - box.left) * ratio), Math.floor((y - box.top) * ratio)];
        this.prepareCamera();
        // Points are cut away as a whole where their middle is out of the picture, so that with them the
        // picture is that of the window, and the pixel a part of it.
        const whole = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
        this.drawsBalls ? this.aimAt(at, whole) : this.pickTarget.setSize(...whole);
        const place = this.drawsBalls ? [0, 0] : [at[0], whole[1] - 1 - at[1]];
        this.pickTarget.scissor.set(...place, 1, 1);
        this.pickTarget.scissorTest = true;
        const pixel = this.numbersAt(place);
        this.camera.clearViewOffset();
        this.resize();
        return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
    }
    // Makes a picture of one pixel of the whole one.
    aimAt(at, whole) {
        const ratio = this.renderer.getPixelRatio();
        const { right, top } = this.usedInset();
        this.camera.setViewOffset(...whole, at[0] + 0.5 * right * ratio, at[1] - 0.5 * top * ratio, 1, 1);
    }
    // Draws numbers of bodies instead of colours and reads one pixel.
    numbersAt(place) {
        const hidden = this.overlays.filter((group) => group.visible);
        hidden.forEach((group) => (group.visible = false));
        this.uniforms.isPicking.value = 1;
        this.renderer.setRenderTarget(this.pickTarget);
        this.renderer.setClearColor(0x000000, 0);
        this.renderer.clear();
        this.renderer.render(this.scene, this.camera);
        const pixel = new Uint8Array(4);
        this.renderer.readRenderTargetPixels(this.pickTarget, ...place, 1, 1, pixel);
        this.renderer.setRenderTarget(null);
        this.uniforms.isPicking.value = 0;
        hidden.forEach((group) => (group.visible = true));
        return pixel;
    }
    setMap(table) {
        const { image } = this.uniforms.mapTable.value;
        for (let k = 0; k < 256; k++) {
            image.data.set([table[3 * k], table[3 * k + 1], table[3 * k + 2], 255], 4 * k);
        }
        this.uniforms.mapTable.value.needsUpdate = true;
    }
    // How far a point is behind another, in the direction of sight.
    depth(point) {
        return -new THREE.Vector3(...point).applyMatrix4(this.camera.matrixWorldInverse).z;
    }
    // Where a point of the world is in the window, in pixels of the page.
    project(point) {
        const box = this.canvas.getBoundingClientRect();
        const v = new THREE.Vector3(...point).project(this.camera);
        return [box.left + (0.5 + 0.5 * v.x) * box.width, box.top + (0.5 - 0.5 * v.y) * box.height];
    }
}
