"""Wants what pandas reads to be what the program says, and README's lines of pandas to run: python3 frames.py DIR

DIR holds a run of a market (out, and arrow, its records as a stream), a sweep (load), its
game (game.csv), and for one payment what single jobs gain (regret.parquet) beside the
truthful replay (truth)."""

import json
import math
import os
import re
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa

DIR = Path(sys.argv[1])


def same(what, got, want, tolerance=1e-9):
    if not math.isclose(got, want, rel_tol=tolerance, abs_tol=1e-6):
        sys.exit(f"frames: {what}: {got}, want {want}")


def aggregate(rows):
    """What summary.json tells of some records, worked out again."""
    n = len(rows)
    return {
        "jobs": n,
        "mean_bounded_slowdown": rows.bounded_slowdown.mean(),
        "p95_bounded_slowdown": rows.bounded_slowdown.sort_values().iloc[math.ceil(0.95 * n) - 1],
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


def run():
    """Records give the figures of summary.json, and as a stream they are the same."""
    told = json.loads((DIR / "out/summary.json").read_text())["jobs"]
    rows = pd.read_parquet(DIR / "out/jobs.parquet")
    band = pd.cut(rows.value, [0, 60, 120 - 1e-9, 180], labels=["low", "middle", "high"])
    owner = rows.aggressive.map({False: "conservative", True: "aggressive"})
    parts = [(told["total"], rows)]
    parts += [(cell, rows[band == cell["band"]]) for cell in told["bands"]]
    parts += [(cell, rows[owner == cell["class"]]) for cell in told["classes"]]
    for cell, part in parts:
        for name, value in aggregate(part).items():
            same(f"summary.json {name}", value, cell[name])
    with pa.ipc.open_stream(DIR / "arrow") as reader:
        if not reader.read_pandas().equals(rows):
            sys.exit("frames: Arrow and Parquet differ")
    return len(rows), len(parts)


def sweep():
    """A sweep's directory is a data frame of what its summaries say, and its game follows."""
    cells = pd.read_parquet(DIR / "load")
    axes = ["payment", "policy", "behaviour"]
    totals = cells[cells.part == "all"].set_index([*axes, "seed"]).sort_index()
    files = sorted((DIR / "load/_sweep").glob("**/summary.json"))
    if len(files) != len(totals):
        sys.exit(f"frames: {len(totals)} replays in the table, {len(files)} summaries")
    for file in files:
        at = {k: re.sub("%(..)", lambda c: chr(int(c[1], 16)), v) for k, v in (part.split("=", 1) for part in file.parent.parts if "=" in part)}
        at["payment"] = at["payment_scheme"]  # folders do not have the names of the jobs' columns
        told, row = json.loads(file.read_text()), totals.loc[tuple(at[a] for a in axes) + (int(at["seed"]),)]
        for name, value in [*told["jobs"]["total"].items(), ("utilisation", told["machine"]["utilisation"]), ("makespan_s", told["machine"]["makespan_s"])]:
            same(f"{file} {name}", row[name], value, 0)
    designer = (totals.sum_payment / totals.twft).groupby(axes).mean()
    liars = cells[(cells.part == "cell") & (cells.run_group == "C") & (cells["class"] == "aggressive")].groupby([*axes, "seed"])
    users = (liars.sum_utility.sum() / liars.jobs.sum()).groupby(axes).mean()
    game = pd.read_csv(DIR / "game.csv").set_index(axes)
    for key, row in game.iterrows():
        same(f"designer {key}", designer[key], row.designer, 1e-6)
        same(f"users {key}", users[key], row.users, 1e-6)
    return len(files), len(game)


def regret():
    """A job that bids its value fares as in the plain replay."""
    sampled = pd.read_parquet(DIR / "regret.parquet").query("factor == 1").set_index("job_id").utility
    told = pd.read_parquet(DIR / "truth/jobs.parquet").groupby("job_id").utility.sum()
    for job, utility in sampled.items():
        same(f"utility of job {job}", utility, told[job])
    return len(sampled)


def readme():
    """What README says of pandas, at the left margin, prints a line for each class of owner and for each load."""
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text()
    os.chdir(DIR)
    for code in re.findall("^```python\n(.*?)^```", text, re.S | re.M):
        exec(code, {})


records, parts = run()
replays, entries = sweep()
print(f"frames: {records:,} records give {parts} parts of summary.json; {replays} replays of a sweep and {entries} payoffs of its game agree; so do {regret()} truthful utilities")
readme()
