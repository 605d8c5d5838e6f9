const first = 1;
// A comment before it.
function check(value) {
  if (value > first) {
    throw new TypeError("value is too large: " + value);
  }
}

check(2);
