throw new Error("one\ntwo\nthree");
