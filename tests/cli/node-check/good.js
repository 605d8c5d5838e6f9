console.log("never")
