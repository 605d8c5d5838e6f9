console.log("first", require.main === undefined);
globalThis.fromFirst = 1;
