console.log(globalThis.loaded, process.argv.length, { a: { b: { c: { d: 1 } } } });
