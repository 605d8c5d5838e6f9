// internal/set_of -- a Set of what is in an array.  `new Set(array)` asks the array for its
// iterator, which programs may have replaced or deleted.
exports.setOf = function setOf(list) {
  const set = new Set();
  for (let i = 0; i < list.length; i++) set.add(list[i]);
  return set;
};
