if (true) {
  console.log("returns at the top");
  return;
}
console.log("never");
