"""What four of the notebooks share: run bourse, read what it wrote, one style."""

import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import matplotlib
import pandas as pd
from cycler import cycler
from matplotlib_inline.backend_inline import set_matplotlib_formats

# The colours of reports/figures, by Okabe and Ito: told apart by the colour-blind.
PALETTE = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
]

PROGRAM = os.environ.get("BOURSE") or Path(__file__).resolve().parents[2] / "bin" / "bourse"
if not shutil.which(PROGRAM):
    raise SystemExit(f"there is no bourse at {PROGRAM}: run make build, or name the program in $BOURSE")

# Everything is written to one folder, gone when the notebook ends.
WORK = Path(tempfile.mkdtemp(prefix="bourse-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def bourse(line, show=True):
    """Runs a command line of bourse in WORK and shows what it prints."""
    print("$ bourse", shlex.join(shlex.split(line)) + ("" if show else " >/dev/null"))
    done = subprocess.run([PROGRAM, *shlex.split(line)], cwd=WORK, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}\n{done.stderr}")
    if show and done.stdout:
        print(re.sub(r" \([\d,]+/s\)", "", done.stdout))  # speed is this machine's, not the result's


def workload(model, trace=""):
    """The log to replay, ready for a command line: the one named here or in $BOURSE_TRACE, or one drawn from a model."""
    if trace := trace or os.environ.get("BOURSE_TRACE"):
        return shlex.quote(os.path.abspath(trace) if os.path.exists(trace) else trace)
    bourse(f"trace synth '{model}' log.swf.gz")
    return "log.swf.gz"


def jobs(run):
    """A run's records in order of submission."""
    return pd.read_parquet(WORK / run / "jobs.parquet").sort_values(["submit_s", "job_id", "task"], ignore_index=True)


def results(runs, part="total"):
    """A table of what the runs' summary.json says of all jobs, or of the parts by band, group or class: {name: folder}."""
    rows = []
    for name, run in runs.items():
        told = json.loads((WORK / run / "summary.json").read_text())
        for cell in [told["jobs"]["total"]] if part == "total" else told["jobs"][part]:
            rows.append({"run": name, **cell, "utilisation": told["machine"]["utilisation"]})
    return pd.DataFrame(rows).set_index("run")


def style():
    """One style for all figures."""
    matplotlib.rcParams.update({
        "figure.figsize": (7.2, 2.9), "figure.dpi": 100, "figure.constrained_layout.use": True,
        "font.family": ["Liberation Sans", "DejaVu Sans"], "font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8,
        "axes.prop_cycle": cycler(color=PALETTE), "axes.spines.top": False, "axes.spines.right": False,
        "axes.linewidth": 0.6, "axes.grid": True, "axes.axisbelow": True, "grid.color": "#d8d8d8", "grid.linewidth": 0.5,
        "legend.frameon": False, "lines.linewidth": 1.3,
    })
    # No version in the picture: another matplotlib alone is no difference.
    set_matplotlib_formats("png", metadata={"Software": None})


style()
