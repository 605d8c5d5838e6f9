throw new Error("not loaded");
