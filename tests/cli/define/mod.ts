import { sep } from "node:path";
const on: boolean = DEBUG;
console.log(sep, on);
export {};
