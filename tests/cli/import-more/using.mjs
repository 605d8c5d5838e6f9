for (await using x of [{ [Symbol.asyncDispose]: async () => console.log("disposed later") }]) console.log("body");
