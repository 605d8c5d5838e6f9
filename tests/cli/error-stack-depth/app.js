function down(n) {
  if (n === 0) throw new Error("deep");
  down(n - 1);
}
down(20);
