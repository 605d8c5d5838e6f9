export enum Kind { A }
await 1;
export default [__filename.endsWith("/awaits.ts"), __dirname.length > 0, Kind.A];
