console.log("not reached either");
export const there = 1;
