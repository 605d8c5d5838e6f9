exports.value = "original";
