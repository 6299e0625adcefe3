// Package suggest finds the known name that an unknown one was probably meant to be.
package suggest

import "strings"

// Nearest returns the name of known that name was most likely meant to be, or
// "" if none is near. Distance counts insertions, deletions, replacements and
// swaps of neighbours; up to a third of the name's length (at least one, so
// "fcsf" finds "fcfs") may differ, and what goes on after a hyphen may be left out. Of names
// equally near the first listed wins.
func Nearest(name string, known []string) string {
	best, at := "", max(1, (len(name)+1)/3)+1
	for _, k := range known {
		if at > 1 && len(name) > 2 && strings.HasPrefix(string(fold(k)), string(fold(name))+"-") { // as kth is of kth-sp2
			best, at = k, 1
		}
		if d := distance(fold(name), fold(k)); d < at {
			best, at = k, d
		}
	}
	return best
}

// fold maps ASCII capitals to small letters and '_' to '-': slips of those
// kinds are no distance at all.
func fold(s string) []byte {
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '_':
			b[i] = '-'
		}
	}
	return b
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []byte) int {
	before := make([]int, len(b)+1) // row i-2
	last := make([]int, len(b)+1)   // row i-1
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

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
	if strings.HasPrefix(clause, "bourse ") { // a command
		return hint + " " + clause
	}
	return hint + " " + strings.ToUpper(clause[:1]) + clause[1:]
}

// And lists words: "a, b and c".
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
