export * from "./self.mjs";
export * from "./kind.ts";
export { default } from "./kind.ts";
