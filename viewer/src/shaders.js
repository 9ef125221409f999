// shaders.js -- how bodies reach the screen.
//
// The state of all bodies lies in one texture, two texels per body: place and a flag (0 hidden, 1
// shown, 2 edges only, 3 walls cut open towards the eye), and turn. A vertex knows the body it belongs to; a new frame is one upload.

const POSE = `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D pose;
uniform sampler2D paint;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;

vec3 turned(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec4 texelOf(sampler2D map, int k)
{
    int width = textureSize(map, 0).x;
    return texelFetch(map, ivec2(k % width, k / width), 0);
}

uniform vec3 image;     // how far this copy of the bodies stands from them: a vector of the lattice
uniform mat3 toCell;    // from places to parts of the vectors of the periodic cell
uniform vec3 margin;    // copies farther than this from the cell are left out [of its vectors]; x < 0: it is no copy

// Place and flag of body k.
vec4 placeOf(int k)
{
    vec4 place = texelOf(pose, 2 * k);
    place.xyz += image;
    vec3 part = toCell * place.xyz;
    bool isFar = any(lessThan(part, -margin)) || any(greaterThan(part, 1.0 + margin));
    return margin.x >= 0.0 && isFar ? vec4(place.xyz, 0.0) : place;
}

uniform float isParallel;
uniform float reach;

// A little nearer to the eye, at the same place of the screen.
vec4 nearer(vec4 eye)
{
    return isParallel > 0.5 ? eye + vec4(0.0, 0.0, 2e-4 * reach, 0.0) : vec4(0.9985 * eye.xyz, eye.w);
}

const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
`;

// What all fragments share: light, clipping, picking.
const LOOK = `
precision highp float;
precision highp int;
uniform vec4 clip;          // normal and offset: what lies beyond is cut away
uniform float hasClip;
uniform float isPicking;
uniform float selected;
uniform float opacity;
uniform float isFlat;       // in the plane nothing is shaded
uniform float pale;         // 0 to 1: how much of the colour is taken away
out vec4 result;

// The number of a body as a colour; 0 is nothing.
vec4 numbered(float body)
{
    int k = int(body + 0.5) + 1;
    return vec4(float(k & 255), float((k >> 8) & 255), float((k >> 16) & 255), 255.0) / 255.0;
}

vec3 lit(vec3 colour, vec3 normal, vec3 up)
{
    if (isFlat > 0.5) {
        return colour;
    }
    float key = max(dot(normal, normalize(vec3(-0.4, 0.55, 0.75))), 0.0);
    float fill = max(dot(normal, normalize(vec3(0.6, -0.1, 0.5))), 0.0);
    float sky = 0.5 + 0.5 * dot(normal, up);
    float rim = pow(1.0 - max(normal.z, 0.0), 3.0);
    vec3 shade = colour * (0.4 + 0.22 * sky + 0.46 * key + 0.14 * fill);
    return shade * (1.0 - 0.35 * rim) + vec3(0.06) * pow(key, 24.0);
}

// Of the body that is picked, and of images of bodies in a periodic cell.
vec3 marked(vec3 given, float body)
{
    vec3 colour = mix(given, isFlat > 0.5 ? vec3(1.0) : vec3(0.9), pale);
    return abs(body - selected) < 0.5 ? mix(colour, vec3(1.0, 0.42, 0.05), 0.72) : colour;
}
`;

// Solids and outlines. A template vertex is direction * (radius + wall * thickness), moved along z
// by along * length / 2 + cap * thickness; hulls are given by their vertices.
export const SOLID_VERTEX = `
${POSE}
in vec3 position;
#ifdef HAS_NORMAL
in vec3 normal;
#endif
#ifdef ROUND
in vec3 stretch;            // wall, along, cap
in vec3 measure;            // radius, length, thickness
#endif
in float body;
in float wall;
#ifdef INSTANCED
in vec3 at;
in vec4 turn;
#endif
out vec3 inward;
out vec3 viewNormal;
out vec3 world;
flat out float isOpen;
flat out float number;
out vec3 colour;

void main()
{
    int k = int(body + 0.5);
    vec4 first = placeOf(k), q = texelOf(pose, 2 * k + 1);
#ifdef ROUND
    vec3 x = position * (measure.x + stretch.x * measure.z);
#ifdef PLANE
    x.x += 0.5 * stretch.y * measure.y;
#else
    x.z += 0.5 * stretch.y * measure.y + stretch.z * measure.z;
#endif
#else
    vec3 x = position;
#endif
    vec3 n = vec3(0.0, 0.0, 1.0);
#ifdef HAS_NORMAL
    n = normal;
#endif
#ifdef INSTANCED
    x = at + turned(turn, x);
    n = turned(turn, n);
#endif
    world = first.xyz + turned(q, x);
    vec4 eye = viewMatrix * vec4(world, 1.0);
    inward = turned(q, n);
    viewNormal = mat3(viewMatrix) * inward;
    isOpen = first.w > 2.5 ? wall : 0.0;
    number = body;
    colour = texelOf(paint, k).rgb;
#ifdef EDGES
    gl_Position = projectionMatrix * nearer(eye);
    bool isHidden = first.w < 0.5;
#else
    gl_Position = projectionMatrix * eye;
    bool isHidden = first.w < 0.5 || abs(first.w - 2.0) < 0.5;
#endif
    if (isHidden) {
        gl_Position = NOWHERE;
    }
}`;

export const SOLID_FRAGMENT = `
${LOOK}
uniform mat4 viewMatrix;
uniform vec3 middle;
in vec3 inward;
in vec3 viewNormal;
in vec3 world;
flat in float isOpen;
flat in float number;
in vec3 colour;

void main()
{
    if (hasClip > 0.5 && dot(clip.xyz, world) > clip.w) {
        discard;
    }
#ifndef EDGES
    // Of a wall only the side that faces the scene is there, and only from within.
    if (isOpen > 0.5 && (!gl_FrontFacing || dot(inward, middle - world) < 0.0)) {
        discard;
    }
#endif
    if (isPicking > 0.5) {
        result = numbered(number);
        return;
    }
    vec3 up = mat3(viewMatrix) * vec3(0.0, 0.0, 1.0);
#ifdef EDGES
    result = vec4(marked(colour, number) * (isFlat > 0.5 ? 0.5 : 0.42), opacity);
#else
    vec3 c = marked(colour, number);
    vec3 n = normalize(viewNormal);
    if (!gl_FrontFacing && isFlat < 0.5) {
        // The inside of a body that has been cut: drawn as the cut itself.
        bool isCut = hasClip > 0.5;
        n = isCut ? normalize(mat3(viewMatrix) * clip.xyz) : -n;
        c = isCut ? mix(c, vec3(1.0), 0.25) : c;
    }
    result = vec4(lit(c, n, up), opacity);
#endif
}`;

// Spheres are squares towards the eye; the ray through each pixel finds the true surface.
export const SPHERE_VERTEX = `
${POSE}
in vec3 position;
in float body;
in vec3 at;
in float radius;
out vec3 corner;
out vec3 centre;
flat out float size;
flat out float number;
flat out vec4 spin;
out vec3 colour;

void main()
{
    int k = int(body + 0.5);
    vec4 first = placeOf(k);
    spin = texelOf(pose, 2 * k + 1);
    vec3 c = (viewMatrix * vec4(first.xyz + turned(spin, at), 1.0)).xyz;
    vec3 ahead = isParallel > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(c);
    vec3 side = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 over = cross(side, ahead);
    float far = dot(c, c), square = radius * radius;
    float grow = isParallel > 0.5 ? 1.0 : sqrt(far / max(far - square, 1e-6 * far));
    centre = c;
    size = radius;
    number = body;
    colour = texelOf(paint, k).rgb;
    corner = c + radius * grow * 1.02 * (position.x * side + position.y * over);
    gl_Position = projectionMatrix * vec4(corner, 1.0);
    if (first.w < 0.5 || abs(first.w - 2.0) < 0.5) {
        gl_Position = NOWHERE;
    }
}`;

export const SPHERE_FRAGMENT = `
${LOOK}
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform mat4 cameraMatrix;  // from the eye to the world
uniform float isParallel;
in vec3 corner;
in vec3 centre;
flat in float size;
flat in float number;
flat in vec4 spin;
in vec3 colour;

vec3 back(vec4 q, vec3 v)
{
    return v + 2.0 * cross(-q.xyz, cross(-q.xyz, v) + q.w * v);
}

void main()
{
    vec3 from = isParallel > 0.5 ? vec3(corner.xy, 0.0) : vec3(0.0);
    vec3 ray = isParallel > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(corner);
    vec3 to = centre - from;
    float along = dot(to, ray);
    float depth = size * size - dot(to, to) + along * along;
    if (depth < 0.0) {
        discard;
    }
    float root = sqrt(depth);
    float way = along - root;
    vec3 hit = from + way * ray;
    vec3 normal = (hit - centre) / size;
    vec3 c = marked(colour, number);
    if (hasClip > 0.5) {
        vec3 n = mat3(viewMatrix) * clip.xyz;
        float offset = clip.w + dot(n, (viewMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz);
        if (dot(n, hit) > offset) {
            float toPlane = (offset - dot(n, from)) / dot(n, ray);
            if (toPlane < way || toPlane > along + root) {
                discard;
            }
            hit = from + toPlane * ray;
            normal = n;
            c = mix(c, vec3(1.0), 0.25);
        }
    }
    vec4 screen = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 + 0.5 * screen.z / screen.w;
    if (isPicking > 0.5) {
        result = numbered(number);
        return;
    }
    // A darker belt shows how the ball turns.
    vec3 own = back(spin, mat3(cameraMatrix) * normal);
    float belt = smoothstep(0.10, 0.13, abs(own.z));
    c *= mix(0.8, 1.0, belt);
    result = vec4(lit(c, normal, mat3(viewMatrix) * vec3(0.0, 0.0, 1.0)), opacity);
}`;

// Balls as points, for crowds that a processor draws: one vertex each instead of four, no depth of its
// own, so that what is hidden costs little. Lit like balls; where two of them meet the line is that
// of two discs.
export const POINT_VERTEX = `
${POSE}
in float body;
in vec3 at;
in float radius;
uniform float pixels;       // of a metre at distance 1, or of a metre in parallel projection
flat out float number;
flat out vec3 colour;
flat out vec3 centre;

void main()
{
    int k = int(body + 0.5);
    vec4 first = placeOf(k);
    vec4 spin = texelOf(pose, 2 * k + 1);
    vec3 x = first.xyz + turned(spin, at);
    vec4 eye = viewMatrix * vec4(x, 1.0);
    number = body;
    colour = texelOf(paint, k).rgb;
    centre = x;
    // The point lies where the ball is nearest to the eye.
    vec3 near = isParallel > 0.5 ? eye.xyz + vec3(0.0, 0.0, radius) : eye.xyz * (1.0 - radius / max(length(eye.xyz), radius));
    gl_Position = projectionMatrix * vec4(near, 1.0);
    gl_PointSize = 2.0 * radius * pixels / (isParallel > 0.5 ? 1.0 : max(-eye.z, 1e-6));
    if (first.w < 0.5 || abs(first.w - 2.0) < 0.5) {
        gl_Position = NOWHERE;
    }
}`;

export const POINT_FRAGMENT = `
${LOOK}
uniform mat4 viewMatrix;
flat in float number;
flat in vec3 colour;
flat in vec3 centre;

void main()
{
    vec2 on = 2.0 * gl_PointCoord - 1.0;
    float far = dot(on, on);
    if (far > 1.0 || (hasClip > 0.5 && dot(clip.xyz, centre) > clip.w)) {
        discard;
    }
    if (isPicking > 0.5) {
        result = numbered(number);
        return;
    }
    vec3 normal = vec3(on.x, -on.y, sqrt(1.0 - far));
    result = vec4(lit(marked(colour, number), normal, mat3(viewMatrix) * vec3(0.0, 0.0, 1.0)), opacity);
}`;

// Disks: exact circles at any zoom, with a spoke that shows how they turn.
export const DISK_VERTEX = `
${POSE}
in vec3 position;
in float body;
in vec3 at;
in float radius;
out vec2 corner;
out vec3 world;
flat out float number;
out vec3 colour;

void main()
{
    int k = int(body + 0.5);
    vec4 first = placeOf(k);
    vec4 q = texelOf(pose, 2 * k + 1);
    corner = 1.02 * position.xy;
    world = first.xyz + turned(q, at + vec3(radius * corner, 0.0));
    number = body;
    colour = texelOf(paint, k).rgb;
    gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
    if (first.w < 0.5 || abs(first.w - 2.0) < 0.5) {
        gl_Position = NOWHERE;
    }
}`;

export const DISK_FRAGMENT = `
${LOOK}
in vec2 corner;
in vec3 world;
flat in float number;
in vec3 colour;

void main()
{
    float far = length(corner), pixel = fwidth(far);
    float cover = clamp((1.0 - far) / pixel + 0.5, 0.0, 1.0);
    if (cover <= 0.0 || (hasClip > 0.5 && dot(clip.xyz, world) > clip.w)) {
        discard;
    }
    if (isPicking > 0.5) {
        result = numbered(number);
        return;
    }
    vec3 c = marked(colour, number);
    float line = max(1.2 * pixel, 0.035);
    float ring = smoothstep(1.0 - line - pixel, 1.0 - line, far);
    float spoke = corner.x > 0.0 ? 1.0 - smoothstep(0.5 * line, 0.5 * line + pixel, abs(corner.y)) : 0.0;
    float detail = clamp(1.6 - 6.0 * pixel, 0.0, 1.0); // too small to see: no lines
    c = mix(c, c * 0.5, detail * max(ring, 0.7 * spoke));
    result = vec4(c, cover * opacity);
}`;

// Half-spaces and half-planes: a plane with a grid that fades far from the scene.
export const GROUND_VERTEX = `
${POSE}
in vec3 position;
in float body;
in vec3 at;
in vec4 turn;
uniform vec3 middle;
uniform float isFlat;
out vec2 spot;
out vec3 world;
flat out float number;
out vec3 colour;

void main()
{
    int k = int(body + 0.5);
    vec4 first = placeOf(k), q = texelOf(pose, 2 * k + 1);
    // The patch follows the scene: its middle is the point of the plane nearest to it.
    vec3 x = first.xyz + turned(q, at);
    vec3 ex = turned(q, turned(turn, vec3(1.0, 0.0, 0.0)));
    vec3 ey = turned(q, turned(turn, vec3(0.0, 1.0, 0.0)));
    vec2 away = vec2(dot(middle - x, ex), isFlat > 0.5 ? 0.0 : dot(middle - x, ey));
    spot = away + reach * (isFlat > 0.5 ? vec2(position.x, 0.5 * (position.y - 1.0)) : position.xy);
    world = x + spot.x * ex + spot.y * ey;
    number = body;
    colour = texelOf(paint, k).rgb;
    gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
    if (first.w < 0.5) {
        gl_Position = NOWHERE;
    }
}`;

export const GROUND_FRAGMENT = `
${LOOK}
uniform vec3 middle;
uniform vec3 ground;
uniform float reach;
uniform float step;
in vec2 spot;
in vec3 world;
flat in float number;
in vec3 colour;

void main()
{
    if (hasClip > 0.5 && dot(clip.xyz, world) > clip.w) {
        discard;
    }
    float far = length(world - middle) / reach;
    float fade = isFlat > 0.5 ? 1.0 : 1.0 - smoothstep(0.35, 0.95, far);
    if (isPicking > 0.5) {
        if (fade < 0.3) {
            discard;
        }
        result = numbered(number);
        return;
    }
    vec3 c = abs(number - selected) < 0.5 ? marked(ground, number) : ground;
    if (isFlat > 0.5) {
        float depth = -spot.y, pixel = fwidth(spot.y);
        float surface = 1.0 - smoothstep(1.5 * pixel, 2.5 * pixel, depth);
        fade = 1.0 - smoothstep(0.0, 0.5 * reach, depth);
        result = vec4(mix(c, c * 0.45, surface), fade);
        return;
    }
    vec2 cell = abs(fract(spot / step - 0.5) - 0.5) * step / fwidth(spot);
    float line = 1.0 - min(min(cell.x, cell.y), 1.0);
    result = vec4(mix(c, c * 0.88, line), fade);
}`;

// Rods and arrows between two points of the world, for forces, velocities and joints.
export const ROD_VERTEX = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float isArrow;
uniform vec4 halo;          // its colour, and how much wider than the rod it is [m]; 0: none
in vec3 position;           // x y: around the axis, z: 0 to 1 along it
in vec3 normal;
in vec3 from;
in vec3 to;
in float width;
in vec3 tint;
out vec3 viewNormal;
out vec3 world;
out vec3 colour;

void main()
{
    vec3 axis = to - from;
    float size = length(axis);
    axis = size > 0.0 ? axis / size : vec3(0.0, 0.0, 1.0);
    vec3 side = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0)));
    vec3 over = cross(axis, side);
    float z = position.z;
    if (isArrow > 0.5) {
        // Heads keep their shape: z above 1 counts in widths back from the tip.
        float head = min(4.0 * width, 0.6 * size) / max(size, 1e-30);
        z = z > 1.5 ? 1.0 : z * (1.0 - head);
    }
    float around = width + halo.w;
    world = from + axis * (size * z) + around * (position.x * side + position.y * over);
    viewNormal = mat3(viewMatrix) * (normal.x * side + normal.y * over + normal.z * axis);
    colour = halo.w > 0.0 ? halo.rgb : tint;
    gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
    if (width <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}`;

export const ROD_FRAGMENT = `
${LOOK}
uniform mat4 viewMatrix;
in vec3 viewNormal;
in vec3 world;
in vec3 colour;

void main()
{
    if (hasClip > 0.5 && dot(clip.xyz, world) > clip.w) {
        discard;
    }
    result = vec4(lit(colour, normalize(viewNormal), mat3(viewMatrix) * vec3(0.0, 0.0, 1.0)), opacity);
}`;

// Contact points: dots of one size on the screen.
export const DOT_VERTEX = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float size;
in vec3 position;
in vec3 tint;
out vec3 world;
out vec3 colour;

void main()
{
    world = position;
    colour = tint;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    gl_PointSize = size;
}`;

export const DOT_FRAGMENT = `
${LOOK}
in vec3 world;
in vec3 colour;

void main()
{
    float far = 2.0 * length(gl_PointCoord - 0.5);
    if (far > 1.0 || (hasClip > 0.5 && dot(clip.xyz, world) > clip.w)) {
        discard;
    }
    result = vec4(far > 0.72 ? vec3(1.0) : colour, 1.0);
}`;

// Faces with a colour per corner: patches, openings.
export const FACE_VERTEX = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 tint;
out vec3 world;
out vec3 colour;

void main()
{
    world = position;
    colour = tint;
    vec4 eye = viewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * vec4(0.9985 * eye.xyz, 1.0);
}`;

export const FACE_FRAGMENT = `
${LOOK}
in vec3 world;
in vec3 colour;

void main()
{
    if (hasClip > 0.5 && dot(clip.xyz, world) > clip.w) {
        discard;
    }
    result = vec4(colour, opacity);
}`;

// Meshes: nodes in the world; the colour of the body, or that of the map at the level of the node.
// Normals are those of the triangle on the screen.
export const MESH_VERTEX = `
${POSE}
in vec3 position;
in float level;
in float body;
out vec3 eyeAt;
out vec3 world;
out float height;
flat out float number;
flat out vec3 colour;

void main()
{
    int k = int(body + 0.5);
    float flag = texelOf(pose, 2 * k).w;
    world = position;
    height = level;
    number = body;
    colour = texelOf(paint, k).rgb;
    vec4 eye = viewMatrix * vec4(world, 1.0);
    eyeAt = eye.xyz;
#ifdef EDGES
    gl_Position = projectionMatrix * nearer(eye);
    bool isHidden = flag < 0.5;
#else
    gl_Position = projectionMatrix * eye;
    bool isHidden = flag < 0.5 || abs(flag - 2.0) < 0.5;
#endif
    if (isHidden) {
        gl_Position = NOWHERE;
    }
}`;

export const MESH_FRAGMENT = `
${LOOK}
precision highp sampler2D;
uniform mat4 viewMatrix;
uniform sampler2D mapTable;
uniform float hasLevels;
in vec3 eyeAt;
in vec3 world;
in float height;
flat in float number;
flat in vec3 colour;

void main()
{
#ifndef CUT // the section itself
    if (hasClip > 0.5 && dot(clip.xyz, world) > clip.w) {
        discard;
    }
#endif
    if (isPicking > 0.5) {
        result = numbered(number);
        return;
    }
    vec3 c = colour;
    if (hasLevels > 0.5) {
        c = texelFetch(mapTable, ivec2(int(255.0 * clamp(height, 0.0, 1.0) + 0.5), 0), 0).rgb;
    }
#ifdef EDGES
    result = vec4(c * 0.5, (isFlat > 0.5 ? 0.5 : 1.0) * opacity);
#else
    vec3 n = normalize(cross(dFdx(eyeAt), dFdy(eyeAt)));
    c = abs(number - selected) < 0.5 ? mix(c, vec3(1.0, 0.42, 0.05), hasLevels > 0.5 ? 0.25 : 0.6) : c;
    result = vec4(lit(c, n.z < 0.0 ? -n : n, mat3(viewMatrix) * vec3(0.0, 0.0, 1.0)), opacity);
#endif
}`;
