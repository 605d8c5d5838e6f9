const order = [];
for (const ms of [500, 100, 300, 200, 400, 100]) setTimeout(() => order.push(ms / 100), ms);
setTimeout(() => console.log(order.join(" ")), 900);
const t = setTimeout(() => console.log("never"), 20);
setTimeout(() => clearTimeout(t), 1);
const begin = Date.now();
while (Date.now() - begin < 550);
