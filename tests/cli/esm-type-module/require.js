console.log(typeof require, typeof exports);
