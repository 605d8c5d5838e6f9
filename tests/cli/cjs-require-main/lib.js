module.exports = require.main === module ? "main" : "not main";
if (require.main === module) console.log("started");
