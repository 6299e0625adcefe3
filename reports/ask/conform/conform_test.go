package conform_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/ask/conform"
)

// TestGallery wants every script of the gallery that is a policy or an order to conform.
func TestGallery(t *testing.T) {
	paths, err := filepath.Glob("../../../scripts/policies/*.star")
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		r, err := conform.Check(t.Context(), "script:"+path, 30, 1)
		if err != nil {
			if text, _ := os.ReadFile(path); strings.Contains(string(text), "def plan") || strings.Contains(string(text), "def rank") {
				t.Errorf("%s: %v", path, err)
			}
			continue // a price or a behaviour
		}
		if r.Failed() > 0 {
			t.Errorf("%s: %+v", path, r.Findings)
		}
	}
}

// TestFaults wants each check to be able to fail.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"def plan(round):\n    for job in round.waiting:\n        if job.procs < 3 and round.fits(job):\n            round.start(job)": conform.Ends,
		"def plan(round):\n    round.wake(round.now + 1)":                           conform.Ends,
		"def plan(round):\n    for job in round.waiting:\n        round.start(job)": conform.Legal,
		"def plan(round):\n    for job in round.running:\n        round.preempt(job)\n        round.preempt(job)\n    for job in round.waiting:\n        if round.fits(job):\n            round.start(job)": conform.Legal,
	} {
		path := filepath.Join(t.TempDir(), "s.star")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := conform.Check(t.Context(), "script:"+path, 30, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if (f.Check == want) != (f.Fault != "") {
				t.Errorf("%q: %s: %q", text, f.Check, f.Fault)
			}
		}
		var out bytes.Buffer
		if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "fails 1 of 4 checks") {
			t.Errorf("%s, %v", out.String(), err)
		}
	}
}

// TestProgram wants the reference client to conform, and one that draws at random not to.
func TestProgram(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	r, err := conform.Check(t.Context(), "exec:"+python+" ../../../scripts/clients/fcfs.py", 2, 1)
	if err != nil || r.Failed() > 0 {
		t.Fatal(r, err)
	}
	client, err := filepath.Abs("../../../scripts/clients")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "random.py")
	text := "import random, sys\nsys.path.insert(0, " + "\"" + client + "\")\nfrom bourse_client import Policy, run\nclass R(Policy):\n    def plan(self):\n        jobs = list(self.waiting.values())\n        random.shuffle(jobs)\n        for job in jobs:\n            if job['procs'] <= self.free:\n                self.start(job)\nrun(R())\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err = conform.Check(t.Context(), "exec:"+python+" "+path, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if (f.Check == conform.Repeats) != (f.Fault != "") {
			t.Errorf("%s: %q", f.Check, f.Fault)
		}
	}
}
