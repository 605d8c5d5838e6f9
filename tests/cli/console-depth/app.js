console.log({ a: { b: { c: { d: { e: { f: 1 } } } } } });
