module.exports = "both.js";
