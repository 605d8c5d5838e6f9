setTimeout(function later() {
  throw new Error("from a timer");
}, 1);
