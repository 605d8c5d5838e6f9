import "./nothing.mjs";
