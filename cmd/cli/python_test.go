package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pythonPackage is what the Python package is asked for, with a policy that is a class of the asking process.
const pythonPackage = `
import bourse
log = "synth:lublin?jobs=400&procs=64&seed=1"

class Mine(bourse.Policy):
    def plan(self):
        for job in list(self.waiting.values()):
            if job["procs"] > self.free:
                return
            self.start(job)

class Bad(bourse.Policy):
    def plan(self):
        raise KeyError("no plan")

class Sells(bourse.Policy):
    leaves = charges = estimates = True
    def plan(self):
        for job in list(self.waiting.values()):
            if job["procs"] > 48:
                self.leave(job, "it is too wide")
            elif self.profile().earliest(job["procs"], job["estimate"]) == self.now:
                self.charge(job, 2.0)
                self.start(job)

def fails(kind, what):
    try:
        what()
    except kind as err:
        return err
    raise SystemExit("nothing failed")

def rows(table):
    return table if isinstance(table, list) else table.to_pylist() if hasattr(table, "to_pylist") else table.to_dict("records")

assert [r["start_s"] for r in rows(bourse.replay(log, Mine))] == [r["start_s"] for r in rows(bourse.replay(log, "fcfs"))]
sold = rows(bourse.replay(log, Sells, payment="asked"))
assert {bool(r["left"]) for r in sold} == {False, True} and all(abs(r["payment"] - 2 * r["procs"] * r["run_s"]) < 1e-6 for r in sold if not r["left"]), sold[:2]
compared = {r["name"]: r for r in rows(bourse.compare(log, ["easy", "conservative", Mine], baseline="easy"))}
assert compared["Mine"]["difference"] > 0 and compared["Mine"]["baseline"] == "easy" and compared["Mine"]["p_value"] is not None, compared
assert compared["conservative"]["verdict"] and compared["conservative"]["mean_wait_s"] > 0
cells = rows(bourse.sweep(log, ["easy", Mine], load_factor=[.8, 1]))
assert len(cells) >= 4, cells
assert bourse.summary(log)["jobs"]["total"]["jobs"] == 400
assert rows(bourse.predict(log, procs=8, run=600))[0]["procs"] == 8
assert {r["payment"] for r in rows(bourse.regret(log, "hb(fit=skip)", payment=["first", "kth"], jobs=10))} == {"first", "kth"}
assert rows(bourse.table("trace list", where="load > .8"))
assert "no plan" in str(fails(KeyError, lambda: bourse.replay(log, Bad)))
assert "did you mean" in str(fails(bourse.UsageError, lambda: bourse.replay(log, "esy")))
assert "nowhere" in str(fails(bourse.Error, lambda: bourse.run("replay", "nowhere.swf")))
for flag in (lambda: bourse.replay("--config=x.toml"), lambda: bourse.compare(["a.swf", "-q"]), lambda: bourse.run("replay", "--config=x.toml")):
    assert "is no name; options are given by theirs" in str(fails(ValueError, flag))  # one can start programs
seen = []
bourse.replay(log, progress=seen.append)
print("bourse", bourse.__version__, "ok")
`

// typedProgram is a program that a strict checker of types accepts.
const typedProgram = `
from typing import Any, Dict

import bourse
from bourse.gym import BourseEnv


class Mine(bourse.Policy):
    def arrived(self, job: Dict[str, Any]) -> None:
        self.latest = job["id"]

    def plan(self) -> None:
        for job in list(self.waiting.values()):
            if job["procs"] > self.free:
                return
            self.start(job)


def wait(log: str) -> float:
    jobs = bourse.replay(log, policy=Mine)
    compared = bourse.compare([log], policy=["easy", Mine], metric="wait", progress=print)
    print(jobs, compared, bourse.sweep(log, ["easy", "fcfs"], load_factor=[1, 1.2]), bourse.run("list policies"))
    return float(bourse.summary(log, "easy")["jobs"]["total"]["mean_wait_s"])


with BourseEnv("synth:lublin?jobs=60&seed={seed}", k=4, reward=lambda job: float(job["procs"])) as env:
    seen, info = env.reset(seed=1)
    seen, reward, done, cut, info = env.step(env.sample())
`

// TestPythonPackage tries the Python package from its sources, as wheels pack it.
func TestPythonPackage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	root := filepath.Join("..", "..", "scripts")
	files := map[string]string{"__init__.py": read(t, filepath.Join(root, "dist", "bourse", "__init__.py")),
		"client.py": read(t, filepath.Join(root, "clients", "bourse_client.py")),
		"gym.py":    read(t, filepath.Join(root, "clients", "bourse_gym.py"))}
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("bourse", 0o777))
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join("bourse", name), []byte(text), 0o666))
	}
	must(t, os.WriteFile("try.py", []byte(pythonPackage), 0o666))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	program, err := exec.LookPath("bourse")
	must(t, err)
	must(t, os.Symlink(program, filepath.Join("bourse", "bourse")))
	said := shell(t, "'"+python+"' try.py")
	if !strings.HasSuffix(said, "ok\n") {
		t.Error(said)
	}
	mypy, err := exec.LookPath("mypy")
	if err != nil {
		t.Skip("the types are not checked: there is no mypy")
	}
	must(t, os.WriteFile(filepath.Join("bourse", "py.typed"), nil, 0o666))
	must(t, os.WriteFile("typed.py", []byte(typedProgram), 0o666))
	shell(t, "'"+mypy+"' --strict --ignore-missing-imports -p bourse")
	shell(t, "'"+mypy+"' --strict --ignore-missing-imports typed.py")
	must(t, os.WriteFile("wrong.py", []byte("import bourse\nbourse.replay(7)\n"), 0o666))
	if out, err := exec.Command(mypy, "--strict", "--ignore-missing-imports", "wrong.py").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "incompatible type \"int\"") {
		t.Errorf("%v: %s", err, out)
	}
}
