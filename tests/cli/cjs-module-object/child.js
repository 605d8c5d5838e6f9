exports.parentIsMain = module.parent === require.main;
exports.isMain = require.main === module;
exports.loadedInside = module.loaded;
exports.file = __filename;
