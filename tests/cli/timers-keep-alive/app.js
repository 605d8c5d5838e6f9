const unref = setTimeout(() => console.log("never"), 100_000).unref();
console.log(unref.hasRef());
const again = setTimeout(() => console.log("ref"), 2).unref().ref();
console.log(again.hasRef());
const interval = setInterval(() => {
  if (++n === 3) {
    clearInterval(interval);
    console.log("cleared");
  }
}, 4);
let n = 0;
