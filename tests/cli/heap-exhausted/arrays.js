// Bounded, so that a limit that does not work does no harm.
let all = [];
try {
  for (let i = 0; i < 200; i++) all.push(new Array(5_000_000).fill(i));
  console.log("never");
} catch (error) {
  all = null;
  console.log(error.name, error.message);
}
