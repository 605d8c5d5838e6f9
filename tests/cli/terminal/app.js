console.log(process.stdin.isTTY, process.stdout.isTTY, process.stderr.isTTY);
console.log(process.stdout.columns, process.stdout.rows);
