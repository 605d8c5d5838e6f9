export const helper = "by tsconfig" as const;
