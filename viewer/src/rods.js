// rods.js -- many rods, arrows or triangles with colours in one draw call each: what layers are made of.
import * as THREE from "three";
import * as shaders from "./shaders.js";
import { rod } from "./templates.js";

export function material(vertex, fragment, uniforms, dim, options = {}) {
    return new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms,
        side: THREE.DoubleSide,
        depthTest: dim === 3,
        depthWrite: dim === 3,
        transparent: dim === 2,
        ...options,
    });
}

// Many rods or arrows in one draw call. In space a pale copy shines through what is in front; in the
// plane a bright border keeps them apart from bodies of any colour.
export class Rods {
    constructor(group, uniforms, dim, isArrow = false, order = 5) {
        const shape = rod(dim === 2 ? 6 : 12, isArrow);
        this.geometry = new THREE.InstancedBufferGeometry();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(shape.position), 3));
        this.geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(shape.normal), 3));
        this.geometry.setIndex(shape.index);
        this.room = 0;
        const own = { ...uniforms, isArrow: { value: isArrow ? 1 : 0 }, opacity: { value: 1 }, halo: { value: new THREE.Vector4(0, 0, 0, 0) } };
        this.halo = { value: new THREE.Vector4(1, 1, 1, 0) };
        const veiled = { ...own, opacity: { value: 0.3 } };
        this.meshes = [new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, own, dim))];
        if (dim === 2) {
            this.meshes.unshift(new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, { ...own, halo: this.halo, opacity: { value: 0.75 } }, dim)));
        } else {
            const through = { transparent: true, depthFunc: THREE.GreaterDepth, depthWrite: false };
            this.meshes.push(new THREE.Mesh(this.geometry, material(shaders.ROD_VERTEX, shaders.ROD_FRAGMENT, veiled, dim, through)));
        }
        this.meshes.forEach((mesh, k) => {
            mesh.frustumCulled = false;
            mesh.renderOrder = order + k;
            group.add(mesh);
        });
        this.begin(0);
        this.end();
    }
    // Makes room for at most `count` rods in a scene of bodies of the usual size `unit`.
    begin(count, unit = 0) {
        this.halo.value.w = 0.035 * unit;
        if (count > this.room) {
            this.room = Math.ceil(1.25 * count) + 8;
            for (const [name, size] of [["from", 3], ["to", 3], ["width", 1], ["tint", 3]]) {
                const attribute = new THREE.InstancedBufferAttribute(new Float32Array(size * this.room), size);
                attribute.setUsage(THREE.DynamicDrawUsage);
                this.geometry.setAttribute(name, attribute);
                this[name] = attribute.array;
            }
        }
        this.used = 0;
    }
    add(x0, y0, z0, x1, y1, z1, width, [r, g, b]) {
        const k = this.used++;
        this.from.set([x0, y0, z0], 3 * k);
        this.to.set([x1, y1, z1], 3 * k);
        this.width[k] = width;
        this.tint.set([r / 255, g / 255, b / 255], 3 * k);
    }
    end() {
        this.geometry.instanceCount = this.used;
        for (const mesh of this.meshes) {
            mesh.visible = this.used > 0;
        }
        for (const name of ["from", "to", "width", "tint"]) {
            if (this.geometry.attributes[name]) {
                this.geometry.attributes[name].needsUpdate = true;
            }
        }
    }
}

// Triangles with colours, of any number.
export class Faces {
    constructor(group, uniforms, dim, order) {
        this.geometry = new THREE.BufferGeometry();
        const own = { ...uniforms, opacity: { value: 0.92 } };
        const veiled = { ...uniforms, opacity: { value: 0.5 } };
        this.group = new THREE.Group();
        const looks = [material(shaders.FACE_VERTEX, shaders.FACE_FRAGMENT, own, dim, { transparent: true })];
        if (dim === 3) {
            looks.push(material(shaders.FACE_VERTEX, shaders.FACE_FRAGMENT, veiled, dim, { transparent: true, depthFunc: THREE.GreaterDepth, depthWrite: false }));
        }
        looks.forEach((look, k) => {
            const mesh = new THREE.Mesh(this.geometry, look);
            mesh.frustumCulled = false;
            mesh.renderOrder = order + k;
            this.group.add(mesh);
        });
        group.add(this.group);
    }
    set(position, tint) {
        this.geometry.dispose();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(position), 3));
        this.geometry.setAttribute("tint", new THREE.BufferAttribute(new Float32Array(tint), 3));
        this.group.visible = position.length > 0;
    }
}
