console.log("man evaluated");
export const who = () => "real";
