exports.early = 1;
const b = require("./b");
module.exports = { late: 2, b };
