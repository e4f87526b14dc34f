import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "./figure";

/** What a bench may be asked for beside its name. */
export interface BenchOptions {
  /** Rows of its fixture; the bench's own default where undefined. */
  rows: number | undefined;
}

const support = ["run", "figure", "lookup-world", "fingerprint"];
const benches = readdirSync(new URL(".", import.meta.url))
  .map((file) => basename(file, ".ts"))
  .filter((name) => !support.includes(name));

const { values, positionals } = parseArgs({ options: { rows: { type: "string" } }, allowPositionals: true });
const [name = ""] = positionals;
const rows = values.rows === undefined ? undefined : Number(values.rows);
if (!benches.includes(name) || (rows !== undefined && !(Number.isInteger(rows) && rows > 0))) {
  console.error(`Usage: npm run bench -- NAME [--rows N]\nNAME is one of: ${benches.join(", ")}`);
  process.exit(2);
}

const command = `npm run bench -- ${name}${rows === undefined ? "" : ` --rows ${rows}`}`;
const { run }: { run(options: BenchOptions): Promise<Figure[]> } = await import(`./${name}.ts`);
for (const { ours, bare, goal, ...figure } of await run({ rows })) {
  const ratio = ours / bare;
  const met = goal === null ? null : figure.unit === "1/s" ? ratio >= goal : ratio <= goal;
  console.log(
    JSON.stringify({ ...figure, ours: short(ours), bare: short(bare), ratio: short(ratio), goal, met, command }),
  );
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
