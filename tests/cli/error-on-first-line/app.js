throw new Error("at once");
