export const value = "original";
