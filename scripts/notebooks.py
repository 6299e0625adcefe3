"""Runs notebooks headless, each in its own folder, and writes them with their
outputs to a folder: python3 notebooks.py OUT NOTEBOOK...

What changes from run to run without meaning is left out, so that running a
notebook again gives the same file. The first cell that fails ends it, with 1."""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def run(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=1800, record_timing=False, coalesce_streams=True,
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def main(out, *paths):
    out = Path(out)
    for path in map(Path, paths):
        began = time.monotonic()
        try:
            notebook = run(path)
        except CellExecutionError as error:
            sys.exit(f"{path.name}: {error}")
        target = out / path.name
        text = nbformat.writes(notebook, indent=1, ensure_ascii=False) + "\n"
        unfinished = target.with_suffix(".unfinished")
        unfinished.write_text(text)
        unfinished.replace(target)
        print(f"{path.name}: {sum(c.cell_type == 'code' for c in notebook.cells)} cells, {len(text) // 1000} kB, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
