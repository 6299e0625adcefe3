"""Replays workload logs through schedulers and markets; a thin layer over the program bourse.

    import bourse
    jobs = bourse.replay("log.swf.gz", policy="easy")          # a pyarrow.Table, a row for each job
    jobs = bourse.replay("synth:lublin?jobs=1000", policy="hb", payment="kth").to_pandas()
    table = bourse.compare("log.swf.gz", policy=["fcfs", "easy"], metric="wait")
    cells = bourse.sweep("log.swf.gz", policy=["fcfs", "easy"], replicas=10)
    gains = bourse.regret("log.swf.gz", policy="hb", payment="first", jobs=200)

A policy may be a class: bourse.replay(log, policy=Mine), Mine a bourse.Policy with a method plan; it decides
here, in this process, each replay with an object of its own.

Options are the flags of the program, _ for -; True stands for a flag without a value, a list for
one with commas. Tables are pyarrow.Tables, without pyarrow pandas.DataFrames, and without that lists of dicts. Progress is shown on terminals and
in notebooks; progress=False hides it, and a function is called with each text of it.
"""
from __future__ import annotations

import csv, importlib.metadata, io, json, os, platform, shutil, socket, subprocess, sys, tempfile, threading
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Type, Union

from .client import Policy, converse

__all__ = ["Error", "Interrupted", "Policy", "UsageError", "compare", "merge", "predict", "regret", "replay", "run", "summary", "sweep", "table"]

try:
    __version__ = importlib.metadata.version("bourse")
except importlib.metadata.PackageNotFoundError:  # run from its sources
    __version__ = "0"

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bourse.exe" if os.name == "nt" else "bourse")


class Error(Exception):
    """What the program says that went wrong."""


class UsageError(Error):
    """An option or a name that is not understood; nothing was read."""


class Interrupted(Error):
    """The program was stopped."""


KINDS = {2: UsageError, 130: Interrupted}

Path = Union[str, "os.PathLike[str]"]
Options = Any
Progress = Union[None, bool, Callable[[str], Any]]
Policies = Union[None, str, Type[Policy], Callable[[], Policy], Sequence[Union[str, Type[Policy], Callable[[], Policy]]]]
Traces = Union[Path, Sequence[Path]]
Table = Any  # a pyarrow.Table, without pyarrow a pandas.DataFrame, without that a list of dicts


class _Deciders:
    """The policies of a call that are classes of this process. The program starts gym.py, which hands
    its lines to a socket here: each connection is one replay."""

    def __init__(self, options: Dict[str, Any]) -> None:
        self.error: Optional[BaseException] = None
        self.folder = ""
        self.listening: List[socket.socket] = []
        self.names: Dict[str, str] = {}
        given = options.get("policy")
        for i, policy in enumerate(given if isinstance(given, (list, tuple)) else [given]):
            if callable(policy):
                text = self.listen(policy)
                self.names[text] = getattr(policy, "__name__", "policy")
                if isinstance(given, (list, tuple)):
                    options["policy"] = [*options["policy"][:i], text, *options["policy"][i + 1:]]
                else:
                    options["policy"] = text

    def listen(self, make: Callable[[], Policy]) -> str:
        if not hasattr(socket, "AF_UNIX"):
            raise Error("policies of this process need sockets of Unix; use policy='exec:python mine.py'")
        self.folder = self.folder or tempfile.mkdtemp(prefix="bourse-")
        path = os.path.join(self.folder, str(len(self.listening)))
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen()
        self.listening.append(server)
        threading.Thread(target=self.serve, args=(server, make), daemon=True).start()
        command = f"'{sys.executable}' '{os.path.join(os.path.dirname(PROGRAM), 'gym.py')}' '{path}'"
        wants = [f",{name}=true" for name in ("clairvoyant", "estimates", "leaves", "charges") if getattr(make, name, False)]
        return f"exec(command={command}{''.join(wants)})" if wants else f"exec:{command}"

    def serve(self, server: socket.socket, make: Callable[[], Policy]) -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:  # closed: the call is over
                return
            threading.Thread(target=self.decide, args=(link, make), daemon=True).start()

    def decide(self, link: socket.socket, make: Callable[[], Policy]) -> None:
        with link, link.makefile("r", encoding="utf-8") as there:
            def say(answer: Dict[str, Any]) -> None:
                link.sendall((json.dumps(answer) + "\n").encode())
            try:
                converse(make(), there, say)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the program has ended
            except BaseException as err:
                self.error = self.error or err

    def close(self) -> None:
        for server in self.listening:
            server.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _start(args: Iterable[Path], progress: Progress = False, **how: Any) -> "subprocess.Popen[bytes]":
    args = [PROGRAM, *(os.fspath(x) for x in args)] + ([] if progress else ["-q"])
    try:
        return subprocess.Popen(args, stdin=subprocess.DEVNULL, **how)
    except OSError as err:
        raise Error(f"{PROGRAM} does not run on this machine, {platform.system()} {platform.machine()} ({err.strerror}); install the wheel that is made for it") from err


def _flags(options: Dict[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        if value is None or value is False:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(str(x) for x in value)
        flag = "--" + name.replace("_", "-")
        yield flag if value is True else f"{flag}={value}"


def _names(names: Sequence[Path]) -> Sequence[Path]:
    """Names of traces and the like: one that begins with - would be read as a flag, and a flag can start programs."""
    for name in names:
        if os.fspath(name).startswith("-"):
            raise ValueError(f"{os.fspath(name)!r} is no name; options are given by theirs, as in policy='easy'")
    return names


def _show(fd: int, to: Progress) -> None:
    """Shows progress where there is no terminal: in a notebook, or to a function."""
    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
    try:
        while text := os.read(fd, 4096):
            (to if callable(to) else write)(text.decode(errors="replace").replace("\x1b[K", ""))
    except OSError:  # the end of a terminal whose program has ended
        pass


def _call(args: Sequence[Path], progress: Progress) -> bytes:
    """The program's output. What it says to people is kept for the error."""
    notebook = ("ipykernel" in sys.modules or callable(progress)) and hasattr(os, "openpty")
    if progress is None:
        progress = notebook or sys.stderr is not None and sys.stderr.isatty()
    with tempfile.TemporaryFile() as said:
        shown = None
        if progress and notebook:
            ours, theirs = os.openpty()
            shown = threading.Thread(target=_show, args=(ours, progress))
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
        raise KINDS.get(made.returncode, Error)(words or f"bourse has ended with {made.returncode}; its message is above")
    return out


def _number(text: str) -> Union[int, float, str, None]:
    """A cell of CSV: a number or a truth where it is one, None where it is empty."""
    if text in ("true", "false"):
        return text == "true"
    kinds: List[Type[Any]] = [int, float]
    for kind in kinds:
        try:
            number: Union[int, float] = kind(text)
            return number
        except ValueError:
            pass
    return text or None


def _read(text: bytes) -> Table:
    """A table from CSV, without pyarrow."""
    try:
        import pandas
    except ImportError:
        return [{name: _number(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(text.decode()))]
    return pandas.read_csv(io.BytesIO(text))


def _ask(args: Sequence[Path], options: Dict[str, Any], progress: Progress) -> bytes:
    """The program's output for options of which policies may be classes; these are called by their names in what is text."""
    deciders = _Deciders(options)
    try:
        out = _call([*args, *_flags(options)], progress)
        for text, name in deciders.names.items() if "--out=-" not in args else ():
            out = out.replace(text.encode(), name.encode())
        return out
    except Error as err:
        if deciders.error is not None:
            raise deciders.error from err
        raise
    finally:
        deciders.close()


def _rows(rows: List[Dict[str, Any]]) -> Table:
    """A table of dicts, in which a column is missing where a row does not have it."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    rows = [{name: row.get(name) for name in columns} for row in rows]
    try:
        import pyarrow
        return pyarrow.table({name: [row[name] for row in rows] for name in columns})
    except ImportError:
        pass
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=columns)


def replay(trace: Path, policy: Policies = None, *, progress: Progress = None, **options: Options) -> Table:
    """The jobs of a trace as they run under a policy, a row for each."""
    options = {"policy": policy, **options}
    args = ["replay", *_names([trace]), "--out=-"]
    try:
        import pyarrow.ipc
    except ImportError:
        return _read(_ask([*args, "--format=csv"], options, progress))
    return pyarrow.ipc.open_stream(_ask([*args, "--format=arrow"], options, progress)).read_all()


def summary(trace: Path, policy: Policies = None, *, progress: Progress = None, **options: Options) -> Dict[str, Any]:
    """What summary.json says of a replay: counts, means, the machine."""
    told: Dict[str, Any] = json.loads(_ask(["replay", *_names([trace]), "--json"], {"policy": policy, **options}, progress))
    return told


def compare(trace: Traces, policy: Policies = None, *, progress: Progress = None, **options: Options) -> Table:
    """Policies side by side on one trace, or finished runs or a sweep: a row for each, the best
    first. NAME_half is half of a figure's 95 % interval; difference, difference_half and p_value are those of the metric from the
    baseline, and verdict says what they come to."""
    traces = trace if isinstance(trace, (list, tuple)) else [trace]
    told = json.loads(_ask(["compare", *_names(traces), "--json"], {"policy": policy, **options}, progress))
    rows = []
    for row in told["rows"]:
        flat = {**row["settings"], "name": row["name"], "verdict": row["verdict"]}
        for name, figure in row["figures"].items():
            flat[name] = figure["value"]
            if figure.get("half_interval") is not None:
                flat[name + "_half"] = figure["half_interval"]
        difference = row.get("difference") or {}
        flat.update(baseline=row.get("baseline"), difference=difference.get("value"), difference_half=difference.get("half_interval"),
                    p_value=row.get("p_value"))
        rows.append(flat)
    return _rows(rows)


def sweep(trace: Traces, policy: Policies = None, *, out: Optional[Path] = None, shard: Optional[str] = None, progress: Progress = None, **options: Options) -> Table:
    """A grid of replays: a row for each and part of its jobs, or without pyarrow for each alone. Without out the
    cells are not kept. With shard="I/N" it is one of N parts of a grid below one out, from 0, and nothing is returned: merge(out) gives the table."""
    traces = trace if isinstance(trace, (list, tuple)) else [trace]
    if shard is not None:
        if out is None:
            raise ValueError("a shard needs out, the folder that all shards write below")
        _ask(["sweep", *_names(traces), f"--out={os.fspath(out)}", f"--shard={shard}"], {"policy": policy, **options}, progress)
        return None
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.fspath(out) if out is not None else os.path.join(scratch, "cells")
        printed = _ask(["sweep", *_names(traces), f"--out={folder}", "--format=csv"], {"policy": policy, **options}, progress)
        try:
            import pyarrow.parquet
        except ImportError:
            return _read(printed)
        return pyarrow.parquet.read_table(folder)


def merge(out: Path, *, progress: Progress = None) -> Table:
    """The table of a sweep whose shards have ended, in out/cells.parquet; None where there is no pyarrow to read it."""
    _ask(["merge", *_names([out])], {}, progress)
    try:
        import pyarrow.parquet
    except ImportError:
        return None
    return pyarrow.parquet.read_table(out)


def table(command: str, *args: Path, progress: Progress = None, **options: Options) -> Table:
    """The main table of any command that prints one, as in table("regret", "log.swf", policy="hb")."""
    text = _ask([*command.split(), *_names(args), "--format=csv"], options, progress)
    try:
        import pyarrow.csv
    except ImportError:
        return _read(text)
    return pyarrow.csv.read_csv(io.BytesIO(text))


def regret(trace: Path, policy: Policies = None, **options: Options) -> Table:
    """What jobs would gain by another bid, a row for each payment."""
    return table("regret", trace, policy=policy, **options)


def predict(trace: Path, policy: Policies = None, **options: Options) -> Table:
    """When a job of procs and run would start, a row for it and for smaller requests."""
    return table("predict", trace, policy=policy, **options)


def run(command: str, *args: Path, progress: Progress = None, **options: Options) -> str:
    """Any command of the program; what it prints."""
    return _ask([*command.split(), *_names(args)], options, progress).decode()


def _main() -> None:
    try:
        sys.exit(subprocess.call([PROGRAM, *sys.argv[1:]]))
    except OSError as err:
        sys.exit(f"bourse: {PROGRAM} does not run on this machine, {platform.system()} {platform.machine()} ({err.strerror}); install the wheel that is made for it")
    except KeyboardInterrupt:
        sys.exit(130)
