"""A scheduler written for Batsim (pybatsim, batsched) decides in bourse: to it this program
is Batsim, by Batsim's JSON messages over ZeroMQ (REQ here, REP there).

    bourse replay LOG --policy 'exec(command=python3 bourse_batsim.py tcp://localhost:28000,estimates=true)'
    bourse replay LOG --policy 'exec(command=python3 bourse_batsim.py pybatsim easyBackfill -s {endpoint},estimates=true)'

The first asks a scheduler that runs already, the second starts one for every replay, told a
free port in place of {endpoint}. With estimates=true every job has a walltime; with
clairvoyant=true profiles tell true run times. What is not supported is refused by name.
"""
import atexit
import bisect
import json
import socket
import subprocess
import sys
import time

from bourse_client import Policy, run

LONGEST = 4 << 20  # bytes of an answer
PARTS = 1000  # of one, of which REP sends two
JOBS = "jobs come from the log only, dynamic registration is not supported"
REFUSED = {
    "KILL_JOB": "a job ends by itself, or at its estimate if the replay kills there",
    "REGISTER_JOB": JOBS, "REGISTER_PROFILE": JOBS, "SUBMIT_JOB": JOBS, "SUBMIT_PROFILE": JOBS,
    "SET_RESOURCE_STATE": "energy and states of resources are not supported",
    "QUERY": "energy and other measures are not supported",
    "ANSWER": "nothing was asked",
    "TO_JOB_MSG": "messages to jobs are not supported",
    "CHANGE_JOB_STATE": "a job's state follows from what it does",
    "SET_JOB_METADATA": "metadata of jobs are not kept",
    "RESOURCES_ADDED": "the machine does not change",
    "RESOURCES_REMOVED": "the machine does not change",
}
UNSUPPORTED = {"mapping": "executors other than one on each resource", "storage_mapping": "storage",
               "additional_io_job": "I/O jobs"}


STRANGE = "it does not speak ZMTP 3, as ZeroMQ has since version 4"


def fail(why):
    """Ends with a sentence in which nothing that a scheduler sent is long or steers a terminal."""
    why = why if len(why) <= 500 else why[:500] + "..."
    sys.exit("the scheduler for Batsim: " + "".join(c if c.isprintable() else repr(c)[1:-1] for c in why))


def short(value):
    try:
        text = json.dumps(value) if not isinstance(value, str) else value
    except RecursionError:
        text = "a value within values"
    return text if len(text) <= 80 else text[:80] + "..."


def whole(text):
    """A whole number from its digits, -1 if it is none of a size that occurs."""
    return int(text) if text.isdecimal() and len(text) < 20 else -1


class Batsim(Policy):
    """Bourse's instants as Batsim's messages. exchange takes a message and returns the
    answer, both as text. Jobs are named w0!N, N their place in order of submission."""

    def __init__(self, exchange):
        super().__init__()
        self.exchange = exchange
        self.events = []  # not yet told
        self.alloc = {}   # of running jobs, as the scheduler wrote it and as a set
        self.holder = {}  # of a resource: the job that runs on it
        self.orders = []  # jobs to be started: when, job, alloc
        self.ordered = set()  # their numbers
        self.calls = []   # asked for, by time
        self.busy = 0.0   # until when the scheduler thinks
        self.begun = False

    def tell(self, kind, data):
        self.events.append({"timestamp": self.now, "type": kind, "data": data})

    def begin(self):
        self.begun = True
        waiting, self.events = self.events, []
        compute = [{"id": i, "name": f"p{i}", "state": "idle", "properties": {}, "zone_properties": {}}
                   for i in range(self.procs)]
        self.tell("SIMULATION_BEGINS", {
            "allow_compute_sharing": False, "allow_storage_sharing": False, "nb_resources": self.procs,
            "nb_compute_resources": self.procs, "nb_storage_resources": 0,
            "config": {"redis-enabled": False, "redis-hostname": "", "redis-port": 0, "redis-prefix": "",
                       "profiles-forwarded-on-submission": True, "dynamic-jobs-enabled": False,
                       "dynamic-jobs-acknowledged": False, "profile-reuse-enabled": False,
                       "forward-unknown-events": False},
            "compute_resources": compute, "storage_resources": [], "workloads": {"w0": "w0"}, "profiles": {"w0": {}}})
        self.ask()
        self.events = waiting

    def ended(self, job):
        text, held = self.alloc.pop(job["id"])
        for resource in held:
            del self.holder[resource]
        self.tell("JOB_COMPLETED", {"job_id": f"w0!{job['id']}", "job_state": "COMPLETED_SUCCESSFULLY",
                                    "return_code": 0, "alloc": text})

    def arrived(self, job):
        name = f"w0!{job['id']}"
        walltime = {} if job["estimate"] is None else {"walltime": job["estimate"]}
        delay = job.get("run", job["estimate"])
        self.tell("JOB_SUBMITTED", {
            "job_id": name,
            "job": {"id": name, "subtime": job["submit"], "res": job["procs"], **walltime, "profile": name},
            "profile": {"type": "delay", "delay": -1 if delay is None else delay}})

    def plan(self):
        if not self.begun:
            self.begin()
        while self.calls and self.calls[0] <= self.now:
            self.calls.pop(0)
            self.tell("REQUESTED_CALL", {})
        self.carry_out()
        if self.events and self.now >= self.busy:
            self.ask()
            self.carry_out()
        for at in [o[0] for o in self.orders[:1]] + self.calls[:1] + [self.busy] * bool(self.events):
            self.wake(at)

    def carry_out(self):
        """Starts the jobs whose time has come."""
        while self.orders and self.orders[0][0] <= self.now:
            _, number, text, resources = self.orders.pop(0)
            self.ordered.remove(number)
            if resources is None:
                self.leave(self.waiting[number], "the scheduler rejects it")
                continue
            for resource in resources:
                if resource in self.holder:
                    fail(f"it executes w0!{number} on resource {resource}, on which w0!{self.holder[resource]} runs; "
                         "sharing of resources is not supported")
                self.holder[resource] = number
            job = self.waiting[number]
            if len(resources) != job["procs"]:
                fail(f"it executes w0!{number} on {len(resources)} resources; it asks for {job['procs']}")
            self.alloc[number] = text, resources
            self.start(job)

    def ask(self):
        text = self.exchange(json.dumps({"now": self.now, "events": self.events}))
        self.events = []
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as err:
            fail(f"it answered {short(text)!r}, which is no message of Batsim's protocol: {err}")
        if not isinstance(answer, dict) or not isinstance(answer.get("events"), list) or "now" not in answer:
            fail(f"it answered {short(answer)}; want an object with now and events")
        last = self.now
        for event in answer["events"]:
            kind = event.get("type") if isinstance(event, dict) else None
            last = self.moment(f"its {kind}", event.get("timestamp") if kind else None, last)
            self.obey(last, kind, event.get("data"))
        self.busy = self.moment("its answer", answer["now"], last)

    def moment(self, what, at, before):
        """A time in seconds, to the microsecond as bourse keeps it, that lies not before another."""
        if type(at) not in (int, float) or not before <= round(at, 6) <= 2**43:
            fail(f"{what} is of {short(at)}; want seconds in order, and none before {before:g}")
        return round(at, 6)

    def obey(self, at, kind, data):
        if kind not in ("EXECUTE_JOB", "REJECT_JOB", "CALL_ME_LATER", "NOTIFY"):
            known = isinstance(kind, str) and kind in REFUSED
            fail(f"it asks for {short(kind)}" + (f": {REFUSED[kind]}" if known else
                 ", which is no event of Batsim's protocol that a scheduler sends"))
        if not isinstance(data, dict):
            fail(f"its {kind} has data {short(data)}; want an object")
        if kind == "EXECUTE_JOB":
            self.execute(at, data)
        elif kind == "REJECT_JOB":
            self.order(at, "rejects", str(data.get("job_id")), None, None)
        elif kind == "CALL_ME_LATER":
            when = self.moment("its CALL_ME_LATER", data.get("timestamp"), at)
            if when == at:
                fail(f"it wants to be called at {when:g}; want seconds after {at:g}")
            bisect.insort(self.calls, when)
        elif data.get("type") != "registration_finished":
            fail(f"it sends NOTIFY {data.get('type')}: {JOBS}")

    def execute(self, at, data):
        name = str(data.get("job_id"))
        for field, what in UNSUPPORTED.items():
            if data.get(field) is not None:
                fail(f"it executes {name} with {field}: {what} are not supported")
        self.order(at, "executes", name, data.get("alloc"), lambda: self.resources(name, data.get("alloc")))

    def order(self, at, verb, name, text, resources):
        number = whole(name[3:])
        if name != f"w0!{number}" or number not in self.waiting or number in self.ordered:
            fail(f"it {verb} {short(name)}, which does not wait")
        self.ordered.add(number)
        self.orders.append((at, number, text, resources and resources()))

    def resources(self, name, text):
        """Resources of intervals, as in 0-3 7, in order; one that is named twice is found when it is given out."""
        found = []
        for part in str(text).replace(",", " ").split():
            first, _, last = part.partition("-")
            last = last or first
            if not 0 <= whole(first) <= whole(last) < self.procs:
                fail(f"it executes {name} on resources {short(part)!r}; want intervals of 0 to {self.procs - 1}, as in 0-3 7")
            found += range(whole(first), whole(last) + 1)
            if len(found) > self.procs:
                fail(f"it executes {name} on more resources than the {self.procs} that there are")
        return found


class Link:
    """The asking side of ZeroMQ's REQ and REP over TCP (ZMTP 3.0, rfc.zeromq.org/spec/23, without security),
    with a scheduler that is started if words are its command."""

    def __init__(self, words):
        self.child, endpoint = None, words[0]
        if any("{endpoint}" in word for word in words):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                endpoint = "tcp://127.0.0.1:%d" % free.getsockname()[1]
            try:
                self.child = subprocess.Popen([word.replace("{endpoint}", endpoint) for word in words],
                                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            except OSError as err:
                fail(f"{words[0]}: {err.strerror}")
            atexit.register(self.child.kill)
        scheme, _, place = endpoint.partition("://")
        host, _, port = place.rpartition(":")
        if scheme != "tcp" or not port.isdecimal() or host in ("", "*") or (not self.child and len(words) > 1):
            fail("want where it listens, as in tcp://localhost:28000, or a command with {endpoint}, not " + " ".join(words))
        self.socket = self.connect(host, int(port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb")
        self.socket.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48))
        greeting = self.read(64)
        if greeting[0] != 0xFF or greeting[10] < 3:
            fail(STRANGE)
        if greeting[12:32].rstrip(b"\0") != b"NULL":
            fail(f"it wants {greeting[12:32].rstrip(bytes(1))!r} for security; want none, which is NULL")
        ready = b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"
        self.socket.sendall(b"\x04" + bytes([len(ready)]) + ready)
        flags, body = self.frame()
        if not flags & 4 or not body.startswith(b"\x05READY"):
            fail(f"it begins with {body[:80]!r}; want READY")
        if not any(b"\x0bsocket-type" + kind in body.lower() for kind in (b"\0\0\0\x03rep", b"\0\0\0\x06router")):
            fail(f"it begins with {body[:80]!r}; want a socket that answers, which is REP or ROUTER")

    def connect(self, host, port):
        """Tries until it listens, which bourse ends by its timeout."""
        while True:
            try:
                return socket.create_connection((host, port))
            except OSError as err:
                if self.child and self.child.poll() is not None:
                    self.gone()
                if isinstance(err, socket.gaierror):
                    fail(f"{host}: {err.strerror}")
                time.sleep(0.02)

    def read(self, size):
        try:
            data = self.input.read(size)
        except OSError:
            data = b""
        if len(data) < size:
            self.gone()
        return data

    def gone(self):
        if not self.child:
            fail("it closed the connection")
        try:
            fail(f"it ended (exit status {self.child.wait(0.3)})")
        except subprocess.TimeoutExpired:
            fail("it closed the connection")

    def frame(self):
        """Reads a frame: its flags (1 more, 2 long, 4 command) and its body."""
        flags = self.read(1)[0]
        if flags > 7:
            fail(STRANGE)
        size = int.from_bytes(self.read(8 if flags & 2 else 1), "big")
        if size > LONGEST:
            fail(f"it sends {size} bytes at once; want {LONGEST} at most")
        return flags, self.read(size)

    def send(self, text):
        body = text.encode()
        size = bytes([0, len(body)]) if len(body) < 256 else b"\x02" + len(body).to_bytes(8, "big")
        self.socket.sendall(b"\x01\x00" + size + body)  # behind an empty frame, as REP wants it

    def exchange(self, text):
        try:
            self.send(text)
        except OSError:
            self.gone()
        answer = b""
        for _ in range(PARTS):
            flags, part = self.frame()
            answer = answer if flags & 4 else part
            if not flags & 5:  # the last frame, and no command
                return answer.decode("utf-8", "replace")
        fail(f"it sends an answer of more than {PARTS} parts")

    def close(self, last):
        """Sends the last message and waits a little; a scheduler of ours ends with this program."""
        self.socket.settimeout(0.2)
        try:
            self.send(last)
            self.input.read(1)
        except OSError:
            pass


def main(words):
    if not words:
        sys.exit(__doc__)
    link = Link(words)
    policy = Batsim(link.exchange)
    run(policy)
    link.close(json.dumps({"now": policy.now, "events": [
        {"timestamp": policy.now, "type": "SIMULATION_ENDS", "data": {}}]}))


if __name__ == "__main__":
    main(sys.argv[1:])
