// Not touched before, and after listing: ordinary data properties.
Object.keys(globalThis);
for (const name of ["URL", "clearTimeout", "console", "process"]) {
  const d = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, typeof d.value, d.writable, d.enumerable, d.configurable, "get" in d);
}
