export const twin: string = "twin.mts";
