function endless() {
  endless();
}
endless();
