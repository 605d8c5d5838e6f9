module.exports = "pkg-bad/index.js";
