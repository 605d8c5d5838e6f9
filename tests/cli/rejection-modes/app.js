Promise.reject(new Error("with a reason"));
setTimeout(() => console.log("goes on"), 5);
