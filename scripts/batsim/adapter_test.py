"""Tests bourse_batsim.py without a scheduler: a conversation from begin to end, what is refused, hostile peers."""
import json
import os
import resource
import socket
import struct
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients"))
from bourse_batsim import LONGEST, REFUSED, Batsim, Link  # noqa: E402


def job(number, procs, **more):
    return {"id": number, "procs": procs, "submit": 5, "estimate": 60, **more}


def instant(now, free=4, arrived=(), ended=()):
    return {"now": now, "free": free, "arrived": list(arrived), "ended": list(ended), "changed": []}


def connected(*answers):
    """A policy on 4 processors whose scheduler has nothing to say to the beginning, and what it hears."""
    heard, said = [], iter(['{"now":5,"events":[]}', *answers])

    def exchange(text):
        heard.append(json.loads(text))
        return next(said)

    policy = Batsim(exchange)
    policy.procs = 4
    return policy, heard


def does(kind, data):
    return json.dumps({"now": 5, "events": [{"timestamp": 5, "type": kind, "data": data}]})


class Conversation(unittest.TestCase):
    def test_rejects(self):
        policy, _ = connected(does("REJECT_JOB", {"job_id": "w0!0"}), '{"now":9,"events":[]}')
        said = policy.hear(instant(5, arrived=[job(0, 2)]))
        self.assertEqual((said, policy.waiting), ({"leave": [[0, "the scheduler rejects it"]]}, {}))
        with self.assertRaises(SystemExit) as ended:
            policy, _ = connected(does("REJECT_JOB", {"job_id": "w0!7"}))
            policy.hear(instant(5, arrived=[job(0, 2)]))
        self.assertIn("it rejects w0!7, which does not wait", str(ended.exception))

    def test_from_begin_to_end(self):
        policy, heard = connected(json.dumps({"now": 7, "events": [
            {"timestamp": 5, "type": "EXECUTE_JOB", "data": {"job_id": "w0!1", "alloc": "3"}},
            {"timestamp": 5.5, "type": "NOTIFY", "data": {"type": "registration_finished"}},
            {"timestamp": 6, "type": "EXECUTE_JOB", "data": {"job_id": "w0!0", "alloc": "0,2"}},
            {"timestamp": 6, "type": "CALL_ME_LATER", "data": {"timestamp": 9}}]}),
            '{"now":8,"events":[]}', '{"now":9,"events":[]}')
        said = policy.hear(instant(5, arrived=[job(0, 2), job(1, 1, run=30)]))
        self.assertEqual(said, {"start": [1], "wake": 6})
        begin = heard[0]["events"][0]
        self.assertEqual((begin["type"], begin["data"]["nb_resources"], len(begin["data"]["compute_resources"])),
                         ("SIMULATION_BEGINS", 4, 4))
        self.assertEqual([(e["type"], e["data"]["job"], e["data"]["profile"]) for e in heard[1]["events"]], [
            ("JOB_SUBMITTED", {"id": "w0!0", "subtime": 5, "res": 2, "walltime": 60, "profile": "w0!0"},
             {"type": "delay", "delay": 60}),
            ("JOB_SUBMITTED", {"id": "w0!1", "subtime": 5, "res": 1, "walltime": 60, "profile": "w0!1"},
             {"type": "delay", "delay": 30})])
        # Job 1 ends while the scheduler thinks, which is not asked until it has thought.
        self.assertEqual(policy.hear(instant(6, ended=[1])), {"start": [0], "wake": 7})
        self.assertEqual(len(heard), 2)
        self.assertEqual(policy.hear(instant(7, free=2)), {"wake": 9})
        self.assertEqual(heard[2], {"now": 7, "events": [{"timestamp": 6, "type": "JOB_COMPLETED", "data": {
            "job_id": "w0!1", "job_state": "COMPLETED_SUCCESSFULLY", "return_code": 0, "alloc": "3"}}]})
        self.assertEqual(policy.hear(instant(9, free=2)), {})
        self.assertEqual(heard[3], {"now": 9, "events": [{"timestamp": 9, "type": "REQUESTED_CALL", "data": {}}]})

    def test_a_job_without_an_estimate(self):
        policy, heard = connected('{"now":5,"events":[]}')
        policy.hear(instant(5, arrived=[{**job(0, 2), "estimate": None}]))
        told = heard[1]["events"][0]["data"]
        self.assertEqual((told["job"].get("walltime"), told["profile"]["delay"]), (None, -1))


class Refusals(unittest.TestCase):
    def refused(self, answer, want, jobs=(2,)):
        policy, _ = connected(answer)
        with self.assertRaises(SystemExit) as stopped:
            policy.hear(instant(5, arrived=[job(i, procs) for i, procs in enumerate(jobs)]))
        self.assertIn(want, str(stopped.exception))
        self.assertTrue(str(stopped.exception).startswith("the scheduler for Batsim: "))
        self.assertTrue(str(stopped.exception).isprintable())
        self.assertLess(len(str(stopped.exception)), 3500)

    def test_answers(self):
        for answer, want in [
            ("hello", "it answered 'hello', which is no message"),
            ("{}", "want an object with now and events"),
            ('{"now":4,"events":[]}', "its answer is of 4; want seconds in order, and none before 5"),
            ('{"now":1e300,"events":[]}', "its answer is of 1e+300"),
            ('{"now":NaN,"events":[]}', "its answer is of NaN"),
            ('{"now":5,"events":[3]}', "its None is of null"),
            ('{"now":5,"events":[{"type":"NOTIFY","data":{}}]}', "its NOTIFY is of null"),
            ('{"now":5,"events":[{"timestamp":4,"type":"NOTIFY"}]}', "its NOTIFY is of 4; want"),
            ('{"now":6,"events":[{"timestamp":7,"type":"NOTIFY","data":{"type":"registration_finished"}}]}',
             "its answer is of 6; want"),
            (does("DANCE", {}), "it asks for DANCE, which is no event"),
            (does("NOTIFY", {"type": "continue_registration"}), "NOTIFY continue_registration: jobs come from the log"),
            (does("NOTIFY", 3), "its NOTIFY has data 3"),
            (does("CALL_ME_LATER", {"timestamp": 5}), "it wants to be called at 5; want seconds after 5"),
            (does("CALL_ME_LATER", {}), "its CALL_ME_LATER is of null"),
        ] + [(does(kind, {"job_id": "w0!0"}), f"it asks for {kind}: {why}") for kind, why in REFUSED.items()]:
            self.refused(answer, want)

    def test_json_of_any_kind(self):
        """What is JSON and no answer, or nearly JSON, ends with a sentence that is short and has no escapes."""
        call = '{"timestamp":%s,"type":"CALL_ME_LATER","data":{"timestamp":%s}}'
        for answer, want in [
            ("", "which is no message"), ("null", "it answered null; want an object"), ("[]", "it answered []"),
            ("5", "it answered 5"), ("true", "it answered true"), ('"a"', "it answered a"), ("NaN", "it answered NaN"),
            ("{" * 100000, "which is no message"), ("[" * LONGEST, "recursion depth"),
            ("[" * 900 + "]" * 900, "it answered ["), ("9" * 5000, "which is no message"),
            ("[" + "[]," * 1000000 + "0]", "it answered [[]"), ('{"now":5,"events":{}}', "want an object"),
            ('{"now":5,"events":[{"timestamp":5,"type":["a"]}]}', 'it asks for ["a"], which is no event'),
            ('{"now":5,"events":[{"timestamp":5,"type":7}]}', "it asks for 7"),
            ('{"now":true,"events":[]}', "its answer is of true"), ('{"now":"5","events":[]}', "its answer is of 5"),
            ('{"now":1e999,"events":[]}', "its answer is of Infinity"),
            ('{"now":-1,"events":[]}', "its answer is of -1"),
            ('{"now":' + "9" * 4000 + ',"events":[]}', "its answer is of 9999"),
            ('{"now":5,"now":4,"events":[]}', "its answer is of 4"),
            ('{"now":5,"events":[' + call % (5, "1e999") + "]}", "its CALL_ME_LATER is of Infinity"),
            (does("\x1b[2J" + "a" * 10000, {}), "it asks for \\x1b[2Ja"),
            (does("NOTIFY", {"type": "\x1b" * 10000}), "it sends NOTIFY \\x1b\\x1b"),
            (does("NOTIFY", {"type": "\ud800"}), "it sends NOTIFY \\ud800"),
            (does("EXECUTE_JOB", {"job_id": "w0!" + "9" * 5000, "alloc": "0"}), "which does not wait"),
            (does("EXECUTE_JOB", {"job_id": ["w0!0"], "alloc": "0"}), "which does not wait"),
            (does("EXECUTE_JOB", {"job_id": "w0!0", "alloc": "9" * 5000}), "want intervals"),
            (does("EXECUTE_JOB", {"job_id": "w0!0", "alloc": "-1"}), "want intervals"),
            (does("EXECUTE_JOB", {"job_id": "w0!0", "alloc": "0-3 " * 1000000}), "more resources than the 4"),
            (does("EXECUTE_JOB", {"job_id": "w0!0", "alloc": {"a": "\x1b"}}), "want intervals"),
        ]:
            with self.subTest(answer[:80]):
                self.refused(answer, want)

    def test_a_hundred_thousand_calls(self):
        call = '{"timestamp":5,"type":"CALL_ME_LATER","data":{"timestamp":%d}}'
        policy, _ = connected('{"now":5,"events":[' + ",".join(call % i for i in range(100005, 5, -1)) + "]}")
        self.assertEqual(policy.hear(instant(5, arrived=[job(0, 2)])), {"wake": 6})

    def test_executions(self):
        for data, want in [
            ({"job_id": "w0!0", "alloc": "0-2"}, "it executes w0!0 on 3 resources; it asks for 2"),
            ({"job_id": "w0!0", "alloc": "1 1"}, "it executes w0!0 on resource 1, on which w0!0 runs"),
            ({"job_id": "w0!0", "alloc": "3-4"}, "resources '3-4'; want intervals of 0 to 3"),
            ({"job_id": "w0!0", "alloc": "x"}, "resources 'x'"),
            ({"job_id": "w0!0"}, "resources 'None'"),
            ({"job_id": "w0!7", "alloc": "0"}, "it executes w0!7, which does not wait"),
            ({"job_id": "w0!00", "alloc": "0-1"}, "it executes w0!00, which does not wait"),
            ({"job_id": "w1!0", "alloc": "0-1"}, "it executes w1!0"),
            ({"job_id": "w0!0", "alloc": "0-1", "mapping": {"0": "0"}},
             "with mapping: executors other than one on each resource are not supported"),
            ({"job_id": "w0!0", "alloc": "0-1", "storage_mapping": {}}, "storage_mapping: storage are not supported"),
            ({"job_id": "w0!0", "alloc": "0-1", "additional_io_job": {}}, "I/O jobs are not supported"),
        ]:
            self.refused(does("EXECUTE_JOB", data), want)
        twice = {"now": 5, "events": [
            {"timestamp": 5, "type": "EXECUTE_JOB", "data": {"job_id": "w0!0", "alloc": "0-1"}},
            {"timestamp": 5, "type": "EXECUTE_JOB", "data": {"job_id": "w0!1", "alloc": "1-2"}}]}
        self.refused(json.dumps(twice), "it executes w0!1 on resource 1, on which w0!0 runs", jobs=(2, 2))


GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48)
READY = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03REP"


def frame(body, more=0):
    return bytes([more, len(body)]) + body if len(body) < 256 else bytes([2 | more]) + struct.pack(">Q", len(body)) + body


class Peers(unittest.TestCase):
    """What listens may be anything: each ends with a sentence, at once or when bourse's timeout ends the adapter."""

    def meet(self, *sends, wait=None):
        """Connects to a peer that sends these, each after it has heard something or has waited, and then closes.
        None of bytes is a reset."""
        listener = socket.create_server(("127.0.0.1", 0))

        def serve():
            peer, _ = listener.accept()
            peer.settimeout(0.3)
            try:
                for text in sends:
                    if wait:
                        time.sleep(wait)
                    else:
                        peer.recv(1 << 16)
                    if text is None:
                        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        return
                    peer.sendall(text)
                peer.recv(1 << 16)
            except OSError:
                pass
            finally:
                peer.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            link = Link(["tcp://127.0.0.1:%d" % listener.getsockname()[1]])
            link.socket.settimeout(2)
            try:
                return link.exchange("{}")
            finally:
                link.input.close()
                link.socket.close()
        finally:
            thread.join()
            listener.close()

    def test_one_that_speaks(self):
        self.assertEqual(self.meet(GREETING, READY, frame(b"", 1) + frame(b"answer")), "answer")
        self.assertEqual(self.meet(GREETING, READY, frame(b"", 1) + frame(b"x" * 300)), "x" * 300)

    def test_hostile(self):
        huge = b"\x02" + struct.pack(">Q", 2**62)
        plain = GREETING.replace(b"NULL" + bytes(16), b"PLAIN" + bytes(15))
        error = b"\x04\x08\x05ERROR\x01!"
        reset = None
        for want, sends in [
            ("it closed the connection", []),
            ("it closed the connection", [b""]),
            ("it does not speak ZMTP 3", [bytes(64)]),
            ("it does not speak ZMTP 3", [b"HTTP/1.1 400 Bad Request\r\n\r\n" + bytes(64)]),
            ("it closed the connection", [GREETING[:30]]),
            ("it closed the connection", [GREETING]),
            (f"bytes at once; want {LONGEST} at most", [GREETING + huge]),
            (f"bytes at once; want {LONGEST} at most", [GREETING, READY + huge]),
            (f"bytes at once; want {LONGEST} at most", [GREETING, READY, b"\x02" + struct.pack(">Q", 8 << 30)]),
            ("it closed the connection", [GREETING, READY, b"\x02" + struct.pack(">Q", 1000) + b"x" * 10]),
            ("it closed the connection", [GREETING, READY, frame(b"", 1)]),
            ("more than 1000 parts", [GREETING, READY, frame(b"", 1) * 10000]),
            ("it closed the connection", [GREETING, READY]),
            ("it does not speak ZMTP 3", [b"SSH-2.0-OpenSSH_9.2\r\n" * 9]),
            ("it does not speak ZMTP 3", [b"\x16\x03\x01" * 99]),
            ("it does not speak ZMTP 3", [b"\xff" * 10 + b"\x01" + bytes(53)]),
            ("it does not speak ZMTP 3", [GREETING, READY, b"\xff" * 1000]),
            ("it wants b'PLAIN' for security", [plain]),
            ("it begins with b'\\x05ERROR", [GREETING, error]),
            ("it begins with b''; want READY", [GREETING, frame(b"")]),
            ("want a socket that answers", [GREETING, READY.replace(b"REP", b"PUB")]),
            ("want a socket that answers", [GREETING, b"\x04\x06\x05READY"]),
            ("more than 1000 parts", [GREETING, READY, b"\x04\x05\x04PING" * 10000]),
            ("more than 1000 parts", [GREETING, READY, frame(b"x" * 1000, 1) * 2000]),
            ("it closed the connection", [GREETING, READY, frame(b"", 1) + b"\x04\x05\x04PING"]),
            ("it closed the connection", [GREETING, READY, b"\x00"]),
            ("it closed the connection", [GREETING, READY, b"\x02\x00\x00"]),
            ("it closed the connection", [reset]),
            ("it closed the connection", [GREETING, reset]),
            ("it closed the connection", [GREETING, READY, reset]),
        ]:
            with self.subTest(sends), self.assertRaises(SystemExit) as stopped:
                self.meet(*sends)
            self.assertIn(want, str(stopped.exception), sends[-1:])
            self.assertTrue(str(stopped.exception).isprintable())

    def test_one_that_trickles(self):
        """Bytes that come one at a time are what they are together."""
        slow = [bytes([c]) for c in READY + frame(b"", 1) + frame(b"answer")]
        self.assertEqual(self.meet(GREETING, *slow, wait=0.02), "answer")
        with self.assertRaises(SystemExit) as stopped:
            self.meet(*slow[:9], wait=0.02)
        self.assertIn("it closed the connection", str(stopped.exception))

    def test_memory(self):
        """A peer that says that it has much to send gets no memory for it."""
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 300 << 10)

    def test_garbage_is_an_answer_that_is_refused(self):
        self.assertEqual(self.meet(GREETING, READY, frame(b"\xff\xfe\x00")), "\ufffd\ufffd\x00")


if __name__ == "__main__":
    unittest.main(warnings="ignore")
