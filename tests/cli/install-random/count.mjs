export const PROJECTS = 25;
export const SEED = 1000;
export const KINDS = {}; // all of them: see generate.mjs
