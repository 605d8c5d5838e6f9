#!/usr/bin/env cob
console.log("hashbang", process.argv.slice(2));
