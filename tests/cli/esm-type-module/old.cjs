console.log(typeof module, __filename.slice(-7));
module.exports = { old: true };
