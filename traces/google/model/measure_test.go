package model

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"bourse/traces/google"
	"bourse/traces/tracetest"
)

var update = flag.Bool("update", false, "measure the real trace and write measured.json anew")

// TestMeasured measures the real trace again: measured.json must be what comes out.
// make golden writes it.
func TestMeasured(t *testing.T) {
	m := measure(t, tracetest.Shared(t, "data/google2011"))
	want := m.print(t)
	if *update {
		if err := os.WriteFile("measured.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile("measured.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Error("measured.json is not what the real trace yields; go test ./traces/google/model -run Measured -update " +
			"writes it")
	}
}

// measuredTask follows one task of the real trace.
type measuredTask struct {
	pop      *measuredPop
	tier     *measuredTier
	job      *measuredJob
	state    google.Kind // submit: waiting, schedule: running, else ended so
	at       float64
	aged     bool // running since before the window
	attempts int
}

type measuredJob struct {
	pop             *measuredPop
	tasks           int
	priority, class int
	cpu, memory     float64
	first           float64
	lives           []float64 // ln of first attempts
}

type measuredPop struct {
	jobs           []*measuredJob
	tasks, waiting float64
	events         [lifeBins][4]float64
	exposure       [lifeBins]float64
	aged           [4]float64
	agedTime       float64
	missing        float64
}

type measuredTier struct {
	pops           [2]measuredPop // at the begin, arriving
	waits          []float64
	submits        float64
	killedWaiting  float64
	ends, again    [4]float64
	updates, alive float64
}

type measurement struct {
	tiers    [tiers]measuredTier
	tasks    map[[2]int64]*measuredTask
	order    []*measuredTask // as met
	jobs     map[int64]*measuredJob
	users    map[string]int
	disk     []float64
	apart    float64 // tasks on machines of their own
	end      float64
	machines measuredMachines
}

// scan calls f with each row of a table's parts.
func scan(t *testing.T, dir, table string, f func(c []string)) {
	names, err := filepath.Glob(filepath.Join(dir, table, "part-*"))
	if err != nil || len(names) == 0 {
		t.Fatal("no parts of", table)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var plain bytes.Buffer
		if _, err := plain.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(plain.String()) {
			f(strings.Split(strings.TrimSpace(line), ","))
		}
	}
}

func wholeOf(text string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return v
}

func realOf(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return -1
	}
	return v
}

func measure(t *testing.T, dir string) *measurement {
	m := &measurement{tasks: map[[2]int64]*measuredTask{}, jobs: map[int64]*measuredJob{}, users: map[string]int{}}
	scan(t, dir, "task_events", m.row)
	for _, x := range m.order {
		if x.state == google.Schedule {
			m.ran(x, -1, m.end)
		}
	}
	scan(t, dir, "machine_events", m.machines.row)
	return m
}

// row takes a row of task_events.
func (m *measurement) row(c []string) {
	at := max(600, float64(wholeOf(c[0]))/1e6)
	m.end = at
	key, what := [2]int64{wholeOf(c[2]), wholeOf(c[3])}, google.Kind(wholeOf(c[5]))
	x := m.tasks[key]
	if x == nil {
		x = m.meet(key, c, at)
	}
	switch what {
	case google.Submit:
		if x.state >= google.Evict && x.state <= google.Kill {
			x.tier.again[x.state-google.Evict]++
		}
		x.tier.submits++
		x.state, x.at = google.Submit, at
	case google.Schedule:
		x.aged = c[0] == "0"
		if x.aged {
			x.pop.waiting--
		} else if x.at > 600 {
			x.tier.waits = append(x.tier.waits, at-x.at)
		}
		x.state, x.at = google.Schedule, at
		x.attempts++
	case google.UpdatePending, google.UpdateRunning:
		x.tier.updates++
	default:
		if x.state == google.Schedule {
			m.ran(x, int(what-google.Evict), at)
		} else if what == google.Kill {
			x.tier.killedWaiting++
		}
		x.tier.ends[what-google.Evict]++
		x.state = what
	}
}

// meet takes over what a task's first row says.
func (m *measurement) meet(key [2]int64, c []string, at float64) *measuredTask {
	priority := int(wholeOf(c[8]))
	tier := &m.tiers[tierOf(priority)]
	pop := &tier.pops[1]
	if c[0] == "0" {
		pop = &tier.pops[0]
	}
	j := m.jobs[key[0]]
	if j == nil {
		j = &measuredJob{pop: pop, priority: priority, class: int(wholeOf(c[7])), cpu: realOf(c[9]), memory: realOf(c[10]),
			first: at}
		m.jobs[key[0]] = j
		pop.jobs = append(pop.jobs, j)
		if c[0] != "0" {
			m.users[c[6]]++
		}
	}
	j.tasks++
	pop.tasks++
	if c[0] == "0" {
		pop.waiting++
	}
	switch {
	case c[9] == "":
		pop.missing++
	case c[12] == "1":
		m.apart++
		fallthrough
	default:
		m.disk = append(m.disk, realOf(c[11]))
	}
	x := &measuredTask{pop: pop, tier: tier, job: j, state: ^google.Kind(0)}
	m.tasks[key] = x
	m.order = append(m.order, x)
	return x
}

// ran counts an attempt that ended, by cause, or was cut off by the end (-1).
func (m *measurement) ran(x *measuredTask, cause int, at float64) {
	life := at - x.at
	x.tier.alive += life
	if x.aged {
		x.pop.agedTime += life
		if cause >= 0 {
			x.pop.aged[cause]++
		}
		return
	}
	for b, from := range lifeEdges {
		to := math.Inf(1)
		if b+1 < len(lifeEdges) {
			to = lifeEdges[b+1]
		}
		if life < from {
			break
		}
		x.pop.exposure[b] += min(life, to) - from
		if cause >= 0 && life < to {
			x.pop.events[b][cause]++
		}
	}
	if cause >= 0 && x.attempts == 1 {
		x.job.lives = append(x.job.lives, math.Log(max(life, 0.1)))
	}
}

// tierOf returns the tier of a priority.
func tierOf(priority int) int {
	switch {
	case priority <= 2:
		return max(priority, 0)
	case priority < 9:
		return 3
	}
	return 4
}
