export const value: number = 1;
