console.log(process.cwd(), __dirname.split("/").at(-1));
