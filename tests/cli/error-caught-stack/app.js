function inner() {
  return new Error("made here").stack;
}
class Thing {
  method() {
    return inner();
  }
  static make() {
    return new Thing().method();
  }
}
console.log(Thing.make());
try {
  null.x;
} catch (error) {
  console.log(error instanceof TypeError);
}
