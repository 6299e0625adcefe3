// Uses the playground as a visitor would, in Chromium. Usage: node playground-test.mjs
// BOURSE PAGE SHOTS LONG.swf [KTH.swf.gz]; the other inputs are in this folder. Exits 1 on any fault.
import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { copyFileSync, createReadStream, existsSync, readFileSync, rmSync, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";

const [bourse, root, shots, long, kth] = process.argv.slice(2);
const largest = 5_000_000; // bytes of the program, packed
let checked = 0, wrong = 0;
function check(what, ok, detail = "") {
  checked++;
  if (!ok) wrong++, console.error(`${what}: ${String(detail).slice(0, 600) || "no"}`);
}

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const server = createServer((q, r) => {
  const name = new URL(q.url, "http://x").pathname, file = join(root, name === "/" ? "index.html" : name);
  if (!existsSync(file)) return r.writeHead(404).end();
  r.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(r);
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
const home = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function open(hash = "", options = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })).newPage();
  page.on("console", (m) => check("console", !["error", "warning"].includes(m.type()), m.text()));
  page.on("pageerror", (e) => check("script", false, e.message));
  page.on("request", (r) => check("request", r.method() === "GET" && (r.url().startsWith(home) || /^(blob|data):/.test(r.url())), r.url()));
  await page.goto(home + hash);
  await page.waitForSelector("#start:not([disabled])", { timeout: 60000 });
  return page;
}
const ready = (page) => page.waitForSelector("#start:not([disabled])", { timeout: 120000 });
async function run(page) {
  await page.click("#start");
  await ready(page);
  return page.textContent("#status");
}
const steady = (text) => text.replace(/\([\d,]+\/s\)/g, "").replace(/ *\n/g, "\n"); // but for the time it took

// same runs the page's command lines natively and holds all they wrote against the page's.
async function same(page, name, log) {
  rmSync("native", { recursive: true });
  mkdirSync("native");
  copyFileSync(log, join("native", basename(log)));
  const lines = (await page.textContent("#commands")).split("\n").filter((l) => l.startsWith("bourse "));
  check(`${name} commands`, lines.length >= 2, lines.join("; "));
  const said = execFileSync("sh", ["-ec", lines.join("\n")], { cwd: "native", encoding: "utf8", env: { ...process.env, PATH: `${bourse.slice(0, -"/bourse".length)}:${process.env.PATH}` }, stdio: ["ignore", "pipe", "ignore"] });
  const files = await page.locator("#files a").evaluateAll((all) => Promise.all(all.map(async (a) => {
    const bytes = await (await ask({ take: a.textContent })).blob.arrayBuffer();
    return [a.textContent, Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (b) => b.toString(16).padStart(2, "0")).join("")];
  })));
  check(`${name} files`, files.length >= 4, files.length);
  for (const [path, sum] of files) {
    const native = execFileSync("sha256sum", [join("native", path)], { encoding: "utf8" }).slice(0, 64);
    check(`${name} ${path}: the page's bytes against the native ones`, sum === native, `${sum} ${native}`);
  }
  const text = steady(await page.textContent("#text"));
  for (const line of steady(said).split("\n").filter((l) => l && !l.startsWith("note:"))) check(`${name} answer`, text.includes(line.trim()) || line.includes("report.html"), line);
}

async function story(page, name) {
  await page.click("#story button");
  await page.waitForSelector("#explained:not([hidden])", { timeout: 60000 });
  const [command, , ...told] = (await page.textContent("#explained")).split("\n");
  const native = execFileSync(bourse, command.replace("$ bourse ", "").split(" "), { cwd: "native", encoding: "utf8" });
  check(`${name} story`, native.length > 300 && told.join("\n") === native, told.join("\n"));
}

check("size", statSync(join(root, "bourse.wasm.gz")).size < largest, statSync(join(root, "bourse.wasm.gz")).size);

// The bundled log, as the page opens.
const began = performance.now();
const page = await open();
check("done", /^Done/.test(await run(page)), await page.textContent("#said"));
console.log(`from the address to a comparison: ${((performance.now() - began) / 1000).toFixed(1)} s; ${await page.textContent("#status")}`);
await same(page, "bundled", join(root, "sample.swf.gz"));
await story(page, "bundled");
const frame = page.frames()[1];
await page.locator("#report").scrollIntoViewIfNeeded();
await frame.waitForFunction(() => document.documentElement.dataset.drawn, null, { timeout: 30000 });
check("report", await frame.evaluate(() => document.querySelectorAll("figure svg, figure canvas").length) >= 5);
await page.screenshot({ path: join(shots, "answer-1400.png") });
check("labels", await page.evaluate(() => [...document.querySelectorAll("input, select")].every((i) => i.labels.length > 0 || i.ariaLabel)));
check("not offered", await page.evaluate(() => !document.querySelector('#policies [value="exec"]') && /\bexec\b/.test(document.getElementById("absent").textContent)));

// KTH-SP2: what a link holds is filled in; payments too.
if (kth) {
  const p = await open(`#log=${basename(kth)}&policy=easy&policy=hb&payment=kth&more=easy(order%3Dsjf)&flags=--behaviour+srg`);
  check("link", (await p.textContent("#wanted")).includes(basename(kth)) && await p.isChecked('#policies [value="hb"]') && !(await p.isChecked('#policies [value="fcfs"]')) && await p.inputValue("#flags") === "--behaviour srg");
  await p.setInputFiles("#file", kth);
  check("KTH done", /^Done/.test(await run(p)), await p.textContent("#said"));
  console.log(`KTH-SP2, three policies, with payments: ${await p.textContent("#status")}`);
  await same(p, "KTH", kth);
  await story(p, "KTH");
  check("link after", new URL(p.url()).hash.includes("payment=kth"), p.url());
}

// What is no log, or too much, is refused in a sentence, and the next run works.
async function refused(file, wanted, fill = {}) {
  await page.setInputFiles("#file", file);
  for (const [id, value] of Object.entries(fill)) await page.fill(id, value);
  const status = await run(page), said = await page.textContent("#said");
  check(`${file} refused`, /did not work/.test(status) && wanted.test(said) && !/goroutine|panic|broke down/.test(said), `${status} ${said}`);
  for (const id of Object.keys(fill)) await page.fill(id, "");
}
await refused("letter.txt", /^bourse: letter\.txt/);
await refused("noise.swf", /^bourse: noise\.swf/);
await refused("zeros.swf", /^bourse: zeros\.swf.*\d+ bytes|^bourse: zeros\.swf/);
await refused("jobs.sacct", /^bourse: .*processors.*\n.*--nodes/);
await page.fill("#nodes", "8");
await refused("jobs.sacct", /^bourse: .*program/, { "#more": "'exec:python3 mine.py'" });
await refused("jobs.sacct", /^bourse: .*load-factor.*want/, { "#flags": "--load-factor nonsense" });
await page.setInputFiles("#file", "jobs.sacct");
check("sacct after refusals", /^Done/.test(await run(page)), await page.textContent("#said"));
await page.setInputFiles("#file", "own.csv");
await page.fill("#columns", "submit=Submitted&run=Elapsed&procs=CPUs");
check("CSV", /^Done/.test(await run(page)), await page.textContent("#said"));
await same(page, "CSV", "own.csv");
await page.fill("#columns", "");

// Cancel in the middle, and again afterwards.
await page.fill("#nodes", "");
await page.setInputFiles("#file", long);
await page.click("#start");
await page.waitForFunction(() => /jobs .*%/.test(document.getElementById("status").textContent), null, { timeout: 60000 });
check("progress", await page.evaluate(() => document.getElementById("progress").value > 0));
await page.click("#cancel");
await ready(page);
check("cancelled", /^Cancelled/.test(await page.textContent("#status")), await page.textContent("#status"));
await page.check('[name="source"][value="sample"]');
check("after a cancel", /^Done/.test(await run(page)), await page.textContent("#said"));

// Keys alone, a narrow window, the dark.
for (const [scheme, width] of [["light", 390], ["dark", 1400], ["light", 1400]]) {
  const p = await open("", { colorScheme: scheme, viewport: { width, height: 900 } });
  await p.screenshot({ path: join(shots, `form-${scheme}-${width}.png`), fullPage: true });
  for (let i = 0; i < 120 && !(await p.evaluate(() => document.activeElement.id === "start")); i++) await p.keyboard.press("Tab");
  await p.keyboard.press("Enter");
  await p.waitForFunction(() => /^Done/.test(document.getElementById("status").textContent), null, { timeout: 60000 });
  check("keys", await p.evaluate(() => document.activeElement.id === "answer"));
  const wide = await p.evaluate(() => document.documentElement.scrollWidth);
  check(`${width} px`, wide <= width, `${wide} px wide`);
  await p.screenshot({ path: join(shots, `done-${scheme}-${width}.png`), fullPage: true });
  await p.context().close();
}
await browser.close();
server.close();
console.log(`${checked} checks, ${wrong} faults`);
process.exitCode = wrong > 0 || checked < 50 ? 1 : 0;
