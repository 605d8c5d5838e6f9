export const value = 1;
export default function () {}
export { value as "a b", value as __proto__ };
