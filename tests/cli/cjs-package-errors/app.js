for (const id of ["bad-json", "exported/nothing", "exported", "bad-target", "@scope", "#nothing", "./app.js/x"]) {
  try {
    console.log(id, require(id));
  } catch (error) {
    console.log(id, error.code, error.name);
  }
}
