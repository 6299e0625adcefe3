// Runs a page's lines of DuckDB on a run and a sweep: node readme.mjs PAGE DIR, where DIR has
// them as out and load. Exits 1 if one fails or finds nothing.
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const text = readFileSync(process.argv[2], "utf8");
process.chdir(process.argv[3]);
const db = await (await DuckDBInstance.create()).connect();
let statements = 0;
for (const [, block] of text.matchAll(/```sql\n(.*?)```/gs)) {
  for (const sql of block.split(";").filter((s) => s.trim())) {
    const rows = await (await db.run(sql)).getRowsJS();
    if (rows.length === 0) throw new Error(`nothing is found by ${sql}`);
    statements++;
  }
}
if (statements === 0) throw new Error(`${process.argv[2]} has no lines of DuckDB`);
console.log(`${process.argv[2]}: ${statements} statements of DuckDB run`);
