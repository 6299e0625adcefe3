package apportion

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bourse/events"
	"bourse/policies/payment"
	"bourse/traces/tracetest"
)

// fairCO2 is the published demand, five minutes a row, and the prices of its hours.
func fairCO2(t *testing.T) (demand *events.Steps, prices []float64) {
	t.Helper()
	xz, err := exec.LookPath("xz")
	if err != nil {
		t.Skip("xz is not installed")
	}
	text, err := exec.Command(xz, "-dc", tracetest.Shared(t, "data/world/fair-co2/azure_time_series.csv.xz")).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := bytes.Cut(text, []byte("\n"))
	demand, err = Read("-", strings.NewReader("time,demand,memory,used\n"+string(rows)))
	if err != nil {
		t.Fatal(err)
	}
	published, err := os.ReadFile(tracetest.Shared(t, "data/world/fair-co2/azure_cpu_ci_hourly.csv"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(published)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		x, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		prices = append(prices, x)
	}
	return demand, prices
}

// TestPublishedPrices wants all 720 hourly prices of the cores that Fair-CO2 (ISCA 2025) published.
func TestPublishedPrices(t *testing.T) {
	demand, want := fairCO2(t)
	peak := 0.0
	for i := range demand.Len() {
		_, _, d := demand.Step(i)
		peak = max(peak, d)
	}
	// Embodied carbon of a server by core, for a month of four years, times the peak.
	cost := ((20540*2 + 24210) + .5*(109670+34300+59170+30016+160*480)) / 96 / (4 * 365 / 30.) * peak
	prices, err := payment.Apportion(demand, []events.Time{72 * 3600 * events.Second, 8 * 3600 * events.Second,
		3600 * events.Second}, cost)
	if err != nil {
		t.Fatal(err)
	}
	if len(prices) != 720 || len(want) != 720 {
		t.Fatalf("%d prices, %d published", len(prices), len(want))
	}
	for i, p := range prices {
		if math.Abs(p.PerUnit/want[i]-1) > 1e-13 {
			t.Errorf("hour %d costs %g, published %g", i, p.PerUnit, want[i])
		}
	}
	fine, err := payment.Apportion(demand, []events.Time{72 * 3600 * events.Second, 8 * 3600 * events.Second,
		3600 * events.Second,
		300 * events.Second}, cost)
	if err != nil {
		t.Fatal(err)
	}
	amount := 0.0
	for _, p := range fine[:12] { // the first hour once more
		amount += p.Amount
	}
	if math.Abs(amount/prices[0].Amount-1) > 1e-12 {
		t.Errorf("five-minute prices of an hour add up to %g, the hour pays %g", amount, prices[0].Amount)
	}
}

// TestYear wants the prices of a year of five minutes within a second, on a machine that may be busy.
func TestYear(t *testing.T) {
	var at []events.Time
	var demand []float64
	for i := range 105_120 {
		at, demand = append(at, events.Time(i)*300*events.Second), append(demand,
			1000+500*math.Sin(float64(i)/288)+float64(i*7919%997))
	}
	began := time.Now()
	report, err := Run(events.NewSteps(at, demand, events.Nowhere), []events.Time{72 * 3600 * events.Second,
		8 * 3600 * events.Second,
		3600 * events.Second, 300 * events.Second}, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(report.Data.Rows); n != 105_120 {
		t.Errorf("%d prices", n)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestBadDemand wants what is wrong with a demand to be said in a sentence.
func TestBadDemand(t *testing.T) {
	for text, want := range map[string]string{
		"time,demand\n0,1\n0,2\n":          "is not after the one before it",
		"time,demand\n300,1\n0,2\n":        "want rows in order of time",
		"time,demand\n0,1\n":               "fewer than two rows",
		"time,demand\n0,-1\n1,1\n":         "demand is -1",
		"time,demand\n0,1\n1,\n":           "demand is empty",
		"time,cores\n0,1\n1,1\n":           "demand",
		"time,demand\n1997-01-01,1\n1,1\n": `time is "1997-01-01"`,
	} {
		path := filepath.Join(t.TempDir(), "demand.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
	zero := events.NewSteps([]events.Time{0, events.Second}, []float64{0, 0}, events.Nowhere)
	if _, err := Run(zero, []events.Time{events.Second}, 1); err == nil || !strings.Contains(err.Error(),
		"no demand at any time") {
		t.Error(err)
	}
}
