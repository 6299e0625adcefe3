package scenario

import (
	"errors"
	"fmt"
	"strings"

	"bourse/events"
	"bourse/traces/suggest"
)

// Validate refuses values that make no sense, by themselves or together. What depends
// on the trace shows in Prepare.
func (s *Scenario) Validate() error {
	for i := range Options {
		again := *s
		if err := Options[i].Set(&again, Options[i].Text(s)); err != nil {
			return err
		}
	}
	fault := func(option, format string, args ...any) error {
		return &OptionError{Option: option, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case s.Machines != "" && s.Nodes > 0:
		return &ConflictError{"nodes", "machines", "both say what jobs run on; give one of them"}
	case s.From.Date == "" && s.Until.Since > 0 && s.Until.Since <= s.From.Since:
		return fault("until", "%s is not after the window's begin, %s: the window is empty", s.Get("until"), s.Get("from"))
	case s.ResubmitKilled && s.Limit != "":
		return &ConflictError{"limit", "resubmit-killed", "a job that is longer than the limit could never complete"}
	case s.ResubmitKilled && !s.KillAtEstimate:
		return &ConflictError{"resubmit-killed", "kill-at-estimate",
			"the first says what becomes of jobs that the second ends; add that"}
	case s.Bids != "" && s.Resample != "":
		return &ConflictError{"bids", "resample",
			"bids name jobs by the log's numbers, and resampling gives them new ones; leave one of them out"}
	case BudgetTable(s.Budget) != "" && s.Resample != "":
		return &ConflictError{"budget", "resample",
			"the table names the log's users, and resampling leaves some out; give one budget for all users"}
	}
	return nil
}

func checkPreemption(text string) error {
	_, _, err := preemption(text)
	return err
}

// preemption reads what becomes of a preempted job's work.
func preemption(text string) (restart bool, checkpoint events.Time, err error) {
	every, checkpoints := strings.CutPrefix(text, "checkpoint:")
	if checkpoints {
		if checkpoint, err = events.ParseDuration(every); err == nil && checkpoint > 0 {
			return false, checkpoint, nil
		}
	}
	if text != "resume" && text != "restart" {
		return false, 0, fmt.Errorf("%q: want resume, restart or checkpoint:TIME, as in checkpoint:1h%s", text,
			suggest.DidYouMean(text, []string{"resume", "restart"}))
	}
	return text == "restart", 0, nil
}

// ParseLimit reads --limit: how long jobs may be, 0 if there is no limit, and whether longer ones are refused.
func ParseLimit(text string) (most events.Time, refuse bool, err error) {
	if text == "" {
		return 0, false, nil
	}
	length, how, given := strings.Cut(text, ":")
	if most, err = events.ParseDuration(length); err != nil || most == 0 || given && how != "refuse" {
		return 0, false, fmt.Errorf("%q: want a time above 0, as in 12h, or 12h:refuse", text)
	}
	return most, given, nil
}

// ConflictError says that two options exclude each other.
type ConflictError struct{ One, Other, Why string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s and %s: %s", e.One, e.Other, e.Why)
}

// IsFault reports whether an error is in what a scenario says, not in what it met.
func IsFault(err error) bool {
	var option *OptionError
	var conflict *ConflictError
	return errors.As(err, &option) || errors.As(err, &conflict)
}
