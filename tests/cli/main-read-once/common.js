console.log(typeof require, typeof module.exports);
