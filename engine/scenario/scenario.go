// Package scenario says what a replay is. A Scenario is a plain value that holds
// everything that decides an outcome; this package alone turns one into a running
// replay. Command lines, files of flags, manifests, cells of sweeps and studies all
// fill in, print or vary the same struct.
//
// It does not say where records are stored: the caller supplies the sinks.
package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Scenario is everything that decides the outcome of a replay. The zero value is not
// valid; Default is where to begin.
type Scenario struct {
	// Trace is a path, "format:path", "-" for standard input or "synth:model?...".
	Trace string `json:"trace"`
	Market
	Machine
	Preemption
	Site
	// Feedback submits jobs that follow others when those have ended in the replay.
	Feedback bool `json:"feedback"`
	// ResubmitKilled submits jobs that KillAtEstimate ends again at once, with twice
	// the estimate, until they complete.
	ResubmitKilled bool `json:"resubmit_killed"`
	Jobs
	Reading
	// Jobs submitted in the first WarmUp or the last CoolDown are replayed and not
	// counted.
	WarmUp   Duration `json:"warm_up"`
	CoolDown Duration `json:"cool_down"`
	// Bound is the least run time by which bounded slowdown divides. It changes what is
	// reported, and no schedule.
	Bound Duration `json:"bound"`
	// Check recomputes every conservation law on the way. It changes no outcome.
	Check bool `json:"-"`
}

// Reading says how a trace is read.
type Reading struct {
	OnError    string `json:"on_error"` // stop or skip
	Attempts   string `json:"attempts"` // of a Google trace's tasks: last, all or merge
	Censored   string `json:"censored"` // tasks running at a Google trace's end: drop or keep
	SortWindow int    `json:"sort_window"`
	TimeZone   string `json:"time_zone"` // empty: the log's
}

// Jobs says which jobs of the trace are replayed, and what is changed about them.
type Jobs struct {
	Where      string         `json:"where"`
	From       events.Instant `json:"from"`
	Until      events.Instant `json:"until"` // 0: all
	Serial     bool           `json:"serial"`
	LoadFactor float64        `json:"load_factor"`
	// Resample and Shake make replicas of the log, drawn under the market's seed. Resample leaves the
	// log as it is under the seed LogItself.
	Resample       string   `json:"resample"`
	Shake          Duration `json:"shake"`
	Estimates      string   `json:"estimates"` // empty: the log's, if the policy needs any
	KillAtEstimate bool     `json:"kill_at_estimate"`
	// Elastic is the law by which jobs run on more or fewer processors than they ask for, empty if they do not.
	Elastic     string `json:"elastic"`
	Limit       string `json:"limit"` // of requested times: TIME or TIME:refuse
	QueueLimits string `json:"queue_limits"`
}

// Machine is the machine; both empty means the trace's own.
type Machine struct {
	Nodes    int    `json:"nodes"`
	Machines string `json:"machines"`
}

// Preemption is the rule by which preempted jobs resume, and its cost.
type Preemption struct {
	MigrationCost Duration `json:"migration_cost"`
	StartCost     Duration `json:"start_cost"`
	Preempted     string   `json:"preemption"` // resume, restart or checkpoint:TIME
}

// Default is the scenario of a trace without further settings, its market not
// yet settled.
func Default() Scenario {
	return Scenario{
		Reading:    Reading{OnError: "stop", Attempts: string(traces.LastAttempt), Censored: "drop"},
		Jobs:       Jobs{LoadFactor: 1},
		Market:     Market{Seed: catalog.Defaults.Seed},
		Preemption: Preemption{Preempted: "resume"},
		Site:       Site{Evict: evictions[0]},
		Bound:      Duration(engine.DefaultBound),
	}
}

// KeepsTimes reports whether jobs are submitted as the log says, so that its own waits
// are of the same jobs under the same load: also where they are cut into pieces or run
// on another machine.
func (s *Scenario) KeepsTimes() bool {
	return !s.Resampled() && s.Shake == 0 && s.LoadFactor == 1 && !s.Feedback
}

// LogItself is the seed under which a log that is resampled is the log itself.
const LogItself = 0

// CanResample says why the jobs of a log are too few weeks for the scenario, nil if they are not.
func (s *Scenario) CanResample(log *traces.Memory) error {
	how, err := resample(s.Resample)
	if err != nil || how == nil || log.Len() == 0 {
		return err
	}
	return how.Fits(log.Job(0).Submit, log.Job(log.Len()-1).Submit)
}

// Resampled reports whether the jobs are those of another log.
func (s *Scenario) Resampled() bool { return s.Resample != "" && s.Seed != LogItself }

// Draws reports whether anything is drawn under the seed that matters: a replica of the log,
// estimates, or in a market values and bids.
func (s *Scenario) Draws() bool {
	return s.Resample != "" || s.Shake > 0 || strings.HasPrefix(s.Estimates, "tsafrir") || s.Bids == "" && s.Asked()
}

// Edges are the parts of the trace that are not counted.
func (s *Scenario) Edges() traces.Edges {
	return traces.Edges{WarmUp: events.Time(s.WarmUp), CoolDown: events.Time(s.CoolDown)}
}

// Parse reads a scenario from JSON; a field it does not know is an error.
func Parse(text []byte) (Scenario, error) {
	s := Default()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	if err == nil {
		return s, s.Validate()
	}
	if _, quoted, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return s, fmt.Errorf("the scenario has an unknown field %s%s", quoted,
			suggest.Then(suggest.DidYouMean(strings.Trim(quoted, `"`), fieldNames()), "correct or remove it"))
	}
	return s, fmt.Errorf("not a scenario of this version: %w", err)
}

// fields lists the names of the scenario's fields in JSON.
func fieldNames() []string {
	names := []string{"trace"}
	for _, o := range Options {
		names = append(names, strings.ReplaceAll(o.Name, "-", "_"))
	}
	return names
}

// Duration is a time span of 0 or more, written as events.ParseDuration reads it.
type Duration events.Time

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) {
	return []byte(events.FormatDuration(events.Time(d))), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := events.ParseDuration(string(text))
	*d = Duration(t)
	return err
}
