export let bar = 1; bar++;
