export enum Kind {
  One,
}
export const state: { n: number } = { n: 0 };
export function boom(): never {
  throw new Error(`boom ${Kind[0]}`);
}
