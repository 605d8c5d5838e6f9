console.log("second");
