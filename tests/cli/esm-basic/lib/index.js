export const a = "a";
export default "b";
