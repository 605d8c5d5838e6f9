module.exports = "lib2";
