exports.helper = function helper(b) {
  for (let i = 0; i < 3; i++) b++;
  return b;
};
exports.never = () => {
  return 1;
};
