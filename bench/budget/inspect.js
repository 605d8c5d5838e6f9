// A large value, printed once.
const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, name: `row ${i}`, tags: ["a", "b"], at: { x: i, y: null } }));
console.log(rows);
