console.log("app.js");
