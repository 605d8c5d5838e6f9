(globalThis.loaded ??= []).push(2);
