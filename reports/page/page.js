// Draws the page's charts, sorts its tables, saves its pictures. Plain script, no
// network, no eval: vega runs its expressions through an interpreter (ast: true).
"use strict";
(() => {
  const root = document.documentElement;
  const page = JSON.parse(document.getElementById("page-data").textContent);
  const drawn = new Map(); // chart id -> how to let go of what is drawn
  const plots = new Map(); // chart id -> uPlot
  const tails = new Set(); // ids of distributions that show their tails
  let ranges = true; // whether series show least to greatest

  // ---- theme

  const inks = {
    light: { ink: "#16191d", muted: "#59626d", line: "#d9dee4", paper: "#ffffff" },
    dark: { ink: "#e9edf2", muted: "#a5b0bc", line: "#343c46", paper: "#181d24", dark: true },
  };

  // The palette's last colour is the ink's.
  const inked = (text, ink) => text.replaceAll("#000000", ink.ink);

  function setTheme(theme) {
    root.dataset.theme = theme;
    document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
  }

  // ---- Vega-Lite

  function config(ink) {
    const label = { labelColor: ink.muted, titleColor: ink.ink, labelFontSize: 12, titleFontSize: 12.5, titleFontWeight: "normal" };
    return {
      background: "transparent",
      font: "system-ui, 'Segoe UI', 'Liberation Sans', Arial, sans-serif",
      axis: { ...label, gridColor: ink.line, domainColor: ink.muted, tickColor: ink.muted, titlePadding: 8 },
      legend: { ...label, orient: "top", direction: "horizontal", titleOrient: "left", titlePadding: 10, symbolSize: 260, symbolStrokeWidth: 2.5, gradientLength: 180, labelLimit: 420, columns: 4 },
      header: { labelColor: ink.ink, titleColor: ink.ink, labelFontSize: 13, labelLimit: 500 },
      view: { stroke: ink.line },
      // Few jobs are near the paper's colour, many far from it.
      range: { heatmap: { scheme: "viridis", extent: ink.dark ? [.12, 1] : [.96, 0] } },
      facet: { spacing: 18 },
    };
  }

  function objects({ names, rows }) {
    return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  }

  // sized is a chart's specification for a width, with its data.
  function sized(chart, width, ink) {
    const spec = JSON.parse(inked(JSON.stringify(chart.spec), ink));
    spec.data = { values: objects(chart.data) };
    spec.description = chart.title;
    if (tails.has(chart.id)) (spec.spec ?? spec).encoding.y = chart.tail;
    if (!spec.facet) return { ...spec, width, autosize: { type: "fit-x", contains: "padding" } };
    const narrow = width < 640;
    if (narrow) spec.columns = 1;
    spec.spec.width = Math.max(160, Math.floor((width - 90 - 18 * (spec.columns - 1)) / spec.columns)); // 90 for labels, 18 between panels
    return spec;
  }

  function embed(at, spec, ink) {
    return vegaEmbed(at, spec, {
      mode: "vega-lite", actions: false, ast: true, renderer: "svg", defaultStyle: false,
      tooltip: { disableDefaultStyle: true }, config: config(ink),
    });
  }

  async function drawVega(chart, at, ink) {
    const result = await embed(at, sized(chart, at.clientWidth, ink), ink);
    drawn.set(chart.id, () => result.finalize());
  }

  // ---- series over time

  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  const show = (x) => (x == null ? "–" : compact.format(x));

  // strokes are the colour and the dashes of a run's line, the same in all charts.
  function strokes({ run: i }, ink) {
    const { runs, colours, dashes } = page.palette;
    return { colour: inked(colours[i % colours.length], ink), dash: runs > 1 ? dashes[(i + Math.floor(i / colours.length)) % dashes.length] : [1, 0] };
  }

  function drawSeries(chart, at, ink) {
    const s = chart.series;
    const xs = Array.from({ length: s.bins }, (_, i) => s.first + i * s.width);
    const columns = [xs];
    const series = [{ label: "time", value: (u, x) => (x == null ? "–" : x.toPrecision(6)) }];
    const bands = [];
    const stepped = uPlot.paths.stepped({ align: 1 });
    for (const line of s.lines) {
      const { colour, dash } = strokes(line, ink);
      const k = columns.length;
      columns.push(line.mean, line.most, line.least);
      series.push(
        { label: line.label, stroke: colour, width: 1.5, dash: dash[1] > 0 ? dash : undefined, paths: stepped, points: { show: false },
          value: (u, x, at, j) => (x == null || j == null ? "–" : `${show(x)} (${show(line.least[j])} to ${show(line.most[j])})`) },
        { label: "", stroke: "transparent", width: 0, paths: stepped, points: { show: false }, show: ranges },
        { label: "", stroke: "transparent", width: 0, paths: stepped, points: { show: false }, show: ranges });
      bands.push({ series: [k + 1, k + 2], fill: colour + "33" });
    }
    const axis = { stroke: ink.muted, grid: { stroke: ink.line, width: 1 }, ticks: { stroke: ink.line, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12.5px system-ui, sans-serif" };
    const u = new uPlot({
      width: at.clientWidth, height: 270, series, bands,
      scales: { x: { time: false }, y: { range: (u, least, most) => [0, most > 0 ? most * 1.04 : 1] } },
      axes: [{ ...axis, label: s.x }, { ...axis, label: s.y, size: 62, values: (u, ticks) => ticks.map(show) }],
      cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
      hooks: { setScale: [follow] },
    }, columns, at);
    // The ranges' own rows of the legend say nothing.
    u.root.querySelectorAll(".u-legend .u-series").forEach((row, k) => {
      if (k > 0 && k % 3 !== 1) row.style.display = "none";
      else if (k > 0) operable(row.querySelector("th"));
    });
    plots.set(chart.id, u);
    drawn.set(chart.id, () => { plots.delete(chart.id); u.destroy(); });
  }

  // operable lets a key do what a click does.
  function operable(th) {
    th.tabIndex = 0;
    th.setAttribute("role", "button");
    th.addEventListener("keydown", (e) => {
      if (e.key === "Enter" || e.key === " ") { e.preventDefault(); e.stopPropagation(); th.click(); }
    });
  }

  // follow zooms all series with the one that was zoomed.
  function follow(u, scale) {
    if (scale !== "x") return;
    const { min, max } = u.scales.x;
    for (const other of plots.values()) {
      if (other !== u && (other.scales.x.min !== min || other.scales.x.max !== max)) other.setScale("x", { min, max });
    }
  }

  function zoom(chart, key) {
    const u = plots.get(chart.id), xs = u.data[0];
    const all = { min: xs[0], max: xs[xs.length - 1] };
    let { min, max } = u.scales.x;
    const width = max - min;
    switch (key) {
      case "+": case "=": min += width / 4; max -= width / 4; break;
      case "-": case "−": min -= width / 2; max += width / 2; break;
      case "ArrowLeft": min -= width / 5; max -= width / 5; break;
      case "ArrowRight": min += width / 5; max += width / 5; break;
      case "Escape": case "0": ({ min, max } = all); break;
      default: return false;
    }
    if (min < all.min) { max = Math.min(all.max, max + all.min - min); min = all.min; }
    if (max > all.max) { min = Math.max(all.min, min - (max - all.max)); max = all.max; }
    u.setScale("x", { min, max });
    return true;
  }

  // ---- pictures

  // picture is a chart as a specification for paper: light, at a fixed width. Series
  // are drawn as far as they are in sight.
  function picture(chart) {
    const ink = inks.light, width = 900;
    if (chart.spec) return { ...sized(chart, width, ink), background: ink.paper, padding: 12 };
    const s = chart.series, { min, max } = plots.get(chart.id).scales.x;
    const values = [];
    for (const line of s.lines) {
      for (let i = 0; i < s.bins; i++) {
        const t = s.first + i * s.width;
        if (t >= min && t <= max && line.mean[i] != null) values.push({ run: line.label, t, mean: line.mean[i], least: line.least[i], most: line.most[i] });
      }
    }
    const runs = s.lines.map((line) => line.label);
    const looks = s.lines.map((line) => strokes(line, ink));
    const x = { field: "t", type: "quantitative", title: s.x, scale: { nice: false, zero: false } };
    const color = { field: "run", type: "nominal", title: null, scale: { domain: runs, range: looks.map((l) => l.colour) } };
    const strokeDash = { field: "run", type: "nominal", title: null, scale: { domain: runs, range: looks.map((l) => l.dash) } };
    const y = (field) => ({ field, type: "quantitative", title: s.y });
    const line = { mark: { type: "line", interpolate: "step-after", strokeWidth: 1.4 }, encoding: { x, color, strokeDash, y: y("mean") } };
    // A layer a run: areas with a colour of their own add nothing to the legend.
    const areas = runs.map((run, i) => ({
      transform: [{ filter: { field: "run", equal: run } }],
      mark: { type: "area", interpolate: "step-after", opacity: .2, color: looks[i].colour }, encoding: { x, y: y("least"), y2: { field: "most" } },
    }));
    return { data: { values }, width, height: 300, title: { text: chart.title, anchor: "start" }, background: ink.paper, padding: 12, layer: ranges ? [...areas, line] : [line] };
  }

  async function save(chart, kind) {
    const result = await embed(document.createElement("div"), picture(chart), inks.light);
    const url = kind === "svg"
      ? URL.createObjectURL(new Blob([await result.view.toSVG()], { type: "image/svg+xml" }))
      : await result.view.toImageURL("png", 2);
    result.finalize();
    const link = document.createElement("a");
    link.href = url;
    link.download = `bourse-${chart.id}.${kind}`;
    link.click();
    if (kind === "svg") setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  // ---- all charts

  let drawing = Promise.resolve();

  // redraw draws one chart, or all of them, after what is being drawn.
  function redraw(one) {
    drawing = drawing.then(async () => {
      const ink = inks[root.dataset.theme];
      for (const chart of one ? [one] : page.charts) {
        const at = document.getElementById("chart-" + chart.id);
        drawn.get(chart.id)?.();
        at.replaceChildren();
        if (chart.series) drawSeries(chart, at, ink);
        else await drawVega(chart, at, ink);
      }
      root.dataset.drawn = String(Number(root.dataset.drawn ?? 0) + 1);
    });
    return drawing;
  }

  for (const chart of page.charts) {
    const figure = document.getElementById("figure-" + chart.id);
    figure.querySelectorAll("[data-save]").forEach((b) => b.addEventListener("click", () => save(chart, b.dataset.save)));
    figure.querySelector("[data-tail]")?.addEventListener("click", (e) => {
      if (!tails.delete(chart.id)) tails.add(chart.id);
      e.target.setAttribute("aria-pressed", tails.has(chart.id));
      redraw(chart);
    });
    if (!chart.series) continue;
    figure.querySelector("[data-reset]").addEventListener("click", () => zoom(chart, "Escape"));
    figure.querySelector("[data-range]").addEventListener("click", () => {
      ranges = !ranges;
      document.querySelectorAll("[data-range]").forEach((b) => b.setAttribute("aria-pressed", ranges));
      redraw();
    });
    figure.querySelector(".chart").addEventListener("keydown", (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.altKey && zoom(chart, e.key)) e.preventDefault();
    });
  }

  // ---- tables

  // A click sorts by a column, upwards for words and downwards for numbers, and the
  // other way round the next time. Rows that are equal keep their order.
  function sortBy(th) {
    const table = th.closest("table"), body = table.tBodies[0], column = th.cellIndex;
    const numeric = th.classList.contains("n");
    const before = th.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numeric;
    table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[column];
      return numeric ? Number(cell.dataset.value ?? "NaN") : cell.textContent;
    };
    const compare = numeric
      ? (a, b) => (isNaN(a) ? 1 : isNaN(b) ? -1 : down ? b - a : a - b)
      : (a, b) => (down ? -1 : 1) * a.localeCompare(b, "en", { numeric: true });
    body.append(...[...body.rows].map((row) => [key(row), row]).sort((a, b) => compare(a[0], b[0])).map((x) => x[1]));
  }
  document.querySelectorAll("table.sortable thead th").forEach((th) => th.firstElementChild.addEventListener("click", () => sortBy(th)));

  // ---- the rest

  const dark = matchMedia("(prefers-color-scheme: dark)");
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => { setTheme(dark.matches ? "dark" : "light"); redraw(); });
  document.getElementById("theme").addEventListener("click", () => {
    setTheme(root.dataset.theme === "dark" ? "light" : "dark");
    redraw();
  });

  let width = innerWidth, later;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(later);
    later = setTimeout(() => redraw(), 200);
  });

  // Paper cannot be clicked: what is folded away is printed, but for the licences.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open]):not(.licences)")];
    folded.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((d) => { d.open = false; }));

  redraw();
})();
