exports.peek = (get) => {
  const seen = require("./plain.mjs");
  for (const read of [() => seen.value, () => Object.keys(seen).join(), () => Object.getOwnPropertyDescriptor(seen, "value"), get]) {
    try { console.log(read()); } catch (error) { console.log(error.name, error.message); }
  }
  return 5;
};
