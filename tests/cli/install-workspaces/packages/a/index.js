module.exports = [require("leaf"), require("@m/b")];
