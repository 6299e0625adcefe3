package tabular

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"bourse/events"
	"bourse/traces/input"
	"bourse/traces/suggest"
)

// mapping is what the parameters of "csv:log.csv?submit=Submit&time=ms" say.
type mapping struct {
	columns   map[Role]string
	instants  events.Time // unit of numbers that are points in time
	spans     events.Time // unit of numbers that are durations
	delimiter rune        // of CSV; 0: found out
	parts     map[Role]float64
	eachProc  bool
	preset    *Preset // whose columns they are, nil if any
	hasUnits  bool    // a unit of times is given
}

// MappingParameters lists the parameters of csv: and parquet: that name no column.
var MappingParameters = []struct{ Name, Line string }{
	{"time", "unit of numbers in submit, start and end: unix or s (the default), ms, us, ns, min, h, d"},
	{"duration", "unit of plain numbers in run, wait, estimate and think: s (the default), ms, us, ns, min, h, d"},
	{"cpu_unit", "unit of cpu: core, percent (of one) or milli; by default what the column's name says, else core"},
	{"gpu_unit", "unit of gpu, or of gpu_each if there is such a column: device, percent (of one) or milli; by default " +
		"what the column's name says, else device"},
	{"amounts", "whose cpu, gpu and disk are: the job's (the default) or each processor's: job, processor"},
	{"delimiter", "of CSV: comma, semicolon, tab, bar (default: the most frequent in the first line)"},
}

var delimiters = map[string]rune{"comma": ',', ",": ',', "semicolon": ';', ";": ';', "tab": '\t', "bar": '|', "|": '|'}

// SplitMapping parts "log.csv?submit=S" into path and parameters; a file whose
// name holds a ? is itself.
func SplitMapping(spec string) (path, query string) {
	if i := strings.LastIndexByte(spec, '?'); i > 0 && !input.Exists(spec) {
		return spec[:i], spec[i+1:]
	}
	return spec, ""
}

func parseMapping(query string) (mapping, error) {
	m := mapping{columns: map[Role]string{}, parts: map[Role]float64{}, instants: events.Second, spans: events.Second}
	values, err := url.ParseQuery(query)
	if err != nil {
		return m, fmt.Errorf("parameters %q: %w; want name=column&name=column", query, err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) { // so that of several faults always the same is reported
		if len(values[name]) > 1 {
			return m, fmt.Errorf("parameter %s is given %d times; want it once", name, len(values[name]))
		}
		if err := m.set(name, values.Get(name)); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m *mapping) set(name, value string) error {
	known := roleNames()
	var ok bool
	switch name {
	case "time":
		m.hasUnits = true
		if value == "unix" {
			value = "s"
		}
		if m.instants, ok = input.Units[value]; !ok {
			return fmt.Errorf("time=%s: want unix, s, ms, us, ns, min, h or d", value)
		}
		return nil
	case "duration":
		m.hasUnits = true
		if m.spans, ok = input.Units[value]; !ok {
			return fmt.Errorf("duration=%s: want s, ms, us, ns, min, h or d", value)
		}
		return nil
	case "cpu_unit":
		if m.parts[RoleCPU] = parts[value]; value == "device" || m.parts[RoleCPU] == 0 {
			return fmt.Errorf("cpu_unit=%s: want core, percent or milli", value)
		}
		return nil
	case "gpu_unit":
		if m.parts[RoleGPU] = parts[value]; value == "core" || m.parts[RoleGPU] == 0 {
			return fmt.Errorf("gpu_unit=%s: want device, percent or milli", value)
		}
		return nil
	case "amounts":
		if m.eachProc = value == "processor"; !m.eachProc && value != "job" {
			return fmt.Errorf("amounts=%s: want job or processor", value)
		}
		return nil
	case "delimiter":
		if m.delimiter, ok = delimiters[value]; !ok {
			return fmt.Errorf("delimiter=%s: want comma, semicolon, tab or bar", value)
		}
		return nil
	}
	r := slices.Index(known, name)
	if r < 0 {
		for _, p := range MappingParameters {
			known = append(known, p.Name)
		}
		return fmt.Errorf("unknown parameter %q%s", name, suggest.Among(name, known))
	}
	m.columns[Role(r)] = value
	return nil
}

// apply sets the units; the columns are found by FindColumns.
func (m *mapping) apply(t *Rows) {
	t.preset, t.eachProc, t.hasUnits = m.preset, m.eachProc, m.hasUnits
	for r := range t.unit {
		t.unit[r] = m.spans
	}
	for r, n := range m.parts {
		t.part[r] = n
	}
	for _, r := range [...]Role{RoleSubmit, roleStart, roleEnd} {
		t.unit[r] = m.instants
	}
}
