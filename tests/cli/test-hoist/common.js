exports.f = () => "cjs real";
exports.g = 1;
