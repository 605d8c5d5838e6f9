function where() {
  console.trace("here", { a: 1 });
}
where();
