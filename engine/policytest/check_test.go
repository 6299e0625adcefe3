package policytest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine/policytest"
	"bourse/policies"
	"bourse/policies/catalog"
)

// check tries a policy by its name, as bourse policy check does.
func check(t *testing.T, name string, workloads int, seed uint64) ([]policytest.Finding, error) {
	fresh := func() (policies.Policy, error) { return catalog.Policies.Make(name) }
	return policytest.Check(t.Context(), fresh, policytest.Expect{Preempts: true, KnowsUnits: true}, workloads, seed)
}

func failed(list []policytest.Finding) (n int) {
	for _, f := range list {
		if f.Fault != "" {
			n++
		}
	}
	return n
}

// TestGallery wants every script of the gallery that is a policy or an order to policytest.
func TestGallery(t *testing.T) {
	paths, err := filepath.Glob("../../scripts/policies/*.star")
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		r, err := check(t, "script:"+path, 30, 1)
		if err != nil {
			if text, _ := os.ReadFile(path); strings.Contains(string(text), "def plan") ||
				strings.Contains(string(text), "def rank") {
				t.Errorf("%s: %v", path, err)
			}
			continue // a price or a behaviour
		}
		if failed(r) > 0 {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// TestFaults wants each check to be able to fail.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"def plan(round):\n    for job in round.waiting:\n        if job.procs < 3 and round.fits(job):\n            " +
			"round.start(job)": policytest.Ends,
		"def plan(round):\n    round.wake(round.now + 1)":                           policytest.Ends,
		"def plan(round):\n    for job in round.waiting:\n        round.start(job)": policytest.Legal,
		"def plan(round):\n    for job in round.running:\n        round.preempt(job)\n        round.preempt(job)\n    for " +
			"job in round.waiting:\n        if round.fits(job):\n            round.start(job)": policytest.Legal,
	} {
		path := filepath.Join(t.TempDir(), "s.star")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := check(t, "script:"+path, 30, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r {
			if (f.Check == want) != (f.Fault != "") {
				t.Errorf("%q: %s: %q", text, f.Check, f.Fault)
			}
		}
	}
}

// TestProgram wants the reference client to conform, and one that draws at random not to.
func TestProgram(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	r, err := check(t, "exec:"+python+" ../../scripts/clients/fcfs.py", 2, 1)
	if err != nil || failed(r) > 0 {
		t.Fatal(r, err)
	}
	client, err := filepath.Abs("../../scripts/clients")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "random.py")
	text := "import random, sys\nsys.path.insert(0, " + "\"" + client +
		"\")\nfrom bourse_client import Policy, run\nclass R(Policy):\n    def plan(self):\n        jobs = " +
		"list(self.waiting.values())\n        random.shuffle(jobs)\n        for job in jobs:\n            if job['procs'] " +
		"<= self.free:\n                self.start(job)\nrun(R())\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err = check(t, "exec:"+python+" "+path, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r {
		if (f.Check == policytest.Repeats) != (f.Fault != "") {
			t.Errorf("%s: %q", f.Check, f.Fault)
		}
	}
}
