package artifact

import (
	"encoding/json"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/ask/sweep"
	"bourse/reports/run"
)

// namedAt are the inputs as a command line names them: at those paths, or where they were.
func namedAt(inputs []Input, at []string) []string {
	if at != nil {
		return at
	}
	for _, in := range inputs {
		at = append(at, in.Spec)
	}
	return at
}

// settingsOf lists the options of a scenario as manifests have them.
func settingsOf(s *scenario.Scenario) []run.Setting {
	text, _ := json.Marshal(s) // as manifests have been
	return run.Settings(text)
}

// given are the flags for settings that are not the defaults.
func given(list []run.Setting) (words []string) {
	usual := scenario.Default()
	usual.Market = usual.Settled()
	usual.Policy, usual.Payment = "", "" // always given: each depends on the other
	already := settingsOf(&usual)
	for _, x := range list {
		if x.Key != sweep.Trace && x.Value != "" && x.Value != "false" && !slices.Contains(already, x) {
			words = append(words, "--"+x.Key+"="+x.Value)
		}
	}
	return words
}

// commandLine is one as a shell reads it.
func commandLine(words []string) string {
	text := "bourse"
	for _, w := range words {
		text += " " + Quote(w)
	}
	return text
}

// Quote is a word as a shell reads it.
func Quote(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`&|;<>()[]{}*?!#~") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
