console.log("dep ran")
