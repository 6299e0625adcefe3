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
    if (width < 640 && spec.layer) spec.layer = spec.layer.filter(({ mark }) => mark.type !== "text"); // no room; the table has them
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
    const spec = sized(chart, at.clientWidth, ink);
    if (chart.legend) { // it is above the chart
      const unit = spec.spec ?? spec;
      for (const { encoding } of unit.layer ?? [unit]) {
        for (const channel of ["color", "strokeDash"]) if (encoding[channel]?.field) encoding[channel].legend = null;
      }
    }
    const result = await embed(at, spec, ink);
    drawn.set(chart.id, () => result.finalize());
  }

  // ---- series over time

  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  const show = (x) => (x == null ? "–" : compact.format(x));

  // Colours come again, with other dashes.
  const dashOf = (i) => page.palette.dashes[(i + Math.floor(i / page.palette.colours.length)) % page.palette.dashes.length];

  // strokes are the colour and the dashes of a run's line, the same in all charts.
  function strokes({ run: i }, ink) {
    const { runs, colours } = page.palette;
    return { colour: inked(colours[i % colours.length], ink), dash: runs > 1 ? dashOf(i) : [1, 0] };
  }

  // drawSeries draws all lines in one plot, or one below the other.
  function drawSeries(chart, at, ink) {
    const s = chart.series;
    const all = s.apart ? s.lines.map((line) => [line]) : [s.lines];
    const made = all.map((lines, i) => {
      if (s.apart) {
        const name = document.createElement("h4");
        name.textContent = lines[0].label;
        at.append(name);
      }
      const above = s.apart && i + 1 < all.length; // the last has the axis of all
      return plot(s, lines, at, ink, !s.apart ? 270 : above ? 84 : 134, above);
    });
    plots.set(chart.id, made);
    drawn.set(chart.id, () => { plots.delete(chart.id); made.forEach((u) => u.destroy()); });
  }

  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });

  function plot(s, lines, at, ink, height, above) {
    const xs = Array.from({ length: s.bins }, (_, i) => s.first + i * s.width);
    const columns = [xs];
    const when = (x) => (s.dates ? day.format(x * 1000) : x.toPrecision(6));
    const series = [{ label: s.dates ? "date" : "time", value: (u, x) => (x == null ? "" : when(x)) }];
    const bands = [];
    const stepped = uPlot.paths.stepped({ align: 1 });
    for (const line of lines) {
      const { colour, dash } = strokes(line, ink);
      const k = columns.length, bare = line.mean === line.most || String(line.mean) === String(line.most);
      columns.push(line.mean, line.most, line.least);
      series.push(
        { label: line.label, stroke: colour, width: 1.5, dash: dash[1] > 0 ? dash : undefined, paths: stepped, points: { show: false },
          value: (u, x, at, j) => (x == null || j == null ? "" : bare ? show(x) : `${show(x)} (${show(line.least[j])} to ${show(line.most[j])})`) },
        { label: "", stroke: "transparent", width: 0, paths: stepped, points: { show: false }, show: ranges },
        { label: "", stroke: "transparent", width: 0, paths: stepped, points: { show: false }, show: ranges });
      if (!bare) bands.push({ series: [k + 1, k + 2], fill: colour + "33" });
    }
    const axis = { stroke: ink.muted, grid: { stroke: ink.line, width: 1 }, ticks: { stroke: ink.line, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12.5px system-ui, sans-serif" };
    const u = new uPlot({
      width: at.clientWidth, height, series, bands,
      tzDate: (t) => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
      scales: { x: { time: Boolean(s.dates) }, y: { range: (u, least, most) => [0, s.most ? s.most * 1.02 : most > 0 ? most * 1.04 : 1] } },
      legend: { show: !s.apart },
      axes: [{ ...axis, label: s.x, show: !above }, { ...axis, label: s.apart ? undefined : s.y, size: 62, values: (u, ticks) => ticks.map(show) }],
      cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
      hooks: { setScale: [follow] },
    }, columns, at);
    // The ranges' own rows of the legend say nothing.
    u.root.querySelectorAll(".u-legend .u-series").forEach((row, k) => {
      if (k > 0 && k % 3 !== 1) row.style.display = "none";
      else if (k > 0) operable(row.querySelector("th"));
    });
    return u;
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
    for (const other of [...plots.values()].flat()) {
      if (other !== u && (other.scales.x.min !== min || other.scales.x.max !== max)) other.setScale("x", { min, max });
    }
  }

  function zoom(chart, key) {
    if (chart.gantt) return zoomGantt(chart, key);
    const [u] = plots.get(chart.id), xs = u.data[0];
    const next = zoomed(u.scales.x, { min: xs[0], max: xs[xs.length - 1] }, key);
    if (next) u.setScale("x", next);
    return Boolean(next);
  }

  // zoomed is what a key makes of the time in sight; nothing if it is none of ours.
  function zoomed({ min, max }, all, key) {
    const width = max - min;
    switch (key) {
      case "+": case "=": min += width / 4; max -= width / 4; break;
      case "-": case "−": min -= width / 2; max += width / 2; break;
      case "ArrowLeft": min -= width / 5; max -= width / 5; break;
      case "ArrowRight": min += width / 5; max += width / 5; break;
      case "Escape": case "0": ({ min, max } = all); break;
      default: return null;
    }
    if (min < all.min) { max = Math.min(all.max, max + all.min - min); min = all.min; }
    if (max > all.max) { min = Math.max(all.min, min - (max - all.max)); max = all.max; }
    return { min, max };
  }

  // ---- Gantt charts

  const views = new Map(); // chart id -> the time in sight, in seconds of the chart

  // rectangles are a run's, with their times summed up.
  function rectangles(run) {
    if (run.from) return run;
    let t = 0;
    run.from = run.start.map((d) => (t += d));
    run.to = run.from.map((f, i) => f + run.len[i]);
    return run;
  }

  const longest = (run) => run.to.reduce((a, b) => Math.max(a, b), 0);

  function span(seconds) {
    for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) if (seconds >= size) return `${+(seconds / size).toPrecision(3)} ${unit}`;
    return `${seconds} s`;
  }

  function drawGantt(chart, at, ink) {
    const g = chart.gantt, redraws = [];
    g.runs.forEach(rectangles);
    const all = { min: 0, max: Math.min(g.until, Math.max(...g.runs.map(longest))) };
    if (!views.has(chart.id)) views.set(chart.id, { ...all });
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    for (const run of g.runs) {
      if (g.runs.length > 1) {
        const name = document.createElement("h4");
        name.textContent = run.label;
        at.append(name);
      }
      const canvas = document.createElement("canvas");
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${chart.title} ${run.label}`);
      at.append(canvas);
      const draw = () => paint(canvas, g, run, views.get(chart.id), ink, at.clientWidth, g.runs.length > 1 ? 260 : 420);
      redraws.push(draw);
      mouse(canvas, tip, g, run, chart, all, () => redraws.forEach((d) => d()));
    }
    at.append(tip);
    redraws.forEach((d) => d());
    plots.set(chart.id, []);
    drawn.set(chart.id, () => plots.delete(chart.id));
    gantts.set(chart.id, { all, redraw: () => redraws.forEach((d) => d()) });
  }

  const gantts = new Map(); // chart id -> all of its time, and how to draw it again
  const edge = { left: 62, right: 10, top: 8, bottom: 44 };

  function zoomGantt(chart, key) {
    const { all, redraw } = gantts.get(chart.id);
    const next = zoomed(views.get(chart.id), all, key);
    if (!next) return false;
    views.set(chart.id, next);
    redraw();
    return true;
  }

  const userColours = () => page.palette.colours.slice(0, 6);

  // paint draws the rectangles in sight. Those narrower than a dot are summed up, dot by
  // dot, as the share of time and processors that they take.
  function paint(canvas, g, run, view, ink, width, height) {
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    const w = width - edge.left - edge.right, h = height - edge.top - edge.bottom;
    const x = (t) => edge.left + ((t - view.min) / (view.max - view.min)) * w;
    const y = (p) => edge.top + h - (p / g.procs) * h;
    const colours = userColours();
    const columns = Math.ceil(w), rows = Math.min(g.procs, Math.ceil(h));
    const busy = new Float32Array(columns * rows);
    c.save();
    c.beginPath();
    c.rect(edge.left, edge.top, w, h);
    c.clip();
    c.fillStyle = ink.line;
    for (const [start, end, away] of run.away ?? []) c.fillRect(x(start), edge.top, Math.max(x(end) - x(start), 1), h * Math.min(1, away / g.procs));
    for (let i = 0; i < run.from.length; i++) {
      if (run.to[i] < view.min || run.from[i] > view.max) continue;
      const a = x(run.from[i]), wide = x(run.to[i]) - a;
      const top = y(run.low[i] + run.count[i]), high = y(run.low[i]) - top;
      if (wide >= 1) {
        c.fillStyle = colours[run.user[i] % colours.length];
        c.fillRect(a, top, Math.max(wide - (wide > 4 ? .5 : 0), .5), Math.max(high - (high > 4 ? .5 : 0), .5));
        continue;
      }
      const column = Math.floor(a - edge.left);
      if (column < 0 || column >= columns) continue;
      const first = Math.floor((run.low[i] / g.procs) * rows), last = Math.min(rows - 1, Math.floor(((run.low[i] + run.count[i] - 1) / g.procs) * rows));
      for (let r = first; r <= last; r++) busy[r * columns + column] += wide * Math.min(1, (run.count[i] / g.procs) * rows);
    }
    c.fillStyle = ink.muted;
    const tall = h / rows;
    for (let r = 0; r < rows; r++) {
      for (let k = 0; k < columns; k++) {
        const share = busy[r * columns + k];
        if (!share) continue;
        c.globalAlpha = Math.min(1, .15 + .85 * share);
        c.fillRect(edge.left + k, edge.top + h - (r + 1) * tall, 1, tall);
      }
    }
    c.restore();
    axes(c, g, view, ink, w, h, x, y);
  }

  function axes(c, g, view, ink, w, h, x, y) {
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = ink.muted;
    c.strokeStyle = ink.line;
    c.strokeRect(edge.left, edge.top, w, h);
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (let k = 0; k <= 4; k++) {
      const p = Math.round((g.procs * k) / 4);
      c.fillText(compact.format(p), edge.left - 6, y(p));
    }
    c.save();
    c.translate(14, edge.top + h / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText("processor", 0, 0);
    c.restore();
    c.textAlign = "center";
    c.textBaseline = "top";
    const long = view.max - view.min, marks = Math.max(2, Math.floor(w / 110));
    const steps = [1, 10, 60, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 14 * 86400, 30 * 86400, 90 * 86400, 365 * 86400];
    const step = steps.find((s) => long / s <= marks) ?? long;
    const zero = g.dates ? g.zero : g.zero * g.per;
    for (let t = Math.ceil((zero + view.min) / step) * step; t <= zero + view.max; t += step) {
      const at = x(t - zero);
      c.beginPath();
      c.moveTo(at, edge.top + h);
      c.lineTo(at, edge.top + h + 4);
      c.stroke();
      c.fillText(label(g, t, step), at, edge.top + h + 7);
    }
    c.fillText(g.x, edge.left + w / 2, edge.top + h + 26);
  }

  function label(g, t, step) {
    if (!g.dates) return String(+(t / g.per).toPrecision(6));
    const text = new Date(t * 1000).toISOString();
    return step < 86400 ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
  }

  // mouse tells what is under it, and zooms into what it drags over.
  function mouse(canvas, tip, g, run, chart, all, again) {
    let from = null;
    const place = (e) => {
      const box = canvas.getBoundingClientRect(), view = views.get(chart.id);
      return {
        t: view.min + ((e.clientX - box.left - edge.left) / (box.width - edge.left - edge.right)) * (view.max - view.min),
        p: ((box.bottom - edge.bottom - e.clientY) / (box.height - edge.top - edge.bottom)) * g.procs,
      };
    };
    canvas.addEventListener("mousemove", (e) => {
      const { t, p } = place(e);
      const i = run.from.findIndex((f, k) => f <= t && run.to[k] > t && run.low[k] <= p && run.low[k] + run.count[k] > p);
      tip.hidden = i < 0;
      if (i < 0) return;
      const n = run.count[i];
      tip.textContent = `job ${run.job[i]}, user ${g.users[run.user[i]]}\n${n} processor${n > 1 ? "s" : ""} from ${run.low[i]}\nwaited ${span(run.wait[i])}, here for ${span(run.len[i])}`;
      tip.style.left = `${Math.min(e.clientX + 14, innerWidth - 220)}px`;
      tip.style.top = `${e.clientY + 14}px`;
    });
    canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
    canvas.addEventListener("mousedown", (e) => { from = place(e).t; });
    canvas.addEventListener("mouseup", (e) => {
      const to = place(e).t, view = views.get(chart.id);
      if (from !== null && Math.abs(to - from) > (view.max - view.min) / 100) {
        views.set(chart.id, { min: Math.max(all.min, Math.min(from, to)), max: Math.min(all.max, Math.max(from, to)) });
        again();
      }
      from = null;
    });
    canvas.addEventListener("dblclick", () => { views.set(chart.id, { ...all }); again(); });
  }

  // ---- pictures

  // picture is a chart as a specification for paper: light, at a fixed width. Series
  // are drawn as far as they are in sight.
  function picture(chart) {
    const ink = inks.light, width = 900;
    if (chart.spec) return { ...sized(chart, width, ink), background: ink.paper, padding: 12 };
    const s = chart.series, { min, max } = plots.get(chart.id)[0].scales.x;
    const values = [];
    for (const line of s.lines) {
      for (let i = 0; i < s.bins; i++) {
        const t = s.first + i * s.width;
        if (t >= min && t <= max && line.mean[i] != null) values.push({ run: line.label, t: s.dates ? t * 1000 : t, mean: line.mean[i], least: line.least[i], most: line.most[i] });
      }
    }
    const runs = s.lines.map((line) => line.label);
    const looks = s.lines.map((line) => strokes(line, ink));
    const x = s.dates ? { field: "t", type: "temporal", title: s.x, scale: { type: "utc", nice: false } } : { field: "t", type: "quantitative", title: s.x, scale: { nice: false, zero: false } };
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
    if (chart.gantt) return saveCanvas(chart);
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

  // saveCanvas saves what is in sight of a Gantt chart, run below run.
  function saveCanvas(chart) {
    const ink = inks.light, width = 1200, height = chart.gantt.runs.length > 1 ? 280 : 440;
    const sheet = document.createElement("canvas");
    sheet.width = 2 * width;
    sheet.height = 2 * height * chart.gantt.runs.length;
    const c = sheet.getContext("2d");
    c.fillStyle = ink.paper;
    c.fillRect(0, 0, sheet.width, sheet.height);
    chart.gantt.runs.forEach((run, i) => {
      const one = document.createElement("canvas");
      paint(one, chart.gantt, run, views.get(chart.id), ink, width, height - 20);
      c.fillStyle = ink.ink;
      c.font = "26px system-ui, sans-serif";
      c.fillText(run.label, 20, 2 * height * i + 28);
      c.drawImage(one, 0, 2 * height * i + 40, 2 * width, 2 * (height - 20));
    });
    const link = document.createElement("a");
    link.href = sheet.toDataURL("image/png");
    link.download = `bourse-${chart.id}.png`;
    link.click();
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
        try {
          if (chart.series) drawSeries(chart, at, ink);
          else if (chart.gantt) drawGantt(chart, at, ink);
          else await drawVega(chart, at, ink);
        } catch (e) { // the others are drawn all the same
          drawn.delete(chart.id);
          at.textContent = `This chart cannot be drawn: ${e.message}`;
          console.error(chart.id, e);
        }
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
    if (!chart.series && !chart.gantt) continue;
    figure.querySelector("[data-reset]").addEventListener("click", () => zoom(chart, "Escape"));
    figure.querySelector("[data-range]")?.addEventListener("click", () => {
      ranges = !ranges;
      document.querySelectorAll("[data-range]").forEach((b) => b.setAttribute("aria-pressed", ranges));
      redraw();
    });
    figure.querySelector(".chart").addEventListener("keydown", (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.altKey && zoom(chart, e.key)) e.preventDefault();
    });
  }

  // ---- the chart of a sweep

  if (page.sweep) sweep(page.charts[0], page.sweep);

  // sweep makes the chart's specification from what the reader chooses.
  function sweep(chart, s) {
    const select = (id) => document.getElementById(`choose-${id}`);
    const fixed = document.getElementById("fixed");
    const numeric = (axis) => axis.values.length > 1 && axis.values.every((v) => v.trim() !== "" && isFinite(v));
    const place = (name) => s.axes.findIndex((a) => a.name === name);
    select("y").selectedIndex = s.measures.findIndex((m) => m.name === "mean_bounded_slowdown");
    select("x").selectedIndex = Math.max(0, s.axes.findIndex(numeric));
    const rest = s.axes.filter((a, i) => i !== select("x").selectedIndex);
    const other = place((rest.find((a) => a.name === "policy") ?? rest[0])?.name);
    select("series").selectedIndex = other + 1;

    function build() {
      const y = select("y").selectedIndex, x = select("x").selectedIndex;
      const series = place(select("series").value), panels = place(select("panels").value);
      const before = new Map([...fixed.querySelectorAll("select")].map((e) => [e.dataset.axis, e.selectedIndex]));
      fixed.replaceChildren();
      const at = new Map();
      s.axes.forEach((axis, i) => {
        if (i === x || i === series || i === panels) return;
        const label = document.createElement("label"), choice = document.createElement("select");
        for (const v of axis.values) choice.add(new Option(v));
        choice.dataset.axis = axis.name;
        choice.selectedIndex = before.get(axis.name) ?? 0;
        choice.addEventListener("change", () => { build(); redraw(chart); });
        label.append(`${axis.name} `, choice);
        fixed.append(label);
        at.set(i, choice.selectedIndex);
      });
      const value = (p, i) => (i < 0 ? "" : s.axes[i].values[p.at[i]]);
      const isNumber = numeric(s.axes[x]), m = s.measures[y];
      const rows = s.points.filter((p) => [...at].every(([i, k]) => p.at[i] === k)).map((p) =>
        [isNumber ? Number(value(p, x)) : value(p, x), value(p, series), value(p, panels), p.means[y], p.lows[y], p.highs[y]]);
      chart.data = { names: ["x", "line", "panel", "y", "low", "high"], rows };
      const lines = series < 0 ? [] : s.axes[series].values;
      const colours = lines.map((_, i) => page.palette.colours[i % page.palette.colours.length]);
      const dashes = lines.map((_, i) => dashOf(i));
      // Values far apart are readable only by their logarithms.
      const ys = rows.map((r) => r[3]), log = Math.min(...ys) > 0 && Math.max(...ys) > 300 * Math.min(...ys);
      const scale = log ? { type: "log", nice: false, domainMin: 0.8 * Math.min(...ys), clamp: true } : {};
      const { axis } = m;
      const ex = isNumber ? { field: "x", type: "quantitative", scale: { zero: false, nice: false, padding: 12 }, axis: { title: s.axes[x].name } }
        : { field: "x", type: "nominal", sort: s.axes[x].values, axis: { title: s.axes[x].name, labelAngle: s.axes[x].values.length > 6 ? -40 : 0, labelLimit: 150 } };
      const color = series < 0 ? { value: page.palette.colours[0] } : { field: "line", type: "nominal", title: s.axes[series].name, scale: { domain: lines, range: colours } };
      const offset = !isNumber && series >= 0 ? { xOffset: { field: "line", sort: lines } } : {};
      const tooltip = [{ field: "x", title: s.axes[x].name }, ...(series < 0 ? [] : [{ field: "line", title: s.axes[series].name }]), { field: "y", title: m.heading, format: ",.5~g" }, { field: "low", format: ",.5~g" }, { field: "high", format: ",.5~g" }];
      const layer = [
        { mark: { type: "rule", strokeWidth: 1.2 }, encoding: { x: ex, ...offset, color, y: { field: "low", type: "quantitative", axis, scale }, y2: { field: "high" } } },
        { mark: { type: "point", filled: true, size: 55 }, encoding: { x: ex, ...offset, color, tooltip, y: { field: "y", type: "quantitative", axis, scale } } },
      ];
      if (isNumber) layer.unshift({ mark: { type: "line", strokeWidth: 1.8 }, encoding: { x: ex, color, ...(series < 0 ? {} : { strokeDash: { field: "line", type: "nominal", title: s.axes[series].name, scale: { domain: lines, range: dashes } } }), y: { field: "y", type: "quantitative", axis, scale } } });
      const unit = { height: 340, layer };
      keys(lines, colours, isNumber ? dashes : []);
      chart.title = `${m.heading} by ${s.axes[x].name}`;
      document.getElementById("title-sweep").textContent = chart.title;
      chart.spec = panels < 0 ? unit : { facet: { field: "panel", type: "nominal", title: s.axes[panels].name, sort: s.axes[panels].values }, columns: 3, spec: { ...unit, height: 220 } };
      return rows;
    }
    // keys is the legend: above the chart, where it can break into lines.
    function keys(lines, colours, dashes) {
      const list = document.querySelector("#figure-sweep .legend") ?? document.createElement("ul");
      list.className = "legend";
      list.setAttribute("aria-label", "Legend");
      list.replaceChildren(...lines.map((name, i) => {
        const item = document.createElement("li");
        const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg"), dot = document.createElementNS(ns, "circle"), line = document.createElementNS(ns, "path");
        for (const [k, v] of Object.entries({ width: 30, height: 10, "aria-hidden": true })) svg.setAttribute(k, v);
        for (const [k, v] of Object.entries({ cx: 15, cy: 5, r: 4, fill: colours[i] })) dot.setAttribute(k, v);
        for (const [k, v] of Object.entries({ d: "M0 5h30", stroke: colours[i], "stroke-width": 1.8, "stroke-dasharray": (dashes[i] ?? []).join(" ") })) line.setAttribute(k, v);
        svg.append(...(dashes.length ? [line] : []), dot);
        item.append(svg, name);
        return item;
      }));
      document.getElementById("chart-sweep").before(list);
      chart.legend = lines.length > 0;
    }
    for (const id of ["y", "x", "series", "panels"]) {
      select(id).addEventListener("change", () => {
        // An axis has one part in the chart.
        for (const o of ["x", "series", "panels"]) {
          if (o !== id && id !== "y" && select(o).value === select(id).value) {
            if (o === "x") select(o).selectedIndex = s.axes.findIndex((a) => a.name !== select(id).value && a.name !== select(o === "series" ? "panels" : "series").value);
            else select(o).selectedIndex = 0;
          }
        }
        build();
        redraw(chart);
      });
    }
    document.getElementById("save-csv").addEventListener("click", () => {
      const quote = (v) => (/[",\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v);
      const head = [...s.axes.map((a) => a.name), ...s.measures.flatMap((m) => [m.name, `${m.name}_low`, `${m.name}_high`])];
      const lines = s.points.map((p) => [...p.at.map((k, i) => quote(s.axes[i].values[k])), ...s.measures.flatMap((_, i) => [p.means[i], p.lows[i], p.highs[i]])]);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([[head, ...lines].map((l) => l.join(",")).join("\n") + "\n"], { type: "text/csv" }));
      link.download = "bourse-sweep.csv";
      link.click();
    });
    build();
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
