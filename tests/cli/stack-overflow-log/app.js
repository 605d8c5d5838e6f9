// Whatever is printed, nothing may crash.
const deep = [];
let at = deep;
for (let i = 0; i < 100000; i++) at = at[0] = { a: [] }.a;
console.log(deep);
for (const depth of [Infinity, 1e9]) {
  try {
    console.dir(deep, { depth });
  } catch (error) {
    console.error(error.name);
  }
}
console.log("still here");
