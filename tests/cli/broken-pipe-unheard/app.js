setTimeout(() => {
  for (let i = 0; i < 10; i++) console.log("x".repeat(100000));
}, 100);
