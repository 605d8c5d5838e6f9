module.exports = "sub/lib";
