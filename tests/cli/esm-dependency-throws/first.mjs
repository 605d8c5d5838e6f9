console.log("first");
