console.log(globalThis.loaded);
