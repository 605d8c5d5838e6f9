console.log("app", require.main === module, globalThis.fromFirst);
