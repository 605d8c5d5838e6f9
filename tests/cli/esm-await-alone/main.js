// Nothing but await says that this is a module.
for (let i = 1; i < 3; i++) console.log(await i);
