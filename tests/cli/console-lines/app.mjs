for await (const line of console) console.log(JSON.stringify(line));
