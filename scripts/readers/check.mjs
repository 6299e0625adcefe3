// Reads the fixtures with DuckDB, parquet-wasm and Arrow for JavaScript, and
// compares counts, nulls, sums and extremes per column with expected.json.
// Usage: node check.mjs DIR. Exits 1 on any difference.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC, compressionRegistry, CompressionType } from "apache-arrow";
import { decompress } from "fzstd";
import * as parquet from "parquet-wasm";

const dir = process.argv[2];
const expected = JSON.parse(readFileSync(join(dir, "expected.json"), "utf8"));
let checked = 0, wrong = 0;

function compare(what, got, want) {
  checked++;
  const near = typeof want === "number" ? Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want)) : got === want;
  if (!near) {
    wrong++;
    console.error(`${what}: got ${got}, want ${want}`);
  }
}

function compareAll(reader, set, found) {
  compare(`${set.name} ${reader} rows`, found.rows, set.rows);
  for (const want of set.findings) {
    const got = found.columns.get(want.column);
    const at = `${set.name} ${reader} ${want.column}`;
    if (!got) { compare(`${at} present`, false, true); continue; }
    compare(`${at} nulls`, got.nulls, want.nulls);
    compare(`${at} sum`, got.sum, want.sum);
    if (want.text && want.nulls < set.rows) {
      compare(`${at} min`, got.min, want.min);
      compare(`${at} max`, got.max, want.max);
    }
  }
}

const quoted = (name) => `"${name}"`;
const value = (x) => (typeof x === "bigint" ? Number(x) : x);

async function duckdb(db, source, set) {
  const parts = ["count(*)"];
  for (const f of set.findings) {
    const c = quoted(f.column);
    const sum = f.text ? `sum(strlen(${c}))` : `sum(${c}::DOUBLE)`;
    // min and max of the strings also use the file's own statistics.
    parts.push(`count(*) - count(${c})`, `coalesce(${sum}::DOUBLE, 0)`, f.text ? `min(${c}::VARCHAR)` : "NULL", f.text ? `max(${c}::VARCHAR)` : "NULL");
  }
  const rows = (await (await db.run(`SELECT ${parts.join(", ")} FROM ${source}`)).getRowsJS())[0];
  const columns = new Map();
  set.findings.forEach((f, i) => {
    const [nulls, sum, min, max] = rows.slice(1 + 4 * i, 5 + 4 * i).map(value);
    columns.set(f.column, { nulls, sum, min, max });
  });
  return { rows: value(rows[0]), columns };
}

function arrow(table, set) {
  const columns = new Map();
  for (const field of table.schema.fields) {
    const f = set.findings.find((x) => x.column === field.name);
    const found = { nulls: 0, sum: 0, min: undefined, max: undefined };
    for (const x of table.getChild(field.name)) {
      if (x === null) { found.nulls++; continue; }
      found.sum += typeof x === "string" ? Buffer.byteLength(x) : Number(x);
      if (f?.text) {
        if (found.min === undefined || x < found.min) found.min = x;
        if (found.max === undefined || x > found.max) found.max = x;
      }
    }
    columns.set(field.name, found);
  }
  return { rows: table.numRows, columns };
}

// Filters must skip row groups by statistics and still find the rows.
async function pointQuery(db, file, set) {
  if (set.rows === 0) return;
  const last = set.rows;
  const rows = await (await db.run(`SELECT count(*) FROM read_parquet('${file}') WHERE job_id = ${last}`)).getRowsJS();
  compare(`${set.name} duckdb row of job ${last}`, value(rows[0][0]), 1);
  const user = set.findings.find((f) => f.column === "user");
  if (user.max) {
    const most = await (await db.run(`SELECT count(*) FROM read_parquet('${file}') WHERE "user" >= '${user.max.replaceAll("'", "''")}'`)).getRowsJS();
    compare(`${set.name} duckdb rows of the last user`, value(most[0][0]) > 0, true);
  }
}

async function main() {
  // A copy, because Arrow needs buffers that begin at a multiple of 8 bytes.
  compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => decompress(bytes).slice() });
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  for (const set of expected) {
    if (!set.findings) set.findings = expected[0].findings.map((f) => ({ ...f, nulls: 0, sum: 0 }));
    const file = (ext) => join(dir, set.name, `jobs.${ext}`);
    compareAll("duckdb parquet", set, await duckdb(db, `read_parquet('${file("parquet")}')`, set));
    await pointQuery(db, file("parquet"), set);
    const csvTypes = set.findings.filter((f) => f.text).map((f) => `'${f.column}': 'VARCHAR'`).join(", ");
    compareAll("duckdb csv", set, await duckdb(db, `read_csv('${file("csv")}', header = true, types = {${csvTypes}})`, set));
    const wasm = parquet.readParquet(readFileSync(file("parquet")));
    compareAll("parquet-wasm", set, arrow(tableFromIPC(wasm.intoIPCStream()), set));
    compareAll("arrow stream", set, arrow(tableFromIPC(readFileSync(file("arrow"))), set));
  }
  console.log(`${checked} figures compared, ${wrong} differ`);
  process.exitCode = wrong > 0 || checked === 0 ? 1 : 0;
}

await main();
