module.exports = { name: "manual pkg" };
