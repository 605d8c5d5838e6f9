export const value = "a";
// Latin-1 and beyond: é €
export function fail() {
  const inner = () => {
    throw new Error("no");
  };
  return inner();
}
