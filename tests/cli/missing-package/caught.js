for (const id of ["left-of-nothing", "@scope/nothing", "./nothing", "../nothing.js", "/nothing", "node:nothing", ""]) {
  try {
    require(id);
  } catch (error) {
    console.log(id, error.code, error.name);
  }
}
