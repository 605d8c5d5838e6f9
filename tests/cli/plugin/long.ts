export const long: string = "long"; console.log("long runs");
