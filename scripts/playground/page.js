// The page: settings become command lines of bourse, a worker runs them, and what they
// print and write is shown. The settings are in the address behind #.
"use strict";

const $ = (id) => document.getElementById(id);
const sampleFile = "sample.swf.gz", texts = ["columns", "more", "prices", "nodes", "flags", "job"];
let module, parts, worker, own, sample, waiting = new Map(), next = 1, running = false, runs = [], urls = [];

// The program: fetched, unpacked and compiled once, also where no server says gzip; and files that it reads, the time
// zones and the libraries of reports.
async function load() {
  const [program, zones, libraries] = await Promise.all(["bourse.wasm.gz", "zoneinfo.zip", "page-assets.tar.gz"].map(async (name) => {
    const got = await fetch(name);
    if (!got.ok) throw new Error(`a part of the program, ${name}, cannot be fetched (${got.status})`);
    const packed = await got.blob();
    const head = new Uint8Array(await packed.slice(0, 1).arrayBuffer());
    return head[0] === 0x1f ? new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : packed;
  }));
  parts = [["/zoneinfo.zip", zones], ["/page-assets.tar", libraries]];
  module = await WebAssembly.compile(await program.arrayBuffer());
}

// begin starts a worker with empty files but for the log.
function begin(files) {
  worker?.terminate();
  for (const { fail } of waiting.values()) fail(new Error("cancelled"));
  waiting = new Map();
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data.progress !== undefined) return progress(data.progress);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failed !== undefined) asked?.fail(new Error(`the program broke down: ${data.failed}`));
    else asked?.done(data);
  };
  worker.onerror = (e) => { for (const { fail } of waiting.values()) fail(new Error(`the program broke down: ${e.message ?? "no reason is known"}`)); };
  worker.postMessage({ module, files: [...parts, ...files] });
}

function ask(what) {
  return new Promise((done, fail) => {
    const id = next++;
    waiting.set(id, { done, fail });
    worker.postMessage({ id, ...what });
  });
}
const bourse = (...args) => ask({ argv: ["bourse", ...args] });

function progress(text) {
  if (!running || !text) return;
  $("status").textContent = text.trim();
  const share = /(\d+)%/.exec(text);
  if (share) $("progress").value = Number(share[1]);
  else $("progress").removeAttribute("value");
}

// The settings, from the page, and in the address.
const checked = (box) => [...box.querySelectorAll("input:checked")].map((i) => i.value);

// words splits as a shell does: blanks separate, quotes keep them; so do brackets, if asked.
function words(text, brackets = false) {
  const out = [];
  let word = "", quote = "", deep = 0, begun = false;
  for (const c of text) {
    if (quote ? c === quote : c === "'" || c === '"') [quote, begun] = [quote ? "" : c, true];
    else if (/\s/.test(c) && !quote && !deep) {
      if (begun) out.push(word);
      [word, begun] = ["", false];
    } else {
      if (brackets && !quote) deep = Math.max(0, deep + (c === "(") - (c === ")"));
      [word, begun] = [word + c, true];
    }
  }
  if (begun) out.push(word);
  return out;
}

function settings() {
  const isOwn = document.forms.form.source.value === "own", file = isOwn ? own?.name.replace(/[^\w.+-]/g, "_") ?? "" : sampleFile;
  const columns = isOwn && $("columns").value.trim();
  return { file, log: columns ? `csv:${file}?${columns}` : file, policies: [...checked($("policies")), ...words($("more").value, true)],
    payments: [...checked($("payments")), ...words($("prices").value, true)], nodes: $("nodes").value, flags: words($("flags").value), isOwn };
}

function address() {
  const s = settings(), p = new URLSearchParams();
  if (s.isOwn) p.set("log", own?.name ?? "");
  for (const name of checked($("policies"))) p.append("policy", name);
  for (const name of checked($("payments"))) p.append("payment", name);
  for (const id of texts) if ($(id).value) p.set(id, $(id).value);
  history.replaceState(null, "", "#" + p);
}

function fromAddress() {
  const p = new URLSearchParams(location.hash.slice(1));
  const chosen = p.getAll("policy");
  for (const i of $("policies").querySelectorAll("input")) i.checked = chosen.length || p.get("more") ? chosen.includes(i.value) : ["easy", "fcfs"].includes(i.value);
  for (const d of document.querySelectorAll(".choices details")) d.open = Boolean(d.querySelector("input:checked"));
  for (const i of $("payments").querySelectorAll("input")) i.checked = p.getAll("payment").includes(i.value);
  for (const id of texts) $(id).value = p.get(id) ?? "";
  const log = p.get("log");
  document.forms.form.source.value = log !== null ? "own" : "sample";
  $("wanted").textContent = log && own?.name !== log ? `The link was made with ${log}; links do not carry files: choose yours.` : "";
}

// quoted is a word as a shell takes it.
const quoted = (w) => /^[\w@%+=:,.\/-]+$/.test(w) ? w : `'${w.replaceAll("'", `'\\''`)}'`;
const spoken = (argv) => ["bourse", ...argv].map(quoted).join(" ");

// plan makes the command lines: a replay for each policy and payment, a comparison, a report.
function plan(s) {
  const replays = [];
  for (const policy of s.policies) {
    for (const payment of s.payments.length ? s.payments : [""]) {
      const name = policy + (payment && "-" + payment), at = replays.length;
      const dir = "out/" + (name.replace(/[^\w.-]+/g, "-").replace(/-+$/, "") || "run");
      const out = replays.some((r) => r.out === dir) ? `${dir}-${at + 1}` : dir;
      replays.push({ name, out, argv: ["replay", s.log, "--policy", policy, ...(payment ? ["--payment", payment] : []), ...(s.nodes ? ["--nodes", s.nodes] : []), ...s.flags, "--format", "csv", "--out", out] });
    }
  }
  const dirs = replays.map((r) => r.out);
  return { replays, compare: replays.length > 1 ? ["compare", ...dirs] : null, report: ["report", ...dirs, "--out", "out/report.html"] };
}

function show(ok) {
  $("answer").hidden = false;
  $("done").hidden = $("report").hidden = !ok;
}

// noted collects what commands said beside their answers, warnings and refusals.
function noted(text) {
  $("said").textContent += text;
  $("said").hidden = !$("said").textContent.trim();
}

async function step(argv) {
  const done = await bourse(...argv);
  noted(/^(fatal error: .*out of memory|runtime: out of memory)/m.test(done.said) ? "This log needs more memory than a tab has; replay it with the program on your computer.\n" : done.said);
  if (done.code !== 0 && done.code !== 3) throw new Error("");
  return done;
}

// refusal is what is wrong with a policy or payment, "" if nothing is: said before anything long begins.
async function refusal({ policies, payments }) {
  for (const policy of policies) {
    for (const payment of payments.length ? payments : [""]) {
      const done = await bourse("replay", "demo", "--policy", policy, ...(payment ? ["--payment", payment] : []), "--dry-run");
      if (done.code !== 0 && /--(policy|payment)/.test(done.said)) return done.said;
    }
  }
  return "";
}

async function start(first = false) {
  const s = settings();
  const wrong = s.isOwn && !own ? "Choose a log, or take the bundled one." : s.policies.length === 0 ? "Choose a policy." : "";
  $("status").textContent = wrong;
  if (wrong) return;
  address();
  const p = plan(s);
  const lines = [...p.replays.map((r) => r.argv), ...(p.compare ? [p.compare] : []), p.report].map(spoken);
  for (const id of ["text", "said", "explained"]) $(id).textContent = "";
  $("explained").hidden = $("said").hidden = true;
  $("commands").textContent = (s.isOwn ? "" : `curl -O ${new URL(sampleFile, location.href)}\n`) + lines.join("\n");
  release();
  busy(true);
  const began = performance.now();
  let replayed = 0;
  try {
    begin([[s.file, s.isOwn ? own : sample]]);
    const refused = await refusal(s);
    if (refused) throw new Error(refused.trim());
    for (const [i, r] of p.replays.entries()) {
      $("status").textContent = `replaying under ${r.name} (${i + 1} of ${p.replays.length})`;
      const done = await step(r.argv);
      replayed += done.ms;
      $("text").textContent += (p.compare ? `${r.name}\n` : "") + folded(done.out) + "\n";
      show(false);
    }
    if (p.compare) $("text").textContent = (await step(p.compare)).out + "\n" + $("text").textContent;
    $("status").textContent = "making the report";
    await step(p.report);
    runs = p.replays;
    await results(p);
    show(true);
    $("status").textContent = `Done in ${((performance.now() - began) / 1000).toFixed(1)} s, of which the replays took ${(replayed / 1000).toFixed(1)} s.`;
    if (!first) $("answer").focus();
  } catch (err) {
    if (err.message) noted(err.message === "cancelled" ? "Cancelled; nothing was kept.\n" : `${err.message}\n`);
    show(false);
    $("status").textContent = err.message === "cancelled" ? "Cancelled." : "That did not work; the reason is below.";
  }
  busy(false);
}

function busy(is) {
  running = is;
  $("start").disabled = is;
  $("cancel").hidden = $("progress").hidden = !is;
  $("progress").removeAttribute("value");
}

function release() {
  for (const u of urls) URL.revokeObjectURL(u);
  urls = [];
  $("report").removeAttribute("src");
}

// results shows what the commands wrote.
async function results(p) {
  $("files").replaceChildren();
  const offer = async (path, type) => {
    const { blob } = await ask({ take: path });
    const url = URL.createObjectURL(new Blob([blob], { type }));
    urls.push(url);
    const a = Object.assign(document.createElement("a"), { href: url, download: path.replace(/^out\//, "").replaceAll("/", "-"), textContent: path });
    const li = document.createElement("li");
    li.append(a, ` (${Math.ceil(blob.size / 1000).toLocaleString("en")} kB)`);
    $("files").append(li);
    return url;
  };
  $("report").src = await offer("out/report.html", "text/html;charset=utf-8");
  for (const r of p.replays) {
    await offer(`${r.out}/jobs.csv`, "text/csv;charset=utf-8");
    await offer(`${r.out}/summary.json`, "application/json");
    await offer(`${r.out}/manifest.json`, "application/json");
  }
  $("under").replaceChildren(...p.replays.map((r) => new Option(r.name, r.out)));
  $("job").value ||= (await ask({ longest: `${p.replays[0].out}/jobs.csv` })).job;
}

async function explain() {
  address();
  const argv = ["explain", $("under").value, "--job", $("job").value];
  $("told").textContent = "looking ...";
  try {
    const done = await bourse(...argv);
    $("explained").textContent = `$ ${spoken(argv)}\n\n${done.out}${done.said}`;
    $("explained").hidden = false;
    $("told").textContent = "";
  } catch (err) { $("told").textContent = err.message; }
}

// folded breaks what is no table into lines of a readable length.
const folded = (text) => text.replace(/^note: .*/gm, (line) => line.replace(/(.{1,100})( |$)/g, "$1\n").trimEnd());

function choices(box, entries, kind) {
  const usual = ["fcfs", "easy", "conservative", "sjf", "srpt", "hb"].reverse(); // come first
  entries = entries.toSorted((a, b) => usual.indexOf(b.name) - usual.indexOf(a.name));
  const labels = entries.map((e) => {
    const input = Object.assign(document.createElement("input"), { type: "checkbox", value: e.name, name: kind });
    const label = document.createElement("label"), name = document.createElement("b"), line = document.createElement("span");
    name.textContent = e.name;
    line.textContent = e.line;
    label.append(input, name, line);
    return label;
  });
  const more = document.createElement("details"), inside = document.createElement("div"), summary = document.createElement("summary");
  summary.textContent = `${labels.length - usual.length} more`;
  inside.className = "choices";
  inside.append(...labels.splice(usual.length));
  more.append(summary, inside);
  box.replaceChildren(...labels, ...(inside.children.length ? [more] : []));
}

function take(file) {
  own = file;
  $("job").value = ""; // a number of another log
  document.forms.form.source.value = "own";
  $("wanted").textContent = `${file.name}, ${(file.size / 1e6).toFixed(1)} MB, stays on this computer.`;
  address();
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = `${what} copied.`;
  } catch { $("copied").textContent = "The browser does not let pages copy; mark the text and copy it."; }
}

async function main() {
  $("form").onsubmit = (e) => { e.preventDefault(); if (module && !running) start(); };
  $("story").onsubmit = (e) => { e.preventDefault(); explain(); };
  $("cancel").onclick = () => begin([]);
  $("copy").onclick = () => copy($("commands").textContent, "Commands");
  $("link").onclick = () => { address(); copy(location.href, "Link"); };
  $("file").onchange = () => { if ($("file").files[0]) take($("file").files[0]); };
  $("form").addEventListener("input", (e) => { if (e.target !== $("file") && module) address(); });
  addEventListener("dragover", (e) => { e.preventDefault(); $("drop").className = "over"; });
  addEventListener("dragleave", () => { $("drop").className = ""; });
  addEventListener("drop", (e) => {
    e.preventDefault();
    $("drop").className = "";
    if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]);
  });
  addEventListener("hashchange", fromAddress);
  try {
    const [response] = await Promise.all([fetch(sampleFile), load()]);
    sample = await response.blob();
    begin([]);
    const catalogue = JSON.parse((await bourse("list", "--json")).out);
    choices($("policies"), catalogue.policies.filter((p) => !p.yours), "policy");
    choices($("payments"), catalogue.payments.filter((p) => p.params.every((x) => x.default !== "")), "payment");
    const yours = catalogue.policies.filter((p) => p.yours).map((p) => p.name);
    $("absent").textContent = `Not here: ${yours.join(", ")}. They need a script, a program or a series of your own; the program on your computer has them.`;
    $("version").textContent = (await bourse("version")).out.split("\n")[0];
    const first = !location.hash;
    fromAddress();
    if (first) await start(true);
    $("start").disabled = false;
  } catch (err) {
    $("loading").textContent = `The program could not be loaded: ${err.message}. It wants a browser with WebAssembly, and the page to come from a web server, not from a file: python3 -m http.server in its folder is one.`;
  }
}
main();
