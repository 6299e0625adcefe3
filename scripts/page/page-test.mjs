// Opens pages of bourse report in Chromium and uses them as a reader would.
// Usage: node page-test.mjs SHOTS PAGE.html... Exits 1 on any fault.
import { chromium } from "playwright-core";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const [shots, ...pages] = process.argv.slice(2);
const largest = 5_000_000; // bytes
let checked = 0, wrong = 0;

function check(what, ok, detail = "") {
  checked++;
  if (ok) return true;
  wrong++;
  console.error(`${what}: ${detail || "no"}`);
  return false;
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// open opens a page and waits until it is drawn; faults are counted all along.
async function open(file, options) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const name = basename(file);
  page.on("console", (m) => check(`${name} console`, !["error", "warning"].includes(m.type()), m.text()));
  page.on("pageerror", (e) => check(`${name} script`, false, e.message));
  page.on("request", (r) => check(`${name} request`, r.url() === `file://${file}` || /^(blob|data):/.test(r.url()), r.url()));
  const began = performance.now();
  await page.goto(`file://${file}`);
  await drawn(page, 1);
  const took = performance.now() - began;
  return { page, context, took };
}

const drawn = (page, times) => page.waitForFunction((n) => Number(document.documentElement.dataset.drawn) >= n, times, { timeout: 30000 });
const drawings = (page) => page.evaluate(() => Number(document.documentElement.dataset.drawn));

// Each chart has marks, or a canvas that is not of one colour.
async function charts(page, name) {
  const found = await page.evaluate(() => [...document.querySelectorAll("figure")].map((figure) => {
    const canvas = figure.querySelector("canvas");
    if (!canvas) {
      const boxes = [...figure.querySelectorAll("svg .mark-line path, svg .mark-rect path, svg .mark-area path, svg .mark-symbol path")]
        .filter((p) => !p.closest(".role-legend") && !p.classList.contains("background") && p.getBoundingClientRect().width > 0);
      return { id: figure.id, drawn: boxes.length, label: figure.querySelector("svg")?.getAttribute("aria-roledescription") ?? figure.querySelector("[aria-roledescription]")?.getAttribute("aria-roledescription") };
    }
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    return { id: figure.id, drawn: colours.size - 1, label: figure.querySelector("[aria-label]")?.getAttribute("aria-label") };
  }));
  check(`${name} charts`, found.length >= 5 || found[0].id === "figure-sweep", `${found.length}`);
  for (const f of found) {
    check(`${name} ${f.id} drawn`, f.drawn > 0, "nothing");
    check(`${name} ${f.id} label`, !!f.label);
  }
}

// A click on a heading sorts by the numbers, another one the other way round.
async function sorting(page, name) {
  const table = page.locator("#summary table, #data table").first();
  const heading = table.locator("thead th.n").nth(1);
  const column = await heading.evaluate((th) => th.cellIndex);
  const values = () => table.evaluate((t, c) => [...t.tBodies[0].rows].map((r) => Number(r.cells[c].dataset.value)), column);
  for (const [direction, sign] of [["descending", -1], ["ascending", 1]]) {
    await heading.locator("button").click();
    const got = await values();
    check(`${name} sort`, got.length > 1 && got.every((x, i) => i === 0 || sign * (x - got[i - 1]) >= 0), `${direction}: ${got}`);
    check(`${name} aria-sort`, await heading.getAttribute("aria-sort") === direction);
  }
  await table.locator("thead th").first().locator("button").press("Enter");
  check(`${name} sort by key`, await table.locator("thead th").first().getAttribute("aria-sort") === "ascending");
}

async function themes(page, name) {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper(), n = await drawings(page);
  await page.click("#theme");
  await drawn(page, n + 1);
  check(`${name} theme`, before !== await paper());
  await charts(page, `${name} other theme`);
  await page.click("#theme");
  await drawn(page, n + 2);
}

// saved clicks until a download begins: a busy Chromium now and then loses one.
async function saved(page, button) {
  for (let i = 0; i < 3; i++) {
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 15000 }).catch(() => undefined), page.click(button)]);
    if (download) return download;
    console.error(`${button}: no download, once more`);
  }
}

async function pictures(page, name) {
  for (const id of await page.evaluate(() => [...document.querySelectorAll("figure")].map((f) => f.id))) {
    for (const kind of ["svg", "png"]) {
      if (await page.locator(`#${id} [data-save=${kind}]`).count() === 0) continue;
      const download = await saved(page, `#${id} [data-save=${kind}]`);
      if (!check(`${name} ${id} as ${kind}`, download, "nothing was saved")) continue;
      const file = join(shots, `${name}-${download.suggestedFilename()}`);
      await download.saveAs(file);
      const bytes = readFileSync(file);
      const fine = kind === "svg"
        ? /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/.test(bytes) && /<path/.test(bytes) && !/NaN|href="http/.test(bytes) && (/role-legend/.test(bytes) || await page.locator(`#${id} .legend`).count() === 0)
        : bytes.subarray(1, 4).toString() === "PNG" && bytes.readUInt32BE(16) >= 900;
      check(`${name} ${id} as ${kind}`, fine && bytes.length > 3000, `${bytes.length} bytes: ${bytes.subarray(0, 60)}`);
    }
  }
}

// Tab reaches every control, and keys zoom a series and its neighbours.
async function keyboard(page, name) {
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  const wanted = await page.evaluate(() => [...document.querySelectorAll("button, summary, .series .chart")].filter((e) => e.checkVisibility()).length);
  const met = new Set();
  let first = "", unseen = "";
  for (let i = 0; i < 3 * wanted + 60; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      if (!e.dataset.tabbed) e.dataset.tabbed = String(window.tabs = (window.tabs ?? 0) + 1);
      const style = getComputedStyle(e);
      return { key: e.dataset.tabbed, text: e.textContent.slice(0, 30), control: e.matches("button, summary, .series .chart"), outlined: style.outlineStyle !== "none" };
    });
    if (!at) break;
    first ||= at.text;
    if (!at.outlined) unseen = at.text;
    if (at.control) met.add(at.key);
  }
  check(`${name} tab`, met.size >= wanted, `${met.size} of ${wanted} controls`);
  check(`${name} skip link`, first.startsWith("Skip"), first);
  check(`${name} focus`, unseen === "", `not seen at ${unseen}`);
  const chart = page.locator(".series .chart").first();
  if (await chart.count() === 0) return;
  const ticks = () => page.locator(".series canvas").evaluateAll((all) => all.map((c) => c.toDataURL()));
  const before = await ticks();
  await chart.focus();
  for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
  await page.waitForTimeout(200);
  const zoomed = await ticks();
  check(`${name} zoom`, zoomed.every((x, i) => x !== before[i]), "a series stayed as it was");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(200);
  check(`${name} zoom out`, (await ticks()).every((x, i) => x === before[i]), "not as before");
}

// A rectangle under the mouse says what it stands for.
async function tooltips(page, name) {
  if (await page.locator("#figure-payments").count() === 0) return;
  await page.locator("#figure-payments").scrollIntoViewIfNeeded();
  await page.locator("#figure-payments svg .mark-rect path").first().hover({ force: true });
  await page.waitForSelector("#vg-tooltip-element.visible", { timeout: 5000 }).catch(() => {});
  const text = await page.evaluate(() => document.querySelector("#vg-tooltip-element.visible")?.textContent ?? "");
  check(`${name} tooltip`, /paid/.test(text) && /jobs/.test(text), text);
  await page.mouse.move(0, 0);
}

// Choices redraw a sweep's chart, and the CSV has what the table has.
async function choices(page, name) {
  if (await page.locator("#choose-x").count() === 0) return;
  const drawing = () => page.locator("#figure-sweep svg.marks").first().evaluate((s) => s.outerHTML);
  check(`${name} opens with answers`, (await page.locator("section.answer p").allTextContents()).some((p) => p.includes("best by bounded slowdown")), "none");
  const looks = await page.locator("#figure-sweep .legend path").evaluateAll((all) => all.map((p) => p.getAttribute("stroke") + p.getAttribute("stroke-dasharray")));
  check(`${name} lines look different`, new Set(looks).size === looks.length && looks.length > 7, looks.join(" "));
  for (const [id, value] of [["y", "mean wait"], ["x", "policy"], ["series", "load-factor"], ["panels", "estimates"], ["x", "load-factor"]]) {
    const before = await drawing(), n = await drawings(page);
    await page.selectOption(`#choose-${id}`, value);
    await drawn(page, n + 1);
    check(`${name} choice ${id} ${value}`, before !== await drawing());
    const parts = await page.evaluate(() => ["x", "series", "panels"].map((p) => document.getElementById(`choose-${p}`).value).filter((v) => v !== "(none)"));
    check(`${name} choice ${id} ${value}`, new Set(parts).size === parts.length, parts.join());
    await charts(page, `${name} ${id} ${value}`);
    await unclipped(page, `${name} ${id} ${value}`);
  }
  const download = await saved(page, "#save-csv");
  const file = join(shots, `${name}.csv`);
  await download.saveAs(file);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  check(`${name} csv`, lines.length === 1 + await page.locator("table.sortable tbody tr").count() && lines[0].includes("mean_wait_s_low"), lines[0]);
}

async function tails(page, name) {
  if (await page.locator("[data-tail]").count() === 0) return;
  const n = await drawings(page);
  await page.click("#figure-bsd [data-tail]");
  await drawn(page, n + 1);
  check(`${name} tail`, await page.getAttribute("#figure-bsd [data-tail]", "aria-pressed") === "true");
  await charts(page, `${name} tail`);
}

// Text of charts lies within its drawing, and words of tables are not broken.
async function unclipped(page, name) {
  const faults = await page.evaluate(() => {
    const found = [];
    for (const svg of document.querySelectorAll(".vega .chart svg")) {
      const box = svg.getBoundingClientRect();
      for (const t of svg.querySelectorAll("text")) {
        const b = t.getBoundingClientRect();
        if (b.width > 0 && Number(getComputedStyle(t).opacity) > 0 && (b.left < box.left - 1.5 || b.right > box.right + 1.5 || b.top < box.top - 1.5 || b.bottom > box.bottom + 1.5)) found.push(`"${t.textContent}" of ${svg.closest("figure").id}`);
      }
    }
    for (const cell of document.querySelectorAll("table.sortable:not(.wrap) td, table.sortable tbody th")) {
      if (cell.checkVisibility() && cell.textContent && cell.getBoundingClientRect().height > 3 * parseFloat(getComputedStyle(cell).lineHeight)) found.push(`"${cell.textContent}" on many lines`);
    }
    for (const item of document.querySelectorAll(".legend li")) {
      if (item.getBoundingClientRect().right > innerWidth) found.push(`legend "${item.textContent}"`);
    }
    return found;
  });
  check(`${name} clipped`, faults.length === 0, faults.slice(0, 5).join("; "));
}

// A Gantt chart says what is under the mouse, and keys zoom it.
async function gantt(page, name) {
  const chart = page.locator("#figure-gantt .chart");
  if (await chart.count() === 0) return;
  await chart.scrollIntoViewIfNeeded();
  const canvas = page.locator("#figure-gantt canvas").first();
  const box = await canvas.boundingBox();
  let said = "";
  for (let k = 1; k < 60 && !said; k++) {
    await page.mouse.move(box.x + 62 + ((box.width - 72) * (k % 10 + .5)) / 10, box.y + 10 + ((box.height - 60) * (Math.floor(k / 10) + .5)) / 6);
    said = await page.evaluate(() => { const t = document.querySelector("#figure-gantt .tip"); return t.hidden ? "" : t.textContent; });
  }
  check(`${name} gantt tip`, /^job .*user .*\n.*processor.*\nwaited /.test(said), said);
  const before = await canvas.evaluate((c) => c.toDataURL());
  await chart.focus();
  await page.keyboard.press("+");
  check(`${name} gantt zoom`, before !== await canvas.evaluate((c) => c.toDataURL()));
  await page.keyboard.press("Escape");
  check(`${name} gantt zoom out`, before === await canvas.evaluate((c) => c.toDataURL()));
  await page.mouse.move(0, 0);
}

async function narrow(page, name) {
  const n = await drawings(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await drawn(page, n + 1);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name} narrow`, wide <= 391, `${wide} px wide`);
  await unclipped(page, `${name} narrow`);
  await page.screenshot({ path: join(shots, `${name}-narrow.png`), fullPage: true });
}

// A chart that cannot be drawn says so, and the others are drawn.
async function broken(file) {
  const copy = resolve(shots, "broken.html");
  writeFileSync(copy, readFileSync(file, "utf8").replace('"data":{"names"', '"data":{"nobody"'));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${copy}`);
  await drawn(page, 1);
  const bare = await page.evaluate(() => [...document.querySelectorAll("figure")].filter((f) => !f.querySelector(".chart svg, .chart canvas")).map((f) => f.textContent));
  check("broken chart", bare.length === 1 && bare[0].includes("cannot be drawn"), `${bare.length} charts are missing`);
  await context.close();
}

await broken(pages[0]);
for (const file of pages) {
  const name = basename(file, ".html");
  const size = statSync(file).size;
  check(`${name} size`, size < largest, `${size} bytes`);
  for (const colorScheme of ["light", "dark"]) {
    const { page, context, took } = await open(file, { colorScheme });
    console.log(`${name}, ${colorScheme}: ${size} bytes, drawn after ${took.toFixed(0)} ms`);
    await charts(page, `${name} ${colorScheme}`);
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
    const pdf = await page.pdf({ path: join(shots, `${name}-${colorScheme}.pdf`), format: "A4", printBackground: true, margin: { top: "15mm", bottom: "15mm", left: "12mm", right: "12mm" } });
    check(`${name} print`, pdf.length > 20000, `${pdf.length} bytes`);
    if (colorScheme === "light") {
      check(`${name} language`, await page.getAttribute("html", "lang") === "en");
      check(`${name} captions`, await page.evaluate(() => [...document.querySelectorAll("table.sortable")].every((t) => t.caption?.textContent)));
      await keyboard(page, name);
      await sorting(page, name);
      await themes(page, name);
      await tooltips(page, name);
      await pictures(page, name);
      await unclipped(page, name);
      await gantt(page, name);
      await choices(page, name);
      await tails(page, name);
      await narrow(page, name);
    }
    await context.close();
  }
}
await browser.close();
console.log(`${checked} checks, ${wrong} faults`);
process.exitCode = wrong > 0 || checked === 0 ? 1 : 0;
