package suggest

import "strings"

// DidYouMean returns a half-sentence that suggests the nearest known name,
// `; did you mean "easy"?`, or nothing if none is near. It ends error messages.
func DidYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}

// Among is DidYouMean with all the names after it: `; there are fcfs, easy`, or
// `; did you mean "easy"? There are fcfs, easy`.
func Among(name string, known []string) string {
	return Then(DidYouMean(name, known), "there are "+strings.Join(known, ", "))
}

// Then puts a further clause after what DidYouMean returned.
func Then(hint, clause string) string {
	if hint == "" {
		return "; " + clause
	}
	return hint + " " + strings.ToUpper(clause[:1]) + clause[1:]
}
