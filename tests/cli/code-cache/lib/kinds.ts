export interface T { n: number }
export type { T as U };
export default function (): void {}
export const a: string = "a", b = 2 satisfies number;
export * from "./more.ts";
export * as nested from "./more.ts";
export { value as "quoted name" } from "./more.ts";
