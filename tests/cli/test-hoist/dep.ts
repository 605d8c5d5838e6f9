console.log("dep evaluated");
export const get = () => "real";
export class Thing { run() { return 1; } static make() { return new Thing(); } }
export const list = [1, 2];
export const n = 42;
export default function main() { return "main"; }
