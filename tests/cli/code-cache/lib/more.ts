export const value = "more" as const; export let changes: number = 1; changes++;
