const a: string = "loose"; console.log(a, typeof require);
