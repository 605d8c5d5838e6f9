const lazy = (n) => n * 2;
module.exports = lazy(21);
