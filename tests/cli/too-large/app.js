for (const [name, fn] of Object.entries({
  array: () => new Array(2 ** 32),
  repeat: () => "x".repeat(2 ** 31),
  join: () => new Array(2 ** 30).fill().join("xxxxxxxx"),
  buffer: () => new ArrayBuffer(2 ** 53),
  bytes: () => new Uint8Array(2 ** 40),
  bigint: () => 2n ** (2n ** 40n),
  padEnd: () => "x".padEnd(2 ** 33),
})) {
  if (name === "join") continue;
  try {
    fn();
    console.log(name, "returned");
  } catch (error) {
    console.log(name, error.name);
  }
}
