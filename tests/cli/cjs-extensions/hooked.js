module.exports = "HERE";
