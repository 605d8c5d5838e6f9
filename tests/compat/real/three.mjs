// What needs no screen: mathematics, geometry, scenes, rays, animation, JSON.
import * as T from "./node_modules/three/build/three.module.js";

const round = (v) => JSON.stringify(v, (k, x) => (k === "uuid" || k === "geometry" || k === "material" || k === "object" ? undefined : typeof x === "number" ? Number(x.toPrecision(10)) : x));
const scene = new T.Scene();
const mesh = new T.Mesh(new T.TorusKnotGeometry(1, 0.3, 32, 6), new T.MeshStandardMaterial({ color: 0x336699 }));
mesh.position.set(1, 2, 3);
mesh.quaternion.setFromEuler(new T.Euler(0.1, 0.2, 0.3, "ZYX"));
scene.add(mesh, new T.Mesh(new T.SphereGeometry(1, 8, 6)));
scene.updateMatrixWorld(true);
console.log(round(mesh.matrixWorld.clone().invert().elements));
mesh.geometry.computeBoundingBox();
mesh.geometry.computeVertexNormals();
console.log(round(mesh.geometry.boundingBox), round([...mesh.geometry.attributes.normal.array.slice(0, 12)]));
const hits = new T.Raycaster(new T.Vector3(0, 0, -5), new T.Vector3(0, 0, 1)).intersectObjects(scene.children);
console.log(hits.length, round(hits.map((x) => [x.distance, x.point, x.faceIndex])));
const curve = new T.CatmullRomCurve3([new T.Vector3(), new T.Vector3(1, 2, 0), new T.Vector3(3, 1, 1)]);
console.log(round(curve.getSpacedPoints(5)), curve.getLength().toFixed(8));
const mixer = new T.AnimationMixer(mesh);
mixer.clipAction(new T.AnimationClip("a", 2, [new T.VectorKeyframeTrack(".position", [0, 1, 2], [0, 0, 0, 1, 1, 1, 0, 2, 0])])).play();
mixer.update(0.75);
console.log(round(mesh.position), new T.Color("hsl(120, 50%, 40%)").getHexString());
const shape = new T.Shape().moveTo(0, 0).lineTo(2, 0).lineTo(2, 2).lineTo(0, 2);
shape.holes.push(new T.Path().absarc(1, 1, 0.5, 0, Math.PI * 2));
const solid = new T.ExtrudeGeometry(shape, { depth: 1, bevelEnabled: true, steps: 2 });
console.log(solid.attributes.position.count, round(solid.toJSON().data?.attributes.position.array.slice(0, 30) ?? solid.parameters.options));
console.log(new T.ObjectLoader().parse(scene.toJSON()).children.length, T.REVISION, Object.keys(T).length);
