module.exports = ["b", require("leaf"), require("middle")];
