package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/input"
	"bourse/traces/synth"
)

// googleFolder is a small Google trace: two machines, of which the larger goes at
// 700 s, and tasks of two users.
func googleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var tasks strings.Builder
	row := func(second, task, event int) {
		fmt.Fprintf(&tasks, "%d,,7,%d,1,%d,user%d=,0,%d,0.25,0.25,0,0\n", second*1_000_000, task, event, task%2, task%3)
	}
	for task := range 8 {
		row(600+task, task, 0)
	}
	for task := range 8 {
		row(610+task, task, 1)
	}
	for task := range 8 {
		row(810+task, task, 4)
	}
	for name, text := range map[string]string{
		"task_events/part-00000-of-00001.csv": tasks.String(),
		"machine_events/part-00000-of-00001.csv": "0,1,0,p,0.5,0.5\n0,2,0,p,1,1\n700000000,2,1,p,,\n" +
			"900000000,2,0,p,1,1\n",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestMachines replays a Google trace on its pool, on nodes and on its machines,
// one of which goes while six tasks of 200 s run, four of them there.
func TestMachines(t *testing.T) {
	dir := googleFolder(t)
	converted := filepath.Join(t.TempDir(), "tasks.parquet")
	if code, _, stderr := bourse(t, "trace", "convert", dir, converted); code != 0 {
		t.Fatal(stderr)
	}
	for _, c := range []struct{ args, want string }{
		{"--machines pool --policy hb --payment kth", "2 machines, CPU used"},
		{"--machines pool(cpu=0.5,memory=0.5) --policy hb(fit=skip) --payment kth --check", "1 machine, CPU used"},
		{"--policy priority --payment none", "2 machines, CPU used"},
		{"--machines nodes:4 --policy fcfs", "4 processors, utilisation"},
		{"--machines nodes:1 --policy fcfs", "1 processor, utilisation"},
		{"--machines trace --policy fcfs --payment none",
			"machine events: 4, jobs they evicted: 4, others preempted: 0; for"},
		{"--machines trace(fit=dot) --policy priority --payment first", "2 machines, CPU used"},
		{"--policy drf", "2 machines, CPU used"},
		{"--policy bal*", "2 machines, CPU used"},
	} {
		for _, trace := range []string{dir, converted} {
			args := append([]string{"replay", trace, "--check"}, strings.Fields(c.args)...)
			for i, a := range args {
				if trace == converted && a == "trace" {
					args[i] = "trace(events=" + dir + ")"
				} else if trace == converted && a == "trace(fit=dot)" {
					args[i] = "trace(fit=dot,events=" + dir + ")"
				}
			}
			code, stdout, stderr := bourse(t, args...)
			if code != 0 || !strings.Contains(stdout, c.want) ||
				!strings.Contains(stdout, "8 records read, 8 replayed") {
				t.Errorf("%v: exit %d\n%s%s", args, code, stdout, stderr)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := bourse(t, "replay", dir, "--machines", "trace", "--policy", "fcfs", "--payment", "none",
		"--format", "csv", "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	evicted := 0
	for _, line := range strings.Split(strings.TrimSpace(read(t, filepath.Join(out, "jobs.csv"))), "\n")[1:] {
		if f := strings.Split(line, ","); f[len(f)-4] != "0" {
			evicted++
		}
	}
	if evicted != 4 {
		t.Errorf("%d tasks were evicted, want the 4 on the machine that went", evicted)
	}
}

// smallPods ask for a share of a GPU, four GPUs, and none.
const smallPods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time," +
	"scheduled_time\n" +
	"a,2000,4,1,500,V100|T4,LS,Running,0,60,0\nb,4000,2,4,1000,,BE,Failed,10,60,20\n" +
	"c,1000,1,0,0,,BE,Succeeded,10,60,20\n"

// TestGPUPool: pods on a pool of three resources, from the columns to the summary.
func TestGPUPool(t *testing.T) {
	pods, out := file(t, "pods.csv", smallPods), filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := bourse(t, "replay", pods, "--machines", "pool(cpu=8,memory=8,gpu=4)", "--policy", "fcfs",
		"--payment", "none", "--format", "csv", "--series", "--out", out, "--check")
	if want := "8 machines, CPU used 40.0%, memory 45.0%, GPUs 47.5%"; code != 0 ||
		!strings.Contains(stdout+stderr, want) {
		t.Errorf("exit %d\n%s%s\nwant %s", code, stdout, stderr, want)
	}
	jobs := strings.Split(strings.TrimSpace(read(t, filepath.Join(out, "jobs.csv"))), "\n")
	if !strings.HasSuffix(jobs[0], ",lost_s,gpu,gpu_model") || !strings.HasSuffix(jobs[1], ",0.5,V100|T4") ||
		!strings.HasSuffix(jobs[2], ",4,") {
		t.Errorf("%s", strings.Join(jobs, "\n"))
	}
	if head, _, _ := strings.Cut(read(t, filepath.Join(out, "series.csv")), "\n"); !strings.HasSuffix(head,
		",price,utilisation_memory,utilisation_gpu") {
		t.Error(head)
	}
	for where, want := range map[string]string{"gpu > 0": "3 records read, 2 replayed",
		`gpu_model == "V100|T4"`: "3 records read, 1 replayed", "gpu < 1 && disk < 0": "3 records read, 2 replayed"} {
		if _, stdout, stderr := bourse(t, "replay", pods, "--machines", "pool(cpu=8,memory=8,gpu=4)", "--policy",
			"expr(-gpu)", "--where", where); !strings.Contains(stdout+stderr, want) {
			t.Errorf("%s: %s%s", where, stdout, stderr)
		}
	}
	parquet := filepath.Join(t.TempDir(), "pods.parquet")
	if code, _, stderr := bourse(t, "trace", "convert", pods, parquet); code != 0 {
		t.Fatal(stderr)
	}
	again := filepath.Join(t.TempDir(), "again")
	bourse(t, "replay", parquet, "--machines", "pool(cpu=8,memory=8,gpu=4)", "--policy", "fcfs", "--payment", "none",
		"--format", "csv", "--out", again)
	if got := read(t, filepath.Join(again, "jobs.csv")); got != read(t, filepath.Join(out, "jobs.csv")) {
		t.Errorf("from the workload file: %s", got)
	}
	nodes := file(t, "nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn1,32000,64,2,T4\nn2,32000,64,2,V100\n"+
		"n3,32000,64,4,G2\n")
	_, stdout, _ = bourse(t, "trace", "inspect", pods, "--machines", nodes)
	// 30 GPU-seconds over 10 s of submissions on 4 devices of two models, 160 on all 8.
	for _, want := range []string{"V100|T4 1 0.50 0.01 3.00 75.0 %", "any model 1 4.00 0.04 16.00 200.0 %"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	_, stdout, _ = bourse(t, "trace", "inspect", pods, "--machines", "pool(cpu=8,memory=8,gpu=4)")
	for _, want := range []string{"1 jobs ask for none, 1 for a share of one, 0 for one, 1 for more", "of the CPU",
		"of the GPUs asked for", "V100|T4", "any model"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

func TestMachineFaults(t *testing.T) {
	dir, log := googleFolder(t), file(t, "log.swf", smallSWF(5))
	pods := file(t, "pods.csv", smallPods)
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, `--machines pol is unknown; did you mean "pool"?`, []string{log, "--machines", "pol"}},
		{2, "should be a number from 0", []string{log, "--machines", "pool(cpu=x)"}},
		{2, `--machines trace(fit=bets) is unknown; did you mean "best"? There are first, best, worst, dot`,
			[]string{dir, "--machines", "trace(fit=bets)"}},
		{2, "give one of them", []string{log, "--machines", "pool", "--nodes", "3"}},
		{1, "does not say how much CPU and memory there was\n  --machines 'pool(cpu=C,memory=M)' says it",
			[]string{log, "--machines", "pool"}},
		{1, "does not record events of machines", []string{log, "--machines", "trace"}},
		{1, "does not give the sizes of its partitions", []string{log, "--machines", "partitions"}},
		{2, "does not place jobs on machines\n  Use fcfs", []string{dir, "--machines", "trace", "--policy", "hb"}},
		{2, "Use fcfs, fcfs(fit=skip), easy, conservative, nphb without fit=skip", []string{dir, "--machines", "trace", "--policy", "nphb(fit=skip)"}},
		{1, "the policy plans with processors, not with a pool", []string{dir, "--policy", "easy", "--payment",
			"none"}},
		{1, "the policy plans with processors", []string{dir, "--policy", "easy", "--payment", "none", "--dry-run"}},
		{1, "the policy is for 2 resources, processors are one", []string{log, "--policy", "bal"}},
		{2, "family:5: resources are numbered from 1 to 4", []string{dir, "--policy", "family:5"}},
		{1, "the policy is for 3 resources, the pool has 2", []string{dir, "--policy", "family:3"}},
		{1, "jobs of " + pods + " ask for GPUs, and it does not say how many there were\n  --machines " +
			"'pool(cpu=C,memory=M,gpu=G)' says it", []string{pods, "--machines", "pool(cpu=9,memory=9)"}},
		{1, "does not say how much CPU and memory there was", []string{pods, "--machines", "pool(cpu=9,gpu=9)"}},
		{1, "the policy is for 2 resources, the pool has 3", []string{pods, "--machines", "pool(cpu=9,memory=9,gpu=9)",
			"--policy", "bal"}},
		{2, `gpu="-1" should be a number from 0`, []string{pods, "--machines", "pool(cpu=9,memory=9,gpu=-1)"}},
		{2, "payment kth needs a policy under which jobs compete by bid",
			[]string{dir, "--policy", "drf", "--payment", "kth"}},
		{2, "payment bids needs a policy under which users bid for shares",
			[]string{log, "--policy", "drf", "--payment", "bids"}},
		{2, "horizon=10 is shorter than every=300", []string{log, "--policy", "price-anticipating(horizon=10)"}},
		{2, `mechanism "flo" is unknown; did you mean "fl"?`, []string{log, "--policy", "lend:flo"}},
	} {
		code, stdout, stderr := bourse(t, append([]string{"replay"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("bourse replay %s: exit %d, want %d with %q\n%s%s", strings.Join(c.args, " "), code, c.code,
				c.want, stdout, stderr)
		}
	}
}

// TestUsers wants one row per user, with what a sharing policy gave it.
func TestUsers(t *testing.T) {
	log, out := file(t, "log.swf", smallSWF(100)), filepath.Join(t.TempDir(), "users.csv")
	for policy, columns := range map[string]string{"fcfs": "mean_bsd,work,payment,utility\n",
		"drf": "active_s,held,entitled,short,envies_s\n", "lend:fl": "short,envies_s\n",
		"price-anticipating": "short,envies_s\n"} {
		code, _, stderr := bourse(t, "replay", log, "--policy", policy, "--users", out, "--overwrite")
		text := read(t, out)
		if code != 0 || !strings.HasPrefix(text, "user,jobs,preemptions,mean_wait_s") ||
			!strings.Contains(text, columns) || strings.Count(text, "\n") < 2 {
			t.Errorf("%s: exit %d %s\n%s", policy, code, stderr, text)
		}
	}
	if code, _, stderr := bourse(t, "replay", log, "--users", out); code != 1 || !strings.Contains(stderr, "exists") {
		t.Errorf("an existing table: exit %d %s", code, stderr)
	}
}

// TestCompareWithMoney wants fairness, payment and utility beside the waits once
// anybody pays.
func TestCompareWithMoney(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	code, stdout, stderr := bourse(t, "compare", log, "--policy",
		"hb/first,hb/kth,drf,lend:tperiod:R/2,price-anticipating")
	if code != 0 || !strings.Contains(stdout, "fairness") || !strings.Contains(stdout, "mean payment") ||
		!strings.Contains(stdout, "revenue") || !strings.Contains(stdout, "all: 200 jobs\n") {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, _ = bourse(t, "compare", log, "--policy", "fcfs,easy"); code != 0 ||
		strings.Contains(stdout, "mean payment") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
}

// TestHints wants what flags can do to stand under errors of packages that know
// no flags.
func TestHints(t *testing.T) {
	for want, err := range map[string]error{
		"--machines pool, or drf": &policies.MismatchError{Machine: policies.OnProcessors, Resources: 2},
		"--machines nodes:N":      fmt.Errorf("cell 3: %w", &policies.MismatchError{Machine: policies.OnPool}),
		"--nodes N":               &engine.CapacityError{Machine: "a machine of 0 processors"},
		"estimate > 0":            &engine.NoEstimateError{Job: 7},
		"trace inspect":           &engine.OverflowError{},
		"--sort-window 17":        &traces.Error{File: "a.swf", Err: &input.LateError{Window: 17, Whole: true}},
		"trace synth 'google2011": &synth.FolderError{Model: "google2011", Spec: "google2011?days=1"},
		"--on-error=skip":         &traces.Error{File: "dir", Err: google.ErrMissingPart},
		"--where leaves jobs out": &bidding.NoBidError{Table: "bids.csv", Job: 7},
	} {
		if got := hint(err); !strings.Contains(got, want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	if got := hint(errors.New("no space left")); got != "" {
		t.Errorf("a hint from nowhere: %q", got)
	}
}
