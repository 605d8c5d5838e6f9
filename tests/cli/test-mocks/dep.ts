export const foo = () => "real"; export default 1; export let bar = 5;
