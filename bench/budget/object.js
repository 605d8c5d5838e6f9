console.log({ name: "x", list: [1, 2, 3], nested: { map: new Map([["k", new Set([1])]]), date: new Date(0) }, f() {} });
