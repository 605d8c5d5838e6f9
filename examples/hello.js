// The smallest program: prints a greeting and what it runs on.
const os = process.platform + " " + process.arch;
console.log(`Hello from Cob ${process.versions.cob} on ${os}`);
console.log({ argv: process.argv.length, node: process.versions.node, list: [1, 2, 3] });
setTimeout(() => console.log("and good-bye"), 10);
