module.exports = "file.js";
