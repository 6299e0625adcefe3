package cli

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// labelled is a job with four labels.
type labelled struct{ id, submit, run, user, group, queue, partition int }

// labelFormats write jobs in each format that knows labels. Slurm has no queues and
// Torque no partitions.
var labelFormats = map[string]func([]labelled) string{
	"swf": func(jobs []labelled) string {
		return lines("; MaxProcs: 1\n", jobs, func(j labelled) string {
			return fmt.Sprintf("%d %d -1 %d 1 -1 -1 1 99 -1 1 %d %d -1 %d %d -1 -1", j.id, j.submit, j.run, j.user,
				j.group, j.queue, j.partition)
		})
	},
	"csv": func(jobs []labelled) string {
		return lines("job,submit,run,procs,estimate,user,group,queue,partition\n", jobs, func(j labelled) string {
			return fmt.Sprintf("%d,%d,%d,1,99,%d,%d,%d,%d", j.id, j.submit, j.run, j.user, j.group, j.queue,
				j.partition)
		})
	},
	"gwf": func(jobs []labelled) string {
		return lines("", jobs, func(j labelled) string {
			return fmt.Sprintf("%d %d 0 %d 1 -1 -1 1 99 -1 1 %d %d -1 %d %d S S UNITARY -1 -1 -1 -1 -1 -1 -1 -1 -1 V",
				j.id, j.submit, j.run, j.user, j.group, j.queue, j.partition)
		})
	},
	"torque": func(jobs []labelled) string {
		return lines("", jobs, func(j labelled) string {
			return fmt.Sprintf("10/23/2017 00:00:05;E;%d.srv;user=%d group=%d queue=%d ctime=%d qtime=%d start=%d "+
				"exec_host=n/0 Resource_List.walltime=99 end=%d Exit_status=0",
				j.id, j.user, j.group, j.queue, 1508730000+j.submit, 1508730000+j.submit, 1508730000+j.submit,
				1508730000+j.submit+j.run)
		})
	},
	"sacct": func(jobs []labelled) string {
		return lines("JobID|User|Account|Partition|Submit|Start|End|State|AllocCPUS|Timelimit\n", jobs,
			func(j labelled) string {
				at := func(s int) string { return fmt.Sprintf("2024-03-01T08:%02d:%02d", s/60, s%60) }
				return fmt.Sprintf("%d|%d|%d|%d|%s|%s|%s|COMPLETED|1|00:01:39", j.id, j.user, j.group, j.partition,
					at(j.submit), at(j.submit), at(j.submit+j.run))
			})
	},
}

func lines(head string, jobs []labelled, line func(labelled) string) string {
	for _, j := range jobs {
		head += line(j) + "\n"
	}
	return head
}

// TestNumericLabels wants labels that are numbers to have their value in every format,
// wherever a policy, a condition or a limit looks at them and through conversions:
// random jobs end as those of the SWF log do, whose labels are numbers by definition.
func TestNumericLabels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 4))
	for range 3 {
		var jobs []labelled
		for i := range 25 {
			jobs = append(jobs, labelled{i + 1, 3*i + rnd.IntN(3), 1 + rnd.IntN(15), rnd.IntN(30), rnd.IntN(12),
				rnd.IntN(25), rnd.IntN(11)})
		}
		dir := t.TempDir()
		logs := []string{}
		for _, format := range []string{"swf", "csv", "gwf", "torque", "sacct"} {
			logs = append(logs, format+":"+file(t, "log."+format, labelFormats[format](jobs)))
			for _, to := range []string{".parquet", ".swf"} {
				into := filepath.Join(dir, format+to)
				if code, _, stderr := bourse(t, "trace", "convert", logs[len(logs)-1], into); code != 0 {
					t.Fatal(stderr)
				}
				logs = append(logs, into)
			}
		}
		plain := filepath.Join(dir, "run") // its records are a plain table
		if code, _, stderr := bourse(t, "replay", logs[0], "--nodes", "40", "--policy", "fcfs", "--payment", "none",
			"--out", plain); code != 0 {
			t.Fatal(stderr)
		}
		logs = append(logs, "parquet:"+filepath.Join(plain, "jobs.parquet"))
		for _, args := range [][]string{
			{"--policy", "priority"}, {"--policy", "priority(by=queue)"}, {"--policy", "expr(queue)"}, {"--policy",
				"expr(queue==1?0:queue)"},
			{"--policy", "priority(by=user)"}, {"--policy", "expr(user)"}, {"--policy",
				"easy(order=expr(user))"}, {"--policy", "easy(order=expr(group),backfill=expr(user))"},
			{"--policy", "priority(by=partition)"}, {"--policy", "expr(partition*group)"},
			{"--policy", "fcfs", "--where", "queue > 9 && user % 3 != 1"}, {"--policy", "fcfs", "--queue-limits",
				"3: run < 5; 11: run < 2; *: run < 12 && queue != 10"},
		} {
			uses := strings.Join(args, " ")
			want := ""
			for _, log := range logs {
				if strings.Contains(log, "sacct") && (strings.Contains(uses, "queue") || uses == "--policy priority") ||
					strings.Contains(log, "torque") && strings.Contains(uses, "partition") {
					continue
				}
				out := filepath.Join(t.TempDir(), "out")
				if code, _, stderr := bourse(t, append([]string{"replay", log, "--nodes", "1", "--payment", "none",
					"--format", "csv", "--out", out, "-q"}, args...)...); code != 0 {
					t.Fatalf("%s %v: %s", log, args, stderr)
				}
				table := csvTable(t, read(t, filepath.Join(out, "jobs.csv")))
				var ends []string
				first := number(t, slices.MinFunc(table["submit_s"], func(a,
					b string) int {
					return int(number(t, a) - number(t, b))
				}))
				for i, id := range table["job_id"] {
					ends = append(ends, fmt.Sprintf("job %s of %s ends at %g", id, table["user"][i],
						number(t, table["end_s"][i])-first))
				}
				got := strings.Join(ends, "\n")
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s %v:\n%s\nwant\n%s", filepath.Base(log), args, got, want)
				}
			}
		}
	}
}

// TestNamesHaveNoOrder: an order by labels that are names is refused, a condition that
// takes them for numbers, too.
func TestNamesHaveNoOrder(t *testing.T) {
	log := file(t, "log.csv", "job,submit,run,procs,user,queue\n1,0,10,1,7,3\n2,1,10,1,ann,1\n3,2,10,1,9,batch\n")
	for args, want := range map[string]string{
		"--policy priority(by=queue)":          `job 3: its queue "batch" is a name`,
		"--policy priority":                    `job 3: its queue "batch" is a name`,
		"--policy expr(user)":                  `job 2: its user "ann" is a name`,
		"--policy easy(backfill=expr(user+0))": `job 2: its user "ann" is a name`,
		"--policy fcfs --where queue>1":        `the condition fails on job 3: its queue "batch" is a name`,
	} {
		code, _, stderr := bourse(t, append([]string{"replay", log, "--nodes", "1", "--payment", "none"},
			strings.Fields(args)...)...)
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, code, stderr, want)
		}
	}
	for _, args := range []string{"--policy fairshare", "--policy expr(submit)",
		`--policy fcfs --where queue=="batch"||user!="ann"`} {
		if code, _, stderr := bourse(t, append([]string{"replay", log, "--nodes", "1", "--payment", "none"},
			strings.Fields(args)...)...); code != 0 {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
	}
	// Names become numbers in SWF, and numbers among them stay where they can.
	swf := filepath.Join(t.TempDir(), "log.swf")
	mixed := file(t, "mixed.csv", "job,submit,run,procs,user,queue\n1,0,10,1,b,3\n2,1,10,1,1,7\n3,2,10,1,9,9\n"+
		"4,3,10,1,a,3\n5,4,10,1,b,7\n")
	if code, _, stderr := bourse(t, "trace", "convert", mixed, swf); code != 0 {
		t.Fatal(stderr)
	}
	var got []string
	for _, line := range strings.Split(read(t, swf), "\n") {
		if f := strings.Fields(line); len(f) == 18 && f[0] != ";" {
			got = append(got, f[11]+"/"+f[14])
		}
	}
	if text := strings.Join(got, " "); text != "1/3 2/7 9/9 3/3 1/7" {
		t.Errorf("users and queues are %s", text)
	}
}
