"""What the notebooks share: run bourse, read what it wrote, check it, draw it."""

import atexit
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
from cycler import cycler
from matplotlib_inline.backend_inline import set_matplotlib_formats

# The colours of reports/figures, by Okabe and Ito: told apart by the colour-blind.
BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK = PALETTE = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
]
MARKERS = ["o", "s", "^", "P", "X", "D", "v"]

BANDS = ["low", "middle", "high"]

# Student's t at 0.975 by degrees of freedom, for intervals of so many samples less one.
STUDENT = {2: 4.302653, 3: 3.182446, 4: 2.776445, 5: 2.570582, 6: 2.446912, 7: 2.364624, 8: 2.306004, 9: 2.262157, 19: 2.093024}

PROGRAM = os.environ.get("BOURSE") or Path(__file__).resolve().parents[2] / "bin" / "bourse"
if not shutil.which(PROGRAM):
    raise SystemExit(f"there is no bourse at {PROGRAM}: run make build, or name the program in $BOURSE")

# Everything is written to one folder, gone when the notebook ends.
WORK = Path(tempfile.mkdtemp(prefix="bourse-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def _run(line, note):
    print("$ bourse", shlex.join(shlex.split(line)) + note)
    done = subprocess.run([PROGRAM, *shlex.split(line)], cwd=WORK, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def bourse(line, show=True):
    """Runs a command line of bourse in WORK and returns what it printed."""
    text = _run(line, "" if show else " >/dev/null").decode()
    text = re.sub(r" \([\d,]+/s\)", "", text)  # speed is this machine's, not the result's
    if show and text:
        print(text)
    return text


def piped(line):
    """Runs a command line and returns the bytes it wrote to standard output."""
    return _run(line, " | python3")


def workload(model, trace=""):
    """The log to replay, ready for a command line: the one named here or in $BOURSE_TRACE, or one drawn from a model."""
    if trace := trace or os.environ.get("BOURSE_TRACE"):
        return shlex.quote(os.path.abspath(trace) if os.path.exists(trace) else trace)
    bourse(f"trace synth '{model}' log.swf.gz")
    return "log.swf.gz"


def summary(run):
    return json.loads((WORK / run / "summary.json").read_text())


def jobs(run):
    """A run's records in order of submission, with the band of each value."""
    rows = pd.read_parquet(WORK / run / "jobs.parquet").sort_values(["submit_s", "job_id", "task"], ignore_index=True)
    rows["band"] = "none"
    for band, least in ("low", rows.value > 0), ("middle", rows.value > 60), ("high", rows.value >= 120):
        rows.loc[least, "band"] = band
    return rows


def aggregate(rows):
    """What summary.json tells of some records, worked out again."""
    slowdown = rows.bounded_slowdown
    return {
        "jobs": len(rows),
        "mean_bounded_slowdown": slowdown.mean(),
        "p95_bounded_slowdown": slowdown.sort_values().iloc[math.ceil(0.95 * len(rows)) - 1],
        "mean_bsd": rows.bsd.mean(),
        "ssj_percent": 100 * (rows.bsd >= 5).mean(),
        "mean_wait_s": rows.wait_s.mean(),
        "mean_flow_s": rows.flow_s.mean(),
        "mean_payment": rows.payment.mean(),
        "sum_payment": rows.payment.sum(),
        "mean_utility": rows.utility.mean(),
        "sum_utility": rows.utility.sum(),
        "twft": -rows.valuation.sum(),
    }


def agree(run):
    """Fails unless the records of a run give the figures of its summary.json."""
    told, rows = summary(run)["jobs"], jobs(run)
    classes = rows.aggressive.map({False: "conservative", True: "aggressive"})
    pairs = [(told["total"], rows)]
    pairs += [(cell, rows[rows.band == cell["band"]]) for cell in told["bands"]]
    pairs += [(cell, rows[classes == cell["class"]]) for cell in told["classes"]]
    figures = 0
    for cell, part in pairs:
        for name, value in aggregate(part).items():
            # Quantiles of more than 2^20 values come from a histogram, right to 0.2 %.
            rough = name == "p95_bounded_slowdown" and len(rows) > 1 << 20
            assert math.isclose(value, cell[name], rel_tol=4e-3 if rough else 1e-9, abs_tol=1e-6), (run, cell, name, value)
            figures += 1
    print(f"{run}: {len(rows):,} records give the {figures} figures of summary.json")


def batch_means(values):
    """Mean and half a 95 % interval by twenty batches of neighbours, as compare has it:
    jobs that follow each other share a queue, so they are not independent samples."""
    values = list(values)
    n = len(values)
    means = [pd.Series(values[k * n // 20:(k + 1) * n // 20]).mean() for k in range(20)]
    return sum(values) / n, STUDENT[19] * pd.Series(means).std() / math.sqrt(20)


def interval(samples):
    """Mean and half a 95 % interval of independent samples, as seeds are."""
    samples = pd.Series(samples)
    return samples.mean(), STUDENT[len(samples) - 1] * samples.std() / math.sqrt(len(samples))


def style():
    """One style for all figures."""
    matplotlib.rcParams.update({
        "figure.figsize": (7.2, 2.9), "figure.dpi": 100, "figure.constrained_layout.use": True,
        "font.family": ["Liberation Sans", "DejaVu Sans"], "font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8,
        "axes.prop_cycle": cycler(color=PALETTE), "axes.spines.top": False, "axes.spines.right": False,
        "axes.linewidth": 0.6, "axes.grid": True, "axes.axisbelow": True, "grid.color": "#d8d8d8", "grid.linewidth": 0.5,
        "legend.frameon": False, "lines.linewidth": 1.3, "errorbar.capsize": 2.5,
    })
    # No version in the picture: another matplotlib alone is no difference.
    set_matplotlib_formats("png", metadata={"Software": None})


def points(axes, labels, series, colour=None):
    """Draws series of (mean, half) side by side at labels, with the intervals."""
    for k, (name, pairs) in enumerate(series.items()):
        shift = 0.5 * (k - (len(series) - 1) / 2) / len(series)
        axes.errorbar([i + shift for i in range(len(labels))], [m for m, _ in pairs], [h for _, h in pairs], linestyle="none",
                      marker=MARKERS[k % len(MARKERS)], markersize=5, color=colour or PALETTE[k % len(PALETTE)], label=name)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.grid(axis="x", visible=False)


def logarithmic(axes):
    """Makes the axis of heights logarithmic, with plain numbers."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:,g}")


def legend(axes, title):
    """Puts the legend to the right of a panel, where it hides nothing."""
    axes.legend(title=title, loc="center left", bbox_to_anchor=(1, 0.5))


style()
