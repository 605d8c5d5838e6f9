exports.serialize = (v) => { throw require("internal/errors").notImplemented("v8.serialize"); };
