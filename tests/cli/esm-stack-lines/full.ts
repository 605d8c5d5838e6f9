enum Colour {
  Red,

  Green,
}


class Point {
  constructor(private x: number, readonly colour: Colour) {}
  fail(): never {
    throw new Error(`line 11 ${this.x} ${this.colour}`);
  }
}
new Point(1, Colour.Green).fail();
