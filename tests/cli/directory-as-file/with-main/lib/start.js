console.log("main of a package");
