import { bar } from "./live";
function t() { return [bar, import.meta.file]; }
console.log(t());
export {};
