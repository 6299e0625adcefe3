"""Replays workload logs through schedulers and markets; a thin layer over the program bourse.

    import bourse
    jobs = bourse.replay("log.swf.gz", policy="easy")          # a pyarrow.Table, a row for each job
    jobs = bourse.replay("synth:lublin?jobs=1000", policy="hb", payment="kth").to_pandas()
    table = bourse.compare("log.swf.gz", policy=["fcfs", "easy"], metric="wait")
    bourse.run("sweep", "log.swf.gz", policy=["fcfs", "easy"], replicas=10, out="cells")

Options are the flags of the program, _ for -; True stands for a flag without a value, a list for
one with commas. Without pyarrow tables are pandas.DataFrames. Progress is shown on terminals and
in notebooks; progress=False hides it.
"""
import io, json, os, platform, subprocess, sys, tempfile, threading

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bourse.exe" if os.name == "nt" else "bourse")


class Error(Exception):
    """What the program says that went wrong."""


def _start(args, progress=False, **how):
    args = [PROGRAM, *map(os.fspath, args)] + ([] if progress else ["-q"])
    try:
        return subprocess.Popen(args, stdin=subprocess.DEVNULL, **how)
    except OSError as err:
        raise Error(f"{PROGRAM} does not run on this machine, {platform.system()} {platform.machine()} ({err.strerror}); install the wheel that is made for it") from err


def _flags(options):
    for name, value in options.items():
        if value is None or value is False:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        flag = "--" + name.replace("_", "-")
        yield flag if value is True else f"{flag}={value}"


def _names(names):
    """Names of traces and the like: one that begins with - would be read as a flag, and a flag can start programs."""
    for name in names:
        if os.fspath(name).startswith("-"):
            raise ValueError(f"{os.fspath(name)!r} is no name; options are given by theirs, as in policy='easy'")
    return names


def _show(fd):
    """Shows progress in a notebook, which has no terminal of its own."""
    try:
        while text := os.read(fd, 4096):
            sys.stderr.write(text.decode(errors="replace").replace("\x1b[K", ""))
            sys.stderr.flush()
    except OSError:  # the end of a terminal whose program has ended
        pass


def _call(args, progress):
    """The program's output. What it says to people is kept for the error."""
    notebook = "ipykernel" in sys.modules and hasattr(os, "openpty")
    if progress is None:
        progress = notebook or sys.stderr is not None and sys.stderr.isatty()
    with tempfile.TemporaryFile() as said:
        shown = None
        if progress and notebook:
            ours, theirs = os.openpty()
            shown = threading.Thread(target=_show, args=(ours,))
        made = _start(args, progress, stdout=subprocess.PIPE, stderr=theirs if shown else None if progress else said)
        if shown:
            os.close(theirs)
            shown.start()
        try:
            out = made.communicate()[0]
        except BaseException:
            made.terminate()
            raise
        if shown:
            shown.join()
            os.close(ours)
        said.seek(0)
        words = said.read().decode(errors="replace").strip()
    if made.returncode not in (0, 3):  # 3: records were skipped, as asked
        raise Error(words or f"bourse has ended with {made.returncode}; its message is above")
    return out


def _pandas():
    try:
        import pandas
        return pandas
    except ImportError:
        raise ImportError("tables need pyarrow or pandas, and neither is installed; pip install pyarrow, or use bourse.run") from None


def replay(trace, policy=None, *, progress=None, **options):
    """The jobs of a trace as they run under a policy, a row for each."""
    args = ["replay", *_names([trace]), *_flags({"policy": policy, **options}), "--out=-"]
    try:
        import pyarrow.ipc
    except ImportError:
        pandas = _pandas()
        return pandas.read_csv(io.BytesIO(_call([*args, "--format=csv"], progress)))
    return pyarrow.ipc.open_stream(_call([*args, "--format=arrow"], progress)).read_all()


def compare(trace, policy=None, *, progress=None, **options):
    """Policies side by side on one trace, or finished runs or a sweep: a row for each, the best
    first, with half of the interval of each figure that has one."""
    traces = trace if isinstance(trace, (list, tuple)) else [trace]
    told = json.loads(_call(["compare", *_names(traces), *_flags({"policy": policy, **options}), "--json"], progress))
    rows = []
    for row in told["rows"]:
        flat = {**row["settings"], "name": row["name"], "verdict": row["verdict"]}
        for name, figure in row["figures"].items():
            flat[name] = figure["value"]
            if figure.get("half_interval") is not None:
                flat[name + "_half"] = figure["half_interval"]
        rows.append(flat)
    try:
        import pyarrow
    except ImportError:
        return _pandas().DataFrame(rows)
    return pyarrow.Table.from_pylist(rows)


def run(command, *args, progress=None, **options):
    """Any command of the program; what it prints."""
    return _call([*command.split(), *_names(args), *_flags(options)], progress).decode()


def _main():
    try:
        sys.exit(subprocess.call([PROGRAM, *sys.argv[1:]]))
    except OSError as err:
        sys.exit(f"bourse: {PROGRAM} does not run on this machine, {platform.system()} {platform.machine()} ({err.strerror}); install the wheel that is made for it")
    except KeyboardInterrupt:
        sys.exit(130)
