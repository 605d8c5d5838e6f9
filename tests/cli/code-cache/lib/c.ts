export enum Kind { A = 1, B }
export const kind: Kind = Kind.B;
