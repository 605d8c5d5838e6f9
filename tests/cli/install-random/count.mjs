export const PROJECTS = 25;
export const SEED = 1000;
