package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/files"
)

// keysShown is how many keys that differ are printed.
const keysShown = 20

// printKeys says under which keys two JSON files differ.
func printKeys(out io.Writer, was, is string, tolerance float64) error {
	a, err := readJSON(was)
	if err == nil {
		var b any
		if b, err = readJSON(is); err == nil {
			return printValues(out, differingKeys("", a, b, tolerance))
		}
	}
	_, err = fmt.Fprintf(out, "  it cannot be read: %v\n", err)
	return err
}

func readJSON(path string) (v any, err error) {
	text, err := files.ReadSmall(path, run.MostManifest)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // digits as they are written
	return v, d.Decode(&v)
}

// differingKeys lists the keys under which two values differ, as in jobs.total.jobs.
func differingKeys(key string, was, is any, tolerance float64) (list []difference) {
	a, b := members(was), members(is)
	if a == nil || b == nil {
		if x, y := valueText(was), valueText(is); x != y && !near(x, y, tolerance) {
			list = append(list, difference{Column: key, Was: x, Is: y})
		}
		return list
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, differingKeys(strings.TrimPrefix(key+"."+name, "."), a[name], b[name], tolerance)...)
	}
	return list
}

// members are those of an object or a list; nil of any other value.
func members(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case []any:
		all := map[string]any{}
		for i, x := range v {
			all[fmt.Sprintf("%d", i+1)] = x
		}
		return all
	}
	return nil
}

func valueText(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func printValues(out io.Writer, list []difference) error {
	if len(list) == 0 {
		_, err := io.WriteString(out, allSame)
		return err
	}
	t := table.New(table.Headed(terminal.Number, "  key", "was", "is")...)
	for _, d := range list[:min(len(list), keysShown)] {
		t.Add("  "+d.Column, d.Was, d.Is)
	}
	if err := table.Print(out, &table.Report{Tables: []*table.Table{t}}); err != nil || len(list) <= keysShown {
		return err
	}
	_, err := fmt.Fprintf(out, "  and %s more\n", terminal.Count(len(list)-keysShown, "key", "keys"))
	return err
}
