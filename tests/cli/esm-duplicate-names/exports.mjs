export const a = 1; const b = 1; export { b as a };
