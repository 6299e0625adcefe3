// Wants the same jobs from rows of Google's trace of 2019 through bourse and
// through scripts/google2019.sql in DuckDB, row by row and in the same order: from
// JSON lines and from Parquet, of made-up rows full of ties and nonsense, and of
// real rows of 2011 in the form of 2019 where those are at hand.
// Usage: node google.mjs BOURSE SCRIPTS DIR [GOOGLE2011]. Exits 1 on a difference.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const [bourse, scripts, dir, real] = process.argv.slice(2);
const sql = readFileSync(join(scripts, "google2019.sql"), "utf8");
const views = readFileSync(join(scripts, "google2019-views.sql"), "utf8");
const columns = ["job_id", "task", "pieces", "submit_us", "wait_us", "run_us", "procs", "cpu", "memory", "status", '"user"', "priority", "class", "attempt", "wasted_us"];
const kinds = ["SUBMIT", "QUEUE", "ENABLE", "SCHEDULE", "EVICT", "FAIL", "FINISH", "KILL", "LOST", "UPDATE_PENDING", "UPDATE_RUNNING"];

// The numbers of a linear congruential generator (Numerical Recipes).
let state = 1;
const below = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};

// Rows of tasks that mostly behave: each event follows from the last, at times that
// often coincide and sometimes lie more than an hour apart.
function madeUp(tasks) {
  const likely = { dead: [0, 0, 0, 1, 2, 3, 7, 9], waiting: [3, 3, 3, 2, 9, 7, 0, 4], running: [4, 5, 6, 7, 8, 10, 0, 3, 6, 4] };
  const rows = [], owners = [];
  for (let job = 1; job <= tasks / 4; job++) {
    if (job % 9) owners.push({ collection_id: String(job), user: `user${below(20)}`, type: "SUBMIT" });
    for (let task = 0; task < 4; task++) {
      let at = below(3) ? 600_000_000 + below(40) * 300_000_000 : 0, is = "dead";
      for (let n = 2 + below(14); n > 0; n--) {
        const kind = likely[is][below(likely[is].length)];
        if (kind <= 2 && is === "dead") is = "waiting";
        else if (kind === 3) is = "running";
        else if (kind >= 4 && kind <= 8) is = "dead";
        const row = { time: String(at), collection_id: String(job), instance_index: task, type: below(2) ? kinds[kind] : kind, collection_type: job % 31 ? "0" : "ALLOC_SET" };
        if (below(5)) row.resource_request = below(6) ? { cpus: below(64) / 64, memory: below(64) / 128 } : { memory: 0.25 };
        if (below(4)) row.priority = below(12);
        if (below(4)) row.scheduling_class = String(below(4));
        rows.push(row);
        at = Math.max(at, 600_000_000) + [0, 0, 1, 60_000_000, 3600_000_000, 3600_000_001, 7200_000_000][below(7)];
      }
    }
  }
  for (let i = rows.length - 1; i > 0; i--) {
    const k = below(i + 1);
    [rows[i], rows[k]] = [rows[k], rows[i]];
  }
  return [rows, owners];
}

const lines = (rows) => rows.map((r) => JSON.stringify(r) + "\n").join("");

async function main() {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  let wrong = 0;
  // compare converts a folder with bourse and with SQL on the views.
  async function compare(what, folder) {
    const ours = join(folder, "jobs.parquet");
    execFileSync(bourse, ["trace", "convert", "google2019:" + folder, ours], { stdio: ["ignore", "ignore", "inherit"] });
    await db.run(`CREATE OR REPLACE TABLE theirs AS SELECT row_number() OVER () AS row, * FROM (${sql})`);
    await db.run(`CREATE OR REPLACE TABLE ours AS SELECT row_number() OVER () AS row, * FROM read_parquet('${ours}')`);
    const list = columns.join(", ");
    const count = async (query) => Number((await (await db.run(`SELECT count(*) FROM (${query})`)).getRowsJS())[0][0]);
    const rows = await count("FROM ours");
    const missing = await count(`SELECT row, ${list} FROM ours EXCEPT ALL SELECT row, ${list} FROM theirs`);
    const extra = await count(`SELECT row, ${list} FROM theirs EXCEPT ALL SELECT row, ${list} FROM ours`);
    console.log(`google2019.sql, ${what}: ${rows} jobs, ${missing + extra} rows differ`);
    if (rows === 0 || missing + extra > 0) {
      wrong++;
      for (const side of ["ours", "theirs"]) {
        const other = side === "ours" ? "theirs" : "ours";
        const some = await (await db.run(`SELECT '${side}', * FROM (SELECT row, ${list} FROM ${side} EXCEPT ALL SELECT row, ${list} FROM ${other}) ORDER BY row LIMIT 5`)).getRowsJson();
        for (const r of some) console.error(r.join(" "));
      }
    }
  }
  // asParquet writes the views' rows as a database exports them.
  async function asParquet(from, to) {
    mkdirSync(to, { recursive: true });
    await db.run(`COPY (SELECT * FROM ${from}instance_events) TO '${to}/instance_events-0.parquet' (FORMAT parquet)`);
    await db.run(`COPY (SELECT * FROM ${from}collection_events) TO '${to}/collection_events-0.parquet' (FORMAT parquet)`);
  }

  const folder = join(dir, "json");
  mkdirSync(folder, { recursive: true });
  const [rows, owners] = madeUp(8000);
  writeFileSync(join(folder, "instance_events-0.json"), lines(rows));
  writeFileSync(join(folder, "collection_events-0.json"), lines(owners));
  await db.run(`SET VARIABLE trace = '${folder}'`);
  await db.run(views);
  await compare("made-up rows, JSON lines", folder);
  await asParquet("", join(dir, "parquet"));
  await compare("made-up rows, Parquet", join(dir, "parquet"));

  if (real) {
    await db.run(`CREATE OR REPLACE VIEW instance_events AS SELECT column00 AS time, CASE WHEN column05 = 0 THEN 0 ELSE column05 + 2 END AS type,
      column02 AS collection_id, column03 AS instance_index, column04 AS machine_id, column07 AS scheduling_class, column08 AS priority, 0 AS collection_type,
      {cpus: column09, memory: column10} AS resource_request, column06 AS "user"
      FROM read_csv('${real}/task_events/part-0000[01]-of-00500.csv.gz', header = false, all_varchar = false, columns = {column00: 'BIGINT', column01: 'BIGINT',
      column02: 'BIGINT', column03: 'BIGINT', column04: 'BIGINT', column05: 'BIGINT', column06: 'VARCHAR', column07: 'BIGINT', column08: 'BIGINT', column09: 'DOUBLE',
      column10: 'DOUBLE', column11: 'DOUBLE', column12: 'BIGINT'})`);
    await db.run(`CREATE OR REPLACE VIEW collection_events AS SELECT DISTINCT collection_id, "user" FROM instance_events`);
    await asParquet("", join(dir, "real"));
    await compare("real rows of 2011", join(dir, "real"));
  }
  process.exitCode = wrong > 0 ? 1 : 0;
}

await main();
