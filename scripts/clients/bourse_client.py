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
self.facts is what is known before the first job: clairvoyant, estimates, and epoch and time_zone of the log's dates.
Print to standard error: standard output is the answer.
"""
from __future__ import annotations

import json
import sys
from typing import Any, Callable, Dict, TextIO

Job = Dict[str, Any]


class Policy:
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

    def wake(self, at: float) -> None:
        self.answer["wake"] = min(at, self.answer.get("wake", at))

    def hear(self, event: Dict[str, Any]) -> Dict[str, Any]:
        self.now, self.free, self.answer = event["now"], event["free"], {}
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
