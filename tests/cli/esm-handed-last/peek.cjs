exports.peek = (get) => {
  const seen = require("./plain.mjs");
  for (const read of [() => seen.value, () => Object.keys(seen).join(), () => Object.getOwnPropertyDescriptor(seen, "value"), get]) {
    try {
      console.log(read());
    } catch (error) {
      // What the engine itself says depends on whether stacks are V8's.
      console.log(read === get ? error.name : `${error.name} ${error.message}`);
    }
  }
  return 5;
};
