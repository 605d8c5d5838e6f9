export function thrower() {
  const at = 1;
  throw new Error("line 3");
}
