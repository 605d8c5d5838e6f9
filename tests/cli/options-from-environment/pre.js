globalThis.loaded = true;
