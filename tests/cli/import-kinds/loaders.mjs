import weird from "./data.weird";
import conf from "./data.conf";
console.log([weird], [conf]);
