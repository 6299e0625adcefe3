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
independent of each other, any number may run side by side.

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
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time


def relay(path):
    """Hands lines between bourse, which started this, and the environment."""
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
    Base = gymnasium.Env
except ImportError:
    gymnasium, Base = None, object


def wait_s(job):
    return job["started"] - job["submit"]


def flow_s(job):
    return job["ended"] - job["submit"]


def bounded_slowdown(job):
    return max(1.0, flow_s(job) / max(job["ended"] - job["started"], 10.0))


MEASURES = {"wait_s": wait_s, "flow_s": flow_s, "bounded_slowdown": bounded_slowdown}


def scale(seconds):
    return math.log1p(max(0.0, seconds)) / 10


class BourseEnv(Base):
    metadata = {"render_modes": []}

    def __init__(self, log, k=8, reward="wait_s", bourse="bourse", options=(), timeout=60):
        """options are further arguments of bourse replay; timeout is in seconds, for bourse."""
        if not (callable(reward) or reward == "waiting" or reward in MEASURES):
            raise ValueError(f"reward {reward!r}; want a function or one of waiting, {', '.join(MEASURES)}")
        self.log, self.k, self.bourse, self.options, self.timeout = log, k, bourse, list(options), timeout
        self.measure = reward if callable(reward) else MEASURES.get(reward)
        if gymnasium:
            self.observation_space = spaces.Box(0.0, np.inf, (k + 1, 5), np.float32)
            self.action_space = spaces.Discrete(k + 1)
        self.random = np.random.default_rng()
        self.process = self.link = self.folder = self.errors = None

    def reset(self, *, seed=None, options=None):
        self.close()
        if gymnasium:
            super().reset(seed=seed)
        if seed is not None:
            self.random = np.random.default_rng(seed)
        else:
            seed = int(self.random.integers(1, 2**31))
        self.now = self.free = self.procs = 0
        self.jobs, self.waiting, self.running, self.ended = {}, {}, {}, []
        self.reward, self.starts, self.done = 0.0, [], False
        self.open(self.log.replace("{seed}", str(seed)))
        self.advance()
        self.reward = 0.0
        return self.see(), self.info()

    def step(self, action):
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

    def action_masks(self):
        """Which actions there are: the jobs that fit, and none unless nothing runs."""
        mask = np.zeros(self.k + 1, bool)
        for i, job in enumerate(self.queue()):
            mask[i] = job["procs"] <= self.free
        mask[self.k] = bool(self.running) or not mask.any()
        return mask

    def sample(self):
        """One of these, each as likely."""
        return int(self.random.choice(np.flatnonzero(self.action_masks())))

    def close(self):
        """Ends the replay, whether or not it is over."""
        if self.link is not None:
            self.link.close()
            self.link.socket.close()
        if self.process is not None:
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.errors.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.process = self.link = self.folder = self.errors = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "process", None) is not None:
            self.close()

    # What follows is between bourse and the above.

    def open(self, log):
        self.folder = tempfile.mkdtemp(prefix="bourse-")
        path = os.path.join(self.folder, "s")
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(1)
            door.settimeout(0.05)
            program = f"'{sys.executable}' -S -E '{os.path.abspath(__file__)}' '{path}'"
            self.errors = tempfile.TemporaryFile()
            self.process = subprocess.Popen(
                [self.bourse, "replay", log, "--policy", f"exec(command={program},estimates=true,timeout=86400)", "-q"] + self.options,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
            deadline = time.monotonic() + self.timeout
            while self.link is None:
                try:
                    peer, _ = door.accept()
                    peer.settimeout(self.timeout)
                    self.link = peer.makefile("rwb")
                    self.link.socket = peer
                except TimeoutError:
                    if self.process.poll() is not None or time.monotonic() > deadline:
                        self.fail()
        hello = self.hear()
        if hello is None:
            self.fail()
        self.procs = hello["procs"]
        self.answer({"protocol": 1})

    def hear(self):
        try:
            line = self.link.readline()
        except ConnectionError:
            line = b""
        return json.loads(line) if line else None

    def answer(self, answer):
        try:
            self.link.write(json.dumps(answer).encode() + b"\n")
            self.link.flush()
        except OSError:
            pass  # bourse has ended, which is heard next

    def fail(self):
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace").strip()
        self.close()
        raise RuntimeError(text or "bourse did not begin the replay in time")

    def say(self):
        self.answer({"start": self.starts})
        self.starts = []

    def advance(self):
        """Goes on to the next instant at which there is a choice, or to the end."""
        while True:
            event = self.hear()
            if event is None:
                if self.process.wait(self.timeout) != 0:
                    self.fail()
                self.done = True
                return
            self.happened(event)
            if self.choice():
                return
            self.say()

    def happened(self, event):
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

    def queue(self):
        return [job for job, _ in zip(self.waiting.values(), range(self.k))]

    def choice(self):
        return any(job["procs"] <= self.free for job in self.queue())

    def start(self, job):
        self.starts.append(job["id"])
        job["started"] = self.now
        self.free -= job["procs"]
        self.running[job["id"]] = self.waiting.pop(job["id"])

    def see(self):
        seen = np.zeros((self.k + 1, 5), np.float32)
        for row, job in zip(seen, self.queue()):
            row[:] = 1, job["procs"] <= self.free, job["procs"] / self.procs, scale(self.now - job["submit"]), scale(job["estimate"])
        due = min((j["started"] + j["estimate"] for j in self.running.values()), default=self.now)
        seen[self.k, :4] = self.free / self.procs, len(self.waiting) / 100, len(self.running) / 100, scale(due - self.now)
        return seen

    def info(self):
        return {"now": self.now, "ended": len(self.ended), "action_mask": self.action_masks()}
