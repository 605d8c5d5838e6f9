globalThis.count = (globalThis.count ?? 0) + 1;
throw new Error("while loading");
