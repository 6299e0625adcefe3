"""First come, first served, as a program."""
from bourse_client import Policy, run


class FCFS(Policy):
    def plan(self):
        for job in list(self.waiting.values()):
            if job["procs"] > self.free:
                return
            self.start(job)


run(FCFS())
