exports.parse = function parse(text) {
  const inner = () => {
    throw new RangeError(`cannot parse ${text}`);
  };
  return inner();
};
