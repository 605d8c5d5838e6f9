export function double(n) {
  return 2 * n;
}
export function unused() {
  return 1;
}
