// internal/vm_memory -- vm.measureMemory(): the contexts of node:vm and what the heap holds.
//
// The engine has one heap for all contexts and does not tell whose an object is; so each is said to
// hold its share.
const contexts = new Set(); // WeakRefs
const gone = new FinalizationRegistry((ref) => contexts.delete(ref));
let hasWarned = false;

exports.add = function add(object) {
  const ref = new WeakRef(object);
  contexts.add(ref);
  gone.register(object, ref);
};

exports.measure = async function measure(mode) {
  if (!hasWarned) {
    hasWarned = true;
    process.emitWarning(
      "vm.measureMemory is an experimental feature and might change at any time",
      "ExperimentalWarning",
    );
  }
  const { heapUsed } = process.memoryUsage();
  const estimate = (n) => ({ jsMemoryEstimate: n, jsMemoryRange: [n, heapUsed] });
  const total = estimate(heapUsed);
  if (mode === "summary") return { total };
  const n = [...contexts].filter((ref) => ref.deref() !== undefined).length;
  const share = Math.floor(heapUsed / (n + 1));
  return {
    total,
    current: estimate(share),
    other: Array.from({ length: n }, () => estimate(share)),
  };
};
