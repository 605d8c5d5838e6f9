export * from "./b.mjs"; import "./b.mjs";
