module.exports = "pkg/start.js";
