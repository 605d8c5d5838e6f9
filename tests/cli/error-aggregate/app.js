throw new AggregateError([new Error("first"), new TypeError("second")], "both failed");
