export const value: string = "from lib";
