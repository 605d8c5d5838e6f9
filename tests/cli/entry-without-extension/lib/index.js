console.log("index of lib");
