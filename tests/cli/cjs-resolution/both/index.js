module.exports = "both/index.js";
