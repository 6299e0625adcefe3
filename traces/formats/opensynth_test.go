package formats

import (
	"strings"
	"testing"

	"bourse/traces"
)

func TestSynthErrors(t *testing.T) {
	for spec, says := range map[string]string{
		"synth:lubin":                  `unknown model "lubin"; did you mean "lublin"?`,
		"synth:lublin?job=3":           `unknown parameter "job"; did you mean "jobs"?`,
		"synth:lublin?jobs=0":          "jobs=0; want a whole number from 1",
		"synth:lublin?jobs=x":          "jobs=x; want a whole number",
		"synth:lublin?seed=1&seed=2":   "parameter seed is given 2 times",
		"synth:lublin?types=bach":      `types=bach; did you mean "batch"?`,
		"synth:lublin?load=900":        "out of the model's range",
		"synth:lublin?serial=1.5":      "serial=1.5; want a number from 0 to 1",
		"synth:lublin?estimates=0.5":   "estimates=0.5; want a number from 1",
		"synth:lublin?estimates=exakt": "estimates=exakt",
		"swg:x":                        `unknown format "swg"; did you mean "swf"?`,
	} {
		if _, err := Open(spec, traces.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %q", spec, err, says)
		}
	}
}
