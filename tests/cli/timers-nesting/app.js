const order = [];
for (const ms of [5, 1, 3, 2, 4, 1]) setTimeout(() => order.push(ms), ms);
setTimeout(() => console.log(order.join(" ")), 60);
const t = setTimeout(() => console.log("cleared in time?"), 2);
setTimeout(() => clearTimeout(t), 1);
const begin = Date.now();
while (Date.now() - begin < 15);
