// node:sea -- this program was not made by Node's single executable applications (Node: sea).
exports.isSea = function isSea() {
  return false;
};
for (const name of ["getAsset", "getRawAsset", "getAssetAsBlob", "getAssetKeys"]) {
  exports[name] = {
    [name]() {
      const error = new Error(
        "Operation cannot be invoked when not in a single-executable application",
      );
      error.code = "ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION";
      throw error;
    },
  }[name];
}
