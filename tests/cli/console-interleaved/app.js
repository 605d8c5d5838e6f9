for (let i = 0; i < 5; i++) {
  console.log("out", i);
  console.error("err", i);
  process.stdout.write(`write ${i}\n`);
}
