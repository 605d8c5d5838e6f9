console.log("index of", __dirname.split("/").at(-1));
