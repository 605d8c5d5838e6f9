console.log("secret");
