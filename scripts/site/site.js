"use strict";
// Light or dark: the reader's choice is kept, otherwise that of the system holds.
const root = document.documentElement, theme = document.getElementById("theme");
function setTheme(name) {
  if (name) root.dataset.theme = name;
  const dark = name ? name === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  theme.textContent = dark ? "Light" : "Dark";
}
let kept = "";
try { kept = localStorage.getItem("theme") || ""; } catch { /* a page from a disk may have no storage */ }
setTheme(kept);
theme.onclick = () => {
  const name = theme.textContent.toLowerCase();
  setTheme(name);
  try { localStorage.setItem("theme", name); } catch { /* it then holds for this page */ }
};

// The menu is open where there is room for it.
if (!matchMedia("(min-width: 901px)").matches) document.querySelector(".menu details").open = false;

// Commands stand out, and can be copied without the prompt and without what they print.
for (const pre of document.querySelectorAll("main pre")) {
  const lines = pre.textContent.trimEnd().split("\n"), commands = lines.filter((l) => l.startsWith("$ ")).map((l) => l.slice(2));
  if (commands.length === 0) continue;
  pre.replaceChildren(...lines.flatMap((l, i) => {
    const line = document.createElement(l.startsWith("$ ") ? "b" : "span");
    line.textContent = l;
    return i ? ["\n", line] : [line];
  }));
  const box = document.createElement("div"), copy = document.createElement("button");
  box.className = "code";
  copy.textContent = "Copy";
  copy.onclick = () => navigator.clipboard.writeText(commands.join("\n")).then(() => { copy.textContent = "Copied"; });
  pre.replaceWith(box);
  box.append(pre, copy);
}

// Search: sections that hold all words, those with a word in their heading first. The index is loaded at first use.
const field = document.getElementById("search"), results = document.getElementById("results");
field.onfocus = () => {
  field.onfocus = null;
  const script = document.createElement("script");
  script.src = "index.js";
  script.onload = search;
  document.head.append(script);
};
field.oninput = search;
field.form.onsubmit = (e) => { e.preventDefault(); results.querySelector("a")?.click(); };
addEventListener("keydown", (e) => {
  if (e.key === "Escape") { field.value = ""; search(); }
  if (e.key === "/" && document.activeElement !== field) { e.preventDefault(); field.focus(); }
});
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), found = [];
  for (const s of words.length ? window.siteIndex || [] : []) {
    const head = `${s.h} ${s.p}`.toLowerCase(), text = s.t.toLowerCase();
    if (!words.every((w) => head.includes(w) || text.includes(w))) continue;
    const query = words.join(" "), phrase = s.h.toLowerCase().includes(query) ? 100 * query.length / s.h.length : 0;
    found.push([words.reduce((n, w) => n + (head.includes(w) ? 10 : 0) + Math.min(text.split(w).length - 1, 3), phrase), s]);
  }
  found.sort((a, b) => b[0] - a[0]);
  results.hidden = words.length === 0;
  results.replaceChildren(...found.slice(0, 12).map(([, s]) => {
    const li = document.createElement("li"), a = document.createElement("a"), small = document.createElement("small");
    const at = Math.max(0, s.t.toLowerCase().indexOf(words[0]) - 40);
    a.href = s.u;
    a.onclick = () => { results.hidden = true; };
    small.textContent = `${s.p} ... ${s.t.slice(at, at + 120)}`;
    a.append(s.h, small);
    li.append(a);
    return li;
  }));
  if (words.length && !found.length) results.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
}
