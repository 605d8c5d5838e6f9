(globalThis.loaded ??= []).push(1);
