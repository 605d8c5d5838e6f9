const port: number = 0;
export default { port, fetch: () => new Response("x") };
setTimeout(() => process.exit(0), 1);
