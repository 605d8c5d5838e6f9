// Most of what the system gives is taken first, untouched, so that little has to be filled.
const taken = [];
try {
  for (let i = 0; i < 1000; i++) taken.push(new ArrayBuffer(16 << 20));
} catch {}
// Bounded, so that a limit that does not work does no harm.
let all = null;
for (let i = 0; i < 10_000_000; i++) all = { next: all, list: new Array(60).fill(i) };
console.log("never", taken.length);
