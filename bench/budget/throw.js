function check(value) {
  throw new TypeError(`not a ${value}`);
}
check("number");
