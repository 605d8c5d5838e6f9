globalThis.preloaded = "yes"; beforeEach(() => console.log("each"));
