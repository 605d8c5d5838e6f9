throw new Error("never");
