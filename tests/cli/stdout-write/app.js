process.stdout.write("text, ");
process.stdout.write(new TextEncoder().encode("bytes, "));
process.stdout.write(new Uint8Array([104, 105, 10]), () => {
  console.log("written");
  process.stdout.write("in order\n");
});
process.stderr.write("to stderr\n");
for (const value of [null, 5, undefined, {}]) {
  try {
    process.stdout.write(value);
  } catch (error) {
    console.log(error.code);
  }
}
