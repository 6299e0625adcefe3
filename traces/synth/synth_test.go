package synth

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/swf"
	"bourse/traces/tracetest"
)

func synth(tb testing.TB, spec string) []traces.Job {
	tb.Helper()
	src, err := Open("lublin?"+spec, traces.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	jobs, err := tracetest.Rest(src)
	if err != nil {
		tb.Fatal(err)
	}
	return jobs
}

// TestLublinSizes compares shares with the model's, at 128 processors, where
// half a per cent of 200,000 jobs is more than four standard deviations.
func TestLublinSizes(t *testing.T) {
	for name, m := range lublinTypes {
		jobs := synth(t, "jobs=200000&types="+name)
		var serial, power float64
		for _, j := range jobs {
			switch {
			case j.Procs == 1:
				serial++
			case bits.OnesCount32(uint32(j.Procs)) == 1:
				power++
			}
			if j.Procs < 1 || j.Procs > 128 {
				t.Fatalf("%d processors of 128", j.Procs)
			}
		}
		serial, power = serial/float64(len(jobs)), power/float64(len(jobs))
		// Sizes that are not made powers of two may be such by chance, and
		// powers of two may be 2^0: both are small.
		other := 1 - m.serial - min(m.pow2, 1-m.serial)
		if serial < m.serial-0.005 || serial+power < m.serial+min(m.pow2, 1-m.serial)-0.005 || serial+power > 1-other/2 {
			t.Errorf("%s: %.4f serial, %.4f powers of two; the model has %.4f, %.4f", name, serial, power, m.serial, m.pow2)
		}
	}
}

// TestLublinRunTimes compares mean and deviation of the logarithm of the run
// time with those of the mixture, given the sizes that came out.
func TestLublinRunTimes(t *testing.T) {
	for name, m := range lublinTypes {
		jobs := synth(t, "jobs=200000&types="+name+"&seed=5")
		s := newLublinStream(m, 128, 1)
		var logs []float64
		var mean, square float64
		for _, j := range jobs {
			logs = append(logs, math.Log(j.Run.Seconds()+0.5)) // seconds were cut off
			p := s.mixture(j.Procs)
			mean += p*m.a1*m.b1 + (1-p)*m.a2*m.b2
			square += p*m.a1*(m.a1+1)*m.b1*m.b1 + (1-p)*m.a2*(m.a2+1)*m.b2*m.b2
		}
		n := float64(len(jobs))
		mean /= n
		dev := math.Sqrt(square/n - mean*mean)
		gotMean, gotDev := stat.MeanStdDev(logs, nil)
		// The cut at ln t = 12 takes a little off the tail of gamma 1.
		if math.Abs(gotMean-mean) > 0.15 || math.Abs(gotDev-dev) > 0.15 {
			t.Errorf("%s: ln run %.3f +- %.3f, the model has %.3f +- %.3f", name, gotMean, gotDev, mean, dev)
		}
	}
}

// TestLublinDay compares the arrivals of each half hour with the weights.
func TestLublinDay(t *testing.T) {
	for name, m := range lublinTypes {
		// Arrivals are bursty: it takes this many for a half hour's share to be
		// known to a few per cent.
		const n = 2_000_000
		src, err := Open(fmt.Sprintf("lublin?jobs=%d&types=%s", n, name), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got [slots]float64
		var j traces.Job
		for src.Next(&j) == nil {
			got[j.Submit/events.Second/slotSeconds%slots]++
		}
		want := dailyWeights(m.aNum, m.bNum)
		sum := 0.0
		for i := range got {
			got[i] *= slots / float64(n)
			sum += want[i]
			if math.Abs(got[i]-want[i]) > 0.12 {
				t.Errorf("%s: half hour %d has weight %.3f, the model %.3f", name, i, got[i], want[i])
			}
		}
		if math.Abs(sum-slots) > 1e-6 {
			t.Errorf("%s: weights sum to %v", name, sum)
		}
	}
}

func TestLublinLoad(t *testing.T) {
	for _, c := range []struct {
		types string
		procs int
		load  float64
	}{{"mixed", 128, 0.7}, {"mixed", 1024, 0.9}, {"batch", 128, 0.5}, {"typeless", 64, 1.2}, {"interactive", 128, 0.3}} {
		jobs := synth(t, fmt.Sprintf("jobs=400000&types=%s&procs=%d&load=%v", c.types, c.procs, c.load))
		work := 0.0
		for _, j := range jobs {
			work += j.Run.Seconds() * float64(j.Procs)
		}
		got := work / float64(c.procs) / jobs[len(jobs)-1].Submit.Seconds()
		if math.Abs(got/c.load-1) > 0.05 {
			t.Errorf("%+v: load %.3f", c, got)
		}
	}
}

func TestLublinOrderAndEstimates(t *testing.T) {
	plain := synth(t, "jobs=5000&procs=100")
	exact := synth(t, "jobs=5000&procs=100&estimates=exact")
	loose := synth(t, "jobs=5000&procs=100&estimates=3")
	for i, j := range plain {
		if i > 0 && j.Submit < plain[i-1].Submit || j.ID != int64(i+1) {
			t.Fatalf("job %d out of order", i)
		}
		if j.Estimate != events.Unknown || exact[i].Estimate != max(j.Run, events.Second) || loose[i].Estimate < j.Run ||
			loose[i].Estimate >= 3*j.Run+2*events.Second {
			t.Fatalf("run %v: estimates %v, %v, %v", j.Run, j.Estimate, exact[i].Estimate, loose[i].Estimate)
		}
		exact[i].Estimate, loose[i].Estimate = events.Unknown, events.Unknown
	}
	if !cmp.Equal(plain, exact) || !cmp.Equal(plain, loose) {
		t.Error("estimates shift other draws")
	}
}

// TestLublinPinned: the same seed gives the same bytes, today and later.
func TestLublinPinned(t *testing.T) {
	const want = "c5074f593d17890037b59146203ffe9d2a6fd192079432cbf27e080ab7a098a8"
	src, err := Open("lublin?jobs=20000&seed=42&estimates=2", traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if n, err := swf.Write(&text, src); n != 20000 || err != nil {
		t.Fatal(n, err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text.Bytes())); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func BenchmarkLublin(b *testing.B) {
	src, err := Open("lublin?jobs=9000000000&estimates=2", traces.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var j traces.Job
	for b.Loop() {
		if err := src.Next(&j); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// TestDemo has the log in the program begin on a Monday, have quiet weekends and users of uneven weight, some of whose
// jobs follow each other.
func TestDemo(t *testing.T) {
	src, err := Open(Demo, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calendar := src.Header().Calendar()
	days, users, again := [7]int{}, map[traces.Label]int{}, 0
	last, n := traces.NoLabel, 0
	for j := (traces.Job{}); src.Next(&j) == nil; n++ {
		days[calendar.Weekday(j.Submit)-1]++
		users[j.User]++
		if j.User == last {
			again++
		}
		last = j.User
		if j.Estimate < j.Run || j.Estimate != usual(j.Estimate, j.Run) {
			t.Fatalf("job %d runs %v and asks for %v", j.ID, j.Run, j.Estimate)
		}
	}
	if work, rest := days[0]+days[1]+days[2]+days[3]+days[4], days[5]+days[6]; float64(rest)/2 > .7*float64(work)/5 || rest == 0 {
		t.Errorf("submissions by day of the week: %v", days)
	}
	if n != 2000 || len(users) < 50 || users[1] < 5*users[20] || again < n/2 {
		t.Errorf("%d jobs of %d users, %d of the first, %d of the twentieth, %d of the user of the job before", n, len(users),
			users[1], users[20], again)
	}
}
