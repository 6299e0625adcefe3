package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"bourse/traces/formats"
)

// Label is a trace's value on its axis: the file's name without endings, or
// the specification.
func Label(spec string) string {
	if strings.HasPrefix(spec, "synth:") {
		return spec
	}
	label, _, _ := strings.Cut(spec, "?")
	label = strings.TrimRight(label, `/\`)
	label = label[strings.LastIndexAny(label, `/\`)+1:]
	if name, rest, forced := strings.Cut(label, ":"); forced && name != "" {
		label = rest
	}
	for _, ending := range traceEndings() {
		label = strings.TrimSuffix(label, ending)
	}
	return label
}

// traceEndings lists what a trace's name may end in, compression first.
func traceEndings() []string {
	endings := []string{".gz", ".zst", ".bz2"}
	for _, f := range formats.All {
		endings = append(endings, f.Extensions...)
	}
	return endings
}

// Seeds reads the values of the axis of seeds: a number of them, 1 to N, or a list.
func Seeds(text string) ([]string, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 {
			return nil, fmt.Errorf("%q: want 1 seed or more", text)
		}
		if n > MostCells {
			return nil, fmt.Errorf("%q: want %d seeds at most", text, MostCells)
		}
		values := make([]string, n)
		for i := range values {
			values[i] = strconv.Itoa(i + 1)
		}
		return values, nil
	}
	values, err := Expand(text)
	for _, v := range values {
		if _, bad := strconv.ParseUint(v, 10, 63); bad != nil && err == nil {
			err = fmt.Errorf("%q is not a seed; want whole numbers from 0 to 2^63 - 1", v)
		}
	}
	return values, err
}
