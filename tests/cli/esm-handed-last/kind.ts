export enum Kind { Small, Big }
export namespace Tools { export const size = 3; }
export default Kind.Big;
