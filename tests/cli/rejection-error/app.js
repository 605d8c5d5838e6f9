async function load() {
  throw new Error("not loaded");
}
load();
setTimeout(() => console.log("never"), 1000);
