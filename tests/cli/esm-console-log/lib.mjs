export const number = 1;
export function fn() {}
export class Class {}
export default { a: [1] };
export const text = "text";
