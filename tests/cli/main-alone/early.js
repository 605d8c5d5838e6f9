const main = process["mainMo" + "dule"];
console.log(main.loaded, main.exports === this);
return;
