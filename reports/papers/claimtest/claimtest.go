// Package claimtest is a kit for tests of studies: every claim must be able to fail.
package claimtest

import (
	"errors"
	"io"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/table"
)

// Make makes a study and publishes its files in dir, if that is not empty.
func Make(out io.Writer, dir string, run func(*papers.Study) error) error {
	s, err := papers.NewStudy(table.Output{W: out}, dir)
	if err != nil {
		return err
	}
	if err := run(s); err != nil {
		return errors.Join(err, s.Abort())
	}
	return s.Publish(papers.Page{}, nil)
}

// Claim names a claim by where it stands and what the paper says.
type Claim struct{ Where, Says string }

// Mutation breaks a mechanism, or the results that are judged, as a mistake would.
type Mutation struct {
	What string
	// Sound, if not nil, is where the claims stand before; nil: in the whole study.
	Sound, Broken func() *papers.Study
	Notice        []Claim
}

// Run wants the claims of each mutation to fare worse after it than before, and every claim
// of the whole study, our own findings apart, to notice one or to be in fixed, the claims
// that cannot fail, with the reason.
func Run(t *testing.T, whole *papers.Study, fixed map[Claim]string, mutations []Mutation) {
	t.Helper()
	noticed := map[Claim]bool{}
	for _, m := range mutations {
		sound := whole
		if m.Sound != nil {
			sound = m.Sound()
		}
		broken := m.Broken()
		for _, c := range m.Notice {
			noticed[c] = true
			before, after := sound.VerdictOf(c.Where, c.Says), broken.VerdictOf(c.Where, c.Says)
			if worth(after) >= worth(before) || after == "" {
				t.Errorf("%s: %s, %q: %q before and %q after", m.What, c.Where, c.Says, before, after)
			}
		}
	}
	claims := map[Claim]bool{}
	whole.Each(func(where, says string, verdict papers.Verdict) {
		c := Claim{where, says}
		if verdict == papers.Finding {
			return
		}
		claims[c] = true
		if !noticed[c] && fixed[c] == "" {
			t.Errorf("no mutation is noticed by %s, %q (%s)", where, says, verdict)
		}
	})
	for c := range fixed {
		if !claims[c] || noticed[c] {
			t.Errorf("%s, %q is no claim of the study, or notices a mutation", c.Where, c.Says)
		}
	}
	t.Logf("%d claims, %d of which cannot fail; %d mutations", len(claims), len(fixed), len(mutations))
}

// worth orders verdicts by what is found against a claim.
func worth(v papers.Verdict) int {
	switch v {
	case papers.Holds, papers.OfTheCode, papers.Unpublished:
		return 2
	case papers.Unclear:
		return 1
	}
	return 0
}
