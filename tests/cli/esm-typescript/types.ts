export interface Shape {
  radius: number;
}
export type OnlyAType = { only: true };
export const circle = (radius: number): Shape => ({ radius });
export function area({ radius }: Shape) {
  return Math.round(Math.PI * radius ** 2);
}
