// Opens every page of the site in Chromium, wide and on a phone, light and dark: nothing outside the folder may be asked for or
// go to the console, no page may be wider than the window; search and the choice of colours are used.
// Usage: node site-test.mjs FOLDER [SHOTS]. Exits 1 on any fault.
import { chromium } from "playwright-core";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]), shots = process.argv[3];
let checked = 0, wrong = 0;
function check(what, ok, detail = "") {
  checked++;
  if (ok) return;
  wrong++;
  console.error(`${what}: ${detail || "no"}`);
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"] });
const pages = readdirSync(folder).filter((f) => f.endsWith(".html"));
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1400, 390]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    let name = "";
    page.on("console", (m) => check(`${name} console`, !["error", "warning"].includes(m.type()), m.text()));
    page.on("pageerror", (e) => check(`${name} script`, false, e.message));
    page.on("request", (r) => check(`${name} request`, r.url().startsWith(`file://${folder}/`) || r.url().startsWith("data:"), r.url()));
    for (const file of pages) {
      name = `${file} ${width} ${colorScheme}`;
      await page.goto(`file://${join(folder, file)}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(`${name} width`, wide <= 0, `${wide} px wider than the window`);
      const menu = await page.locator(".menu h2").first().isVisible();
      check(`${name} menu`, menu === (width > 900));
      if (shots) await page.screenshot({ path: join(shots, `${file}-${width}-${colorScheme}.png`) });
    }
    name = `search ${width} ${colorScheme}`;
    await page.goto(`file://${join(folder, "index.html")}`);
    await page.locator("#search").fill("bounded slowdown");
    await page.locator("#results a").first().waitFor();
    check(name, (await page.locator("#results a").count()) > 3);
    await page.locator("#search").fill("xyzzyx");
    check(`${name}, nothing`, (await page.locator("#results").innerText()) === "Nothing found.");
    await page.locator("#search").fill("why did this job wait");
    await page.locator("#search").press("Enter");
    await page.waitForURL(/cookbook\.html#why-did-this-job-wait$/);
    await page.locator("#theme").click();
    const theme = await page.evaluate(() => document.documentElement.dataset.theme);
    check(`${name}, colours`, theme === (colorScheme === "light" ? "dark" : "light"), theme);
    await context.close();
  }
}
await browser.close();
console.log(`site: ${pages.length} pages, ${checked} checks, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
