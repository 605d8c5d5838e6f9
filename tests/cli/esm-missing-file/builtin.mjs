import "node:nothing";
