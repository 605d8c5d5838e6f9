interface A {
  a: number;
}
type B = A & { b: string };
export function thrower(a: A, b?: B): never {
  const x: number = a.a;
  throw new Error(`line 7 ${x}`);
}
thrower({ a: 1 } as A);
