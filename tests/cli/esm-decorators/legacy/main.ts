const seen: string[] = [];
function note(label: string): any {
  return (target: any, key?: string, at?: any) => {
    seen.push(`${label} ${key ?? target.name} ${typeof at}`);
  };
}
@note("class")
class Service {
  @note("field") size = 1;
  @note("method") run(@note("parameter") n: number) {
    return n;
  }
}
console.log(seen.join("\n"));
console.log(new Service().run(3));
