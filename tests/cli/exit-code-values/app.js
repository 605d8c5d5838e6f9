for (const value of ["x", 1.5, {}, true, NaN, "", Infinity]) {
  try {
    process.exitCode = value;
    console.log("accepted", value);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
for (const value of ["7", undefined, null, 0]) {
  process.exitCode = value;
  console.log(process.exitCode);
}
