exports.lib = 1
