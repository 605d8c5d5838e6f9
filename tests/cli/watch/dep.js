exports.value = 1;
