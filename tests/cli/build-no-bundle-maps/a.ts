type A = number;
export function twice(x: A): A {
  return x * 2;
}
