"""Gymnasium's interface to bourse: an agent decides which waiting job starts.

    from bourse_gym import BourseEnv

    with BourseEnv("synth:lublin?jobs=200&procs=64&seed={seed}", k=8, reward="wait_s") as env:
        seen, info = env.reset(seed=1)
        done = False
        while not done:
            seen, reward, done, _, info = env.step(env.sample())

The log is any that bourse replay reads; {seed} in it is the seed of reset. Every instant at
which one of the first k waiting jobs fits is a step, and after a start the same instant is
asked again. Needs numpy; with gymnasium the class is a gymnasium.Env. Environments are
independent of each other, any number may run side by side. One process of bourse serves all
episodes of an environment: a reset begins none.

Observation, of shape (k + 1, 5): for each of the first k waiting jobs, by submission,
  there is one (1), it fits (1), its share of the processors, ln(1 + seconds waited) / 10,
  ln(1 + seconds requested) / 10;
and in the last row: share of processors free, jobs waiting / 100, jobs running / 100,
  seconds until the first running job is due by request, as above, 0.
Action: i < k starts the i-th job, k none. One that does not fit counts as none. While
nothing runs, none starts the first job: a machine does not stand idle for ever.
Reward: minus the chosen measure of the jobs that ended since the last step, "wait_s",
"flow_s" or "bounded_slowdown", or a function of a job (a dict with submit, started, ended,
procs, estimate, user ...); or "waiting", minus the seconds that jobs have waited since.
"""
from __future__ import annotations

import itertools
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Sequence, Tuple, Union


def relay(path: str) -> None:
    """Hands lines between bourse, which started this, and the policy of a process that asked it."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        with link.makefile("rwb") as there:
            for line in sys.stdin.buffer:
                there.write(line)
                there.flush()
                answer = there.readline()
                if not answer:
                    break
                sys.stdout.buffer.write(answer)
                sys.stdout.buffer.flush()


if __name__ == "__main__":
    relay(sys.argv[1])
    sys.exit()

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
    Base: Any = gymnasium.Env
except ImportError:
    gymnasium, Base = None, object

Job = Dict[str, Any]


def wait_s(job: Job) -> float:
    return float(job["started"] - job["submit"])


def flow_s(job: Job) -> float:
    return float(job["ended"] - job["submit"])


def bounded_slowdown(job: Job) -> float:
    return max(1.0, flow_s(job) / max(float(job["ended"] - job["started"]), 10.0))


Measure = Callable[[Job], float]
MEASURES: Dict[str, Measure] = {"wait_s": wait_s, "flow_s": flow_s, "bounded_slowdown": bounded_slowdown}


def scale(seconds: float) -> float:
    return math.log1p(max(0.0, seconds)) / 10


class BourseEnv(Base):  # type: ignore[misc]
    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, log: str, k: int = 8, reward: Union[str, Measure] = "wait_s", bourse: str = "bourse",
                 options: Sequence[str] = (), timeout: float = 60) -> None:
        """options are further arguments of bourse episodes; timeout is in seconds, for bourse."""
        if not (callable(reward) or reward == "waiting" or reward in MEASURES):
            raise ValueError(f"reward {reward!r}; want a function or one of waiting, {', '.join(MEASURES)}")
        self.log, self.k, self.bourse, self.options, self.timeout = log, k, bourse, list(options), timeout
        self.measure = reward if callable(reward) else MEASURES.get(reward)
        if gymnasium:
            self.observation_space = spaces.Box(0.0, np.inf, (k + 1, 5), np.float32)
            self.action_space = spaces.Discrete(k + 1)
        self.random = np.random.default_rng()
        self.process: Optional[subprocess.Popen[bytes]] = None
        self.link: Any = None
        self.peer: Optional[socket.socket] = None
        self.folder: Optional[str] = None
        self.errors: Optional[BinaryIO] = None
        self.done = True
        self.now: float = 0.0
        self.free, self.procs = 0, 0
        self.jobs: Dict[int, Job] = {}
        self.waiting: Dict[int, Job] = {}
        self.running: Dict[int, Job] = {}
        self.ended: List[Job] = []
        self.reward: float = 0.0
        self.starts: List[int] = []

    def reset(self, *, seed: Optional[int] = None, options: Any = None) -> Tuple[Any, Dict[str, Any]]:
        if gymnasium:
            super().reset(seed=seed)
        if seed is not None:
            self.random = np.random.default_rng(seed)
        else:
            seed = int(self.random.integers(1, 2**31))
        if self.process is None:
            self.open()
        elif not self.done:
            self.answer({"stop": True})
            self.hear()
        self.now, self.free, self.procs = 0.0, 0, 0
        self.jobs, self.waiting, self.running, self.ended = {}, {}, {}, []
        self.starts, self.done = [], False
        self.answer({"seed": seed})
        hello = self.hear()
        if hello is None or "error" in hello:
            self.fail(hello)
        self.procs = hello["procs"]
        self.answer({"protocol": 1})
        self.advance()
        self.reward = 0.0
        return self.see(), self.info()

    def step(self, action: int) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        if self.process is None or self.done:
            raise RuntimeError("step after the end; want reset first")
        queue = self.queue()
        job = queue[action] if 0 <= action < len(queue) else None
        if job is not None and job["procs"] > self.free:
            job = None
        if job is None and not self.running and queue:
            job = queue[0]
        self.reward = 0.0
        if job is not None:
            self.start(job)
        if job is None or not self.choice():
            self.say()
            self.advance()
        return self.see(), self.reward, self.done, False, self.info()

    def action_masks(self) -> Any:
        """Which actions there are: the jobs that fit, and none unless nothing runs."""
        mask = [job["procs"] <= self.free for job in self.queue()]
        mask += [False] * (self.k - len(mask))
        return np.array(mask + [bool(self.running) or True not in mask])

    def sample(self) -> int:
        """One of these, each as likely."""
        return int(self.random.choice(np.flatnonzero(self.action_masks())))

    def close(self) -> None:
        """Ends bourse, whether or not the replay is over."""
        if self.link is not None:
            self.link.close()
        if self.peer is not None:
            self.peer.close()
        if self.process is not None:
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.errors is not None:
            self.errors.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.process = self.link = self.peer = self.folder = self.errors = None
        self.done = True

    def __enter__(self) -> "BourseEnv":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "process", None) is not None:
            self.close()

    # What follows is between bourse and the above.

    def open(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="bourse-")
        path = os.path.join(self.folder, "s")
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(1)
            door.settimeout(0.05)
            self.errors = open(os.path.join(self.folder, "errors"), "w+b")
            try:
                self.process = subprocess.Popen([self.bourse, "episodes", self.log, "--socket", path, *self.options],
                                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
            except OSError:
                self.close()
                raise
            deadline = time.monotonic() + self.timeout
            while self.link is None:
                try:
                    self.peer, _ = door.accept()
                    self.peer.settimeout(self.timeout)
                    self.link = self.peer.makefile("rb")
                except TimeoutError:
                    if self.process.poll() is not None or time.monotonic() > deadline:
                        self.fail(None)

    def hear(self) -> Any:
        try:
            line = self.link.readline()
        except ConnectionError:
            line = b""
        return json.loads(line) if line else None

    def answer(self, answer: Dict[str, Any]) -> None:
        try:
            if self.peer is not None:
                self.peer.sendall(json.dumps(answer).encode() + b"\n")
        except OSError:
            pass  # bourse has ended, which is heard next

    def fail(self, over: Optional[Dict[str, Any]]) -> None:
        text = over["error"] if over else ""
        if not over and self.process is not None and self.errors is not None:
            self.process.kill()
            self.process.wait()
            self.errors.seek(0)
            text = self.errors.read().decode(errors="replace").strip()
        self.close()
        raise RuntimeError(text or "bourse did not begin the replay in time")

    def say(self) -> None:
        self.answer({"start": self.starts})
        self.starts = []

    def advance(self) -> None:
        """Goes on to the next instant at which there is a choice, or to the end."""
        while True:
            event = self.hear()
            if event is None or "error" in event:
                self.fail(event)
            if "over" in event:
                self.done = True
                return
            self.happened(event)
            if self.choice():
                return
            self.say()

    def happened(self, event: Dict[str, Any]) -> None:
        if self.measure is None:
            self.reward -= len(self.waiting) * (event["now"] - self.now)
        self.now, self.free = event["now"], event["free"]
        for number in event["ended"]:
            job = self.jobs.pop(number)
            del self.running[number]
            job["ended"] = self.now
            self.ended.append(job)
            if self.measure is not None:
                self.reward -= self.measure(job)
        for job in event["arrived"]:
            self.jobs[job["id"]] = self.waiting[job["id"]] = job

    def queue(self) -> List[Job]:
        return list(itertools.islice(self.waiting.values(), self.k))

    def choice(self) -> bool:
        if not self.free:
            return False
        return any(job["procs"] <= self.free for job in itertools.islice(self.waiting.values(), self.k))

    def start(self, job: Job) -> None:
        self.starts.append(job["id"])
        job["started"] = self.now
        self.free -= job["procs"]
        self.running[job["id"]] = self.waiting.pop(job["id"])

    def see(self) -> Any:
        free, procs, now = self.free, self.procs, self.now
        rows = [(1.0, job["procs"] <= free, job["procs"] / procs, scale(now - job["submit"]), scale(job["estimate"]))
                for job in self.queue()]
        rows += [(0.0, 0.0, 0.0, 0.0, 0.0)] * (self.k - len(rows))
        due = min((j["started"] + j["estimate"] for j in self.running.values()), default=now)
        rows.append((free / procs, len(self.waiting) / 100, len(self.running) / 100, scale(due - now), 0.0))
        return np.array(rows, np.float32)

    def info(self) -> Dict[str, Any]:
        return {"now": self.now, "ended": len(self.ended), "action_mask": self.action_masks()}
