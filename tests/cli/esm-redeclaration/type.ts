import {readFileSync} from 'fs';
let readFileSync = 1;
console.log(readFileSync);
