package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// environments goes through several environments side by side and prints what they yield.
const environments = `
import numpy as np
from bourse_gym import BourseEnv

def fails(what):
    try:
        what()
    except (RuntimeError, ValueError) as e:
        return str(e)
    raise SystemExit("nothing failed")

log = "synth:lublin?jobs=60&procs=16&seed={seed}"
envs = [BourseEnv(log, k=4, reward=r) for r in ("wait_s", "waiting", "bounded_slowdown", lambda job: job["procs"])]
totals, done = [0.0] * 4, [False] * 4
for env in envs:
    seen, info = env.reset(seed=7)
    assert seen.shape == (5, 5) and seen.dtype == np.float32 and seen[0, 0] == 1 and info["action_mask"][0], seen
while not all(done):
    for i, env in enumerate(envs):
        if not done[i]:
            seen, reward, done[i], cut, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
            totals[i] += reward
            assert np.isfinite(seen).all() and not cut
for env in envs:
    assert len(env.ended) == 60 and env.process.poll() is None
print("seconds waited", totals[0], totals[1])
assert abs(totals[0] - totals[1]) < 1e-6 * abs(totals[0]), totals
assert totals[2] <= -60 and totals[3] == -sum(j["procs"] for j in envs[3].ended)
assert "want reset" in fails(lambda: envs[0].step(0))
same = [j["started"] for j in sorted(envs[0].ended, key=lambda j: j["id"])]
pid = envs[0].process.pid
seen, _ = envs[0].reset(seed=7)
assert envs[0].process.pid == pid  # no new process
seen, _ = envs[0].reset(seed=8)  # in the middle of an episode
seen, _ = envs[0].reset(seed=7)
while not envs[0].step(int(np.flatnonzero(envs[0].action_masks())[0]))[2]:
    pass
assert same == [j["started"] for j in sorted(envs[0].ended, key=lambda j: j["id"])]
envs[0].reset(seed=7)
while not envs[0].step(0)[2]:  # what does not fit counts as none
    pass
assert len(envs[0].ended) == 60
never = envs[1]
never.reset(seed=7)
while not never.step(4)[2]:  # none, and still every job ends
    pass
assert len(never.ended) == 60
envs[2].reset(seed=3)
pid = envs[2].process
for env in envs:
    env.close()
    env.close()
assert pid.returncode is not None
print("errors:", fails(lambda: BourseEnv("nowhere.swf").reset()), "/", fails(lambda: BourseEnv(log, reward="joy")))
`

// TestEnvironment runs the learning environment, and teaches a policy that has to be better
// than chance. It needs Python with numpy.
func TestEnvironment(t *testing.T) {
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import numpy").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("there is no python3 with numpy")
	}
	clients, err := filepath.Abs("../../scripts/clients")
	must(t, err)
	t.Setenv("PYTHONPATH", clients)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("environments.py", []byte(environments), 0o666))
	said := shell(t, python+" environments.py")
	if !strings.Contains(said, "nowhere.swf") || !strings.Contains(said, "'joy'; want a function or one of waiting") {
		t.Error(said)
	}
	said = shell(t, python+" '"+clients+"/learn.py' --rounds 2 --candidates 6")
	figures := regexp.MustCompile(`learned ([\d.]+), random ([\d.]+)`).FindStringSubmatch(said)
	if figures == nil {
		t.Fatal(said)
	}
	learned, _ := strconv.ParseFloat(figures[1], 64)
	random, _ := strconv.ParseFloat(figures[2], 64)
	if !(learned < random) {
		t.Errorf("learned %v, random %v", learned, random)
	}
}
