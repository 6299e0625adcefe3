"""A scheduler in Python for bourse replay --policy 'exec:python3 mine.py'.

    from bourse_client import Policy, run

    class Mine(Policy):
        def plan(self):
            for job in list(self.waiting.values()):
                if job["procs"] <= self.free:
                    self.start(job)

    run(Mine())

self.waiting and self.running are dicts of jobs by their number "id", in order of
submission and of start; self.now is in seconds, self.free and self.procs are processors; draw from self.seed.
A job is a dict with id, job (the log's number), procs, user, group, queue, partition (texts where
the log has names), priority, class, pieces, memory, gpu, submit, estimate, bid, started once it runs, and run for clairvoyant programs.
self.facts is what is known before the first job: clairvoyant, estimates, epoch and time_zone of the log's dates, and
series, the values of input series announced ahead; self.series has their present values by name.
Print to standard error: standard output is the answer.
"""
from __future__ import annotations

import bisect
import json
import math
import sys
from typing import Any, Callable, Dict, Iterable, List, Optional, TextIO, Tuple

Job = Dict[str, Any]


class Profile:
    """Free processors over time, a step function; what was to have ended counts as about to end."""

    def __init__(self, now: float, free: int, ends: Iterable[Tuple[float, int]]) -> None:
        self.times: List[float] = [now]
        self.room: List[int] = [free]
        for end, procs in sorted((max(end, now + 1e-6), procs) for end, procs in ends):
            if end > self.times[-1]:
                self.times.append(end)
                self.room.append(self.room[-1])
            self.room[-1] += procs

    def free(self, at: float) -> int:
        return self.room[self._step(at)]

    def earliest(self, procs: int, seconds: float, after: Optional[float] = None) -> float:
        """The first time from which on so many processors are free for so long; inf if there is none."""
        after = self.times[0] if after is None else after
        start = math.inf
        for i in range(self._step(after), len(self.times)):
            if self.room[i] < procs:
                start = math.inf
                continue
            start = min(start, max(after, self.times[i]))
            if i + 1 == len(self.times) or self.times[i + 1] >= start + seconds:
                return start
        return math.inf

    def reserve(self, start: float, seconds: float, procs: int) -> None:
        first, last = self._cut(start), self._cut(start + max(seconds, 1e-6))
        if min(self.room[first:last]) < procs:
            raise ValueError(f"{procs} processors from {start:g} for {seconds:g} s are more than is free; earliest() says when they are")
        for i in range(first, last):
            self.room[i] -= procs

    def _step(self, at: float) -> int:
        if at < self.times[0]:
            raise ValueError(f"{at:g} is past; it is {self.times[0]:g}")
        return bisect.bisect_right(self.times, at) - 1

    def _cut(self, at: float) -> int:
        i = self._step(at)
        if self.times[i] < at:
            i += 1
            self.times.insert(i, at)
            self.room.insert(i, self.room[i - 1])
        return i


class Policy:
    """What a class wants, for one that decides in the process that asks (bourse.replay(log, policy=Mine)); a program of its own
    has it after its command, as in exec(command=python3 mine.py,leaves=true)."""
    clairvoyant = estimates = leaves = charges = False

    def __init__(self) -> None:
        self.now: float = 0
        self.free: int = 0
        self.procs: int = 0
        self.seed: int = 0
        self.jobs: Dict[int, Job] = {}
        self.waiting: Dict[int, Job] = {}
        self.running: Dict[int, Job] = {}
        self.answer: Dict[str, Any] = {}
        self.facts: Dict[str, Any] = {}
        self.series: Dict[str, Any] = {}

    def plan(self) -> None:
        raise NotImplementedError("plan decides")

    def arrived(self, job: Job) -> None:
        pass

    def ended(self, job: Job) -> None:
        pass

    def start(self, job: Job) -> None:
        self.answer.setdefault("start", []).append(job["id"])
        job["started"] = self.now
        self.free -= job["procs"]
        self.running[job["id"]] = self.waiting.pop(job["id"])

    def preempt(self, job: Job) -> None:
        self.answer.setdefault("preempt", []).append(job["id"])
        self.free += job["procs"]
        self.waiting[job["id"]] = self.running.pop(job["id"])
        self.waiting = dict(sorted(self.waiting.items()))

    def leave(self, job: Job, why: str) -> None:
        """A waiting job runs elsewhere; with leaves=true after the command."""
        self.answer.setdefault("leave", []).append([job["id"], why])
        del self.waiting[job["id"]], self.jobs[job["id"]]

    def charge(self, job: Job, price: float) -> None:
        """What a job pays per processor-second from now on; with charges=true, and --payment asked."""
        self.answer.setdefault("charge", []).append([job["id"], price])

    def profile(self, by: Optional[Callable[[Job], float]] = None) -> Profile:
        """The free processors over time, if what runs ends as requested, or after by(job) seconds; outages are not known."""
        return Profile(self.now, self.free, ((job["started"] + (by(job) if by else job["estimate"]), job["procs"])
                                             for job in self.running.values()))

    def wake(self, at: float) -> None:
        self.answer["wake"] = min(at, self.answer.get("wake", at))

    def hear(self, event: Dict[str, Any]) -> Dict[str, Any]:
        self.now, self.free, self.answer = event["now"], event["free"], {}
        self.series = event.get("series", {})
        for number in event["ended"]:
            job = self.jobs.pop(number)
            self.running.pop(number, None)
            self.ended(job)
        for job in event["arrived"]:
            self.jobs[job["id"]] = self.waiting[job["id"]] = job
            self.arrived(job)
        for change in event["changed"]:
            self.jobs[change["id"]]["bid"] = change["bid"]
        self.plan()
        return self.answer


def converse(policy: Policy, lines: TextIO, say: Callable[[Dict[str, Any]], None]) -> None:
    """Lets a policy answer the lines of a replay."""
    hello = json.loads(lines.readline())
    policy.procs, policy.seed, policy.facts = hello["procs"], hello["seed"], hello
    say({"protocol": 1})
    for line in lines:
        say(policy.hear(json.loads(line)))


def run(policy: Policy) -> None:
    converse(policy, sys.stdin, say)


def say(answer: Dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
