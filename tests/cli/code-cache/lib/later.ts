const x: number = await Promise.resolve(3); export default x!;
