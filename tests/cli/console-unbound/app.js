const { log, error } = console;
log("unbound");
[1, 2].forEach(log);
error("unbound error");
console.log(Object.keys(console).slice(0, 5).length, typeof console.Console, String(console));
