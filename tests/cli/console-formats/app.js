console.log("%s is %d years and %i months, %f", "Bob", 42.5, 42.5, "1.25");
console.log("%j %o %O", { a: 1 }, { b: [1] }, { c: { d: 1 } });
console.log("%c styled", "color: red");
console.log("100%", "%", "%%", "%x", "%s");
console.log("%s", "a", "b", { c: 1 });
console.log("%d", "abc", "%d");
console.log("%s %s", "one");
console.log("%s %s %s", null, undefined, true);
console.log(1, "%s", 2);
