const d = require("node:domain").create();
d.run(() => setTimeout(() => { throw new Error("nobody listens"); }, 1));
