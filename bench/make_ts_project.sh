#!/usr/bin/env bash
# bench/make_ts_project.sh DIR [N] -- writes a TypeScript project of N files (300) and prints its first
# file: services, models and helpers in folders with index files, which import each other as people do
# (types, defaults, namespaces, re-exports, an enum here and there), and which run in the end.
set -eu
dir=$1
n=${2:-300}
per=15 # files in a folder, its index.ts among them
folders=$(((n - 1 + per - 1) / per))
mkdir -p "$dir/src"
echo '{ "type": "module", "name": "project" }' >"$dir/package.json"
cat >"$dir/tsconfig.json" <<'END'
{ "compilerOptions": { "target": "esnext", "module": "esnext", "moduleResolution": "bundler",
  "strict": true, "baseUrl": ".", "paths": { "@/*": ["./src/*"] } } }
END
written=1
main=$dir/src/main.ts
: >"$main"
for ((f = 0; f < folders; f++)); do
    folder=$dir/src/area$f
    mkdir -p "$folder"
    : >"$folder/index.ts"
    for ((i = 1; i < per && written < n - 1; i++)); do
        {
            echo "import type { Options$f } from \"./index.ts\";"
            [ $i -gt 1 ] && echo "import { make$((i - 1)), type Item$((i - 1)) } from \"./item$((i - 1))\";"
            [ $f -gt 0 ] && echo "import { Kind$((f - 1)), describe as describeBelow } from \"@/area$((f - 1))\";"
            [ $((i % 5)) -eq 0 ] && echo "import * as first from \"./item1.ts\";"
            cat <<END

export interface Item$i { id: number; name: string; tags?: readonly string[]; parent?: Item$i | null }
export type Handler$i<T extends Item$i = Item$i> = (item: T, options?: Partial<Options$f>) => Promise<T> | T;

const cache = new Map<number, Item$i>();

export function make$i(id: number, name: string = "item$i"): Item$i {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const item: Item$i = { id, name, tags: [\`area$f\`, \`file$i\`] as const };
  cache.set(id, item);
  return item;
}

export class Service$i<T extends Item$i> {
  private readonly handlers: Handler$i<T>[] = [];
  protected count = 0;
  static readonly label: string = "service$i";

  on(handler: Handler$i<T>): this {
    this.handlers.push(handler);
    return this;
  }

  async run(item: T, options: Partial<Options$f> = {}): Promise<T> {
    let current = item;
    for (const handler of this.handlers) current = await handler(current, options);
    this.count += 1;
    return current as T;
  }

  get total(): number { return this.count; }
}

export const filter$i = <T extends Item$i>(items: readonly T[], wanted: (item: T) => boolean): T[] =>
  items.filter((item): item is T => wanted(item));
END
            [ $i -gt 1 ] && echo "export const chain$i = (id: number): Item$((i - 1))[] => [make$((i - 1))(id)];"
            [ $f -gt 0 ] && echo "export const below$i = (): string => describeBelow(Kind$((f - 1)).Small);"
            [ $((i % 5)) -eq 0 ] && echo "export const firsts$i = (): number => Object.keys(first).length;"
            [ $((i % 4)) -eq 0 ] && echo "export default Service$i;"
        } >"$folder/item$i.ts" || true
        echo "export * from \"./item$i\";" >>"$folder/index.ts"
        written=$((written + 1))
    done
    cat >>"$folder/index.ts" <<END
export interface Options$f { depth: number; verbose?: boolean }
export enum Kind$f { Small, Large = "large" }
export function describe(kind: Kind$f): string { return \`\${kind}\`; }
END
    written=$((written + 1))
    echo "import * as area$f from \"@/area$f/index.ts\";" >>"$main"
    last=$f
done
{
    echo "const all: object[] = [$(for ((f = 0; f <= last; f++)); do printf 'area%s, ' $f; done)];"
    echo 'let names = 0;'
    echo 'for (const area of all) names += Object.keys(area).length;'
    echo 'console.log(names);'
} >>"$main"
echo "$main"
