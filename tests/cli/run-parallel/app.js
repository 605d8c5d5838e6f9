console.log("script, not file")
