module.exports = { lib: true };
