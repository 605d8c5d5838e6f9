export * from "./one.mjs";
export * from "./two.mjs";
