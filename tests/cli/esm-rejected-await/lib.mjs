await 0;
throw new Error("after a wait");
