process.on("warning", (w) => console.log("event", w.name, w.message, w.code));
process.emitWarning("careful");
process.emitWarning("old", "DeprecationWarning", "DEP0999");
process.emitWarning("old", "DeprecationWarning", "DEP0999");
process.emitWarning("custom", { type: "Custom", code: "C1", detail: "more" });
