import "./nothing";
