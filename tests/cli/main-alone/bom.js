console.log("bom", 1);
