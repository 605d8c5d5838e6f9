globalThis.kept = 1;
