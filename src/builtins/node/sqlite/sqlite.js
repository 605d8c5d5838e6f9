// node:sqlite -- the names of Node's SQLite (Node: sqlite), which is not there yet.
require("internal/unavailable").define(exports, "sqlite", [
  "DatabaseSync", "StatementSync", "Session", "backup",
]);
exports.constants = {
  __proto__: null,
  SQLITE_CHANGESET_DATA: 1,
  SQLITE_CHANGESET_NOTFOUND: 2,
  SQLITE_CHANGESET_CONFLICT: 3,
  SQLITE_CHANGESET_CONSTRAINT: 4,
  SQLITE_CHANGESET_FOREIGN_KEY: 5,
  SQLITE_CHANGESET_OMIT: 0,
  SQLITE_CHANGESET_REPLACE: 1,
  SQLITE_CHANGESET_ABORT: 2,
};
