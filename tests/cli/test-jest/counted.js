module.exports = { made: true };
