globalThis.loads = (globalThis.loads ?? 0) + 1;
exports.n = globalThis.loads;
