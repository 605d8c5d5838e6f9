function inner() {
  throw new TypeError("in a dependency");
}
inner();
