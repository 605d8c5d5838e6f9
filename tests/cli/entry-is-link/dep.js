module.exports = "dep";
