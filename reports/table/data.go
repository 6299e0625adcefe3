package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"bourse/reports/record"
	"bourse/reports/terminal"
)

// Halved is the ending of the name of the column that holds half of an interval.
const Halved = "_half"

// Values returns the columns for programs: of an estimate the mean and, as NAME_half, half
// of its interval; lists are left out.
func (t *Table) Values() (out []record.Values) {
	for i, c := range t.Columns {
		k := t.kind(i)
		if c.Name == "" || k == list {
			continue
		}
		v := record.Values{Name: t.flat(c.Name)}
		half := record.Values{Name: v.Name + Halved}
		for r := range t.Rows {
			switch cell := t.Rows[r].Cells[i]; k {
			case word:
				v.Words = append(v.Words, cell.text)
			case count:
				v.Ints = append(v.Ints, cell.n)
			default:
				x := cell.Value()
				v.Floats, half.Floats = append(v.Floats, x.Mean), append(half.Floats, x.Half)
			}
		}
		if out = append(out, v); k == estimate {
			out = append(out, half)
		}
	}
	return out
}

// kind is that of a column: of its cells that are not missing, unless whole numbers are
// among others.
func (t *Table) kind(column int) (k kind) {
	holes := false
	for _, r := range t.Rows {
		switch c := r.Cells[column]; {
		case c.kind == missing:
			holes = true
		case k == missing || c.kind > k && k != word:
			k = c.kind
		}
	}
	if k == count && holes {
		return number
	}
	return k
}

// flat is the name of a column where there are no objects within objects.
func (t *Table) flat(name string) string {
	if t.nested {
		return strings.ReplaceAll(name, ".", "_")
	}
	return name
}

// Write writes the table as CSV, or as Parquet; at stands for the destination in messages,
// version is the program's.
func (t *Table) Write(w io.Writer, at, format, version string) error {
	if format == "parquet" || t.Plain {
		return record.WriteValues(w, at, format, version, t.Values())
	}
	return t.WriteCSV(w)
}

// WriteCSV writes the columns for programs; numbers take the fewest digits that read back as
// the same, with exponents.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var head []string
	for i, c := range t.Columns {
		if k := t.kind(i); c.Name != "" && k != list {
			if head = append(head, c.Name); k == estimate {
				head = append(head, c.Name+Halved)
			}
		}
	}
	lines := [][]string{head}
	for r := range t.Rows {
		var line []string
		for i, cell := range t.Rows[r].Cells {
			if k := t.kind(i); t.Columns[i].Name != "" && k != list {
				if line = append(line, cell.csv()); k == estimate {
					line = append(line, shortest(cell.Value().Half))
				}
			}
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

// csv is the cell as text from which it can be read back.
func (c Cell) csv() string {
	switch c.kind {
	case word:
		return c.text
	case count:
		return strconv.FormatInt(c.n, 10)
	}
	return shortest(c.Value().Mean)
}

func shortest(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return terminal.General.Text(x)
}

// writeJSON writes the report's document, or the rows of each table as objects and the
// answers.
func (r *Report) writeJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	if r.Document != nil {
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(r.Document)
	}
	doc := object{}
	for _, t := range r.Tables {
		if !t.forPrograms() {
			continue
		}
		rows := make([]*object, len(t.Rows))
		for i := range t.Rows {
			rows[i] = t.object(&t.Rows[i])
		}
		doc.set(cmp.Or(t.Name, "rows"), rows)
	}
	doc.set("answers", append([]string{}, r.Answers...))
	out.SetIndent("", "\t")
	return out.Encode(&doc)
}

func (t *Table) object(r *Row) *object {
	o := &object{}
	for i, c := range t.Columns {
		if c.Name == "" || c.Optional && r.Cells[i].kind == missing {
			continue
		}
		at := o
		names := []string{c.Name}
		if t.nested {
			names = strings.Split(c.Name, ".")
		}
		for _, name := range names[:len(names)-1] {
			at = at.child(name)
		}
		at.set(names[len(names)-1], r.Cells[i].json())
	}
	return o
}

// json is the cell as a value that encoding/json writes.
func (c Cell) json() any {
	switch c.kind {
	case missing:
		return nil
	case word:
		return c.text
	case count:
		return c.n
	case list:
		return c.list
	case number:
		if c.list != nil { // a truth
			return c.list
		}
		return c.x.Mean
	}
	return c.x
}

// object is a JSON object that keeps its names in order.
type object struct {
	names  []string
	values []any
}

func (o *object) set(name string, value any) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

// child returns the object in the last place if that is its name, and otherwise adds it.
func (o *object) child(name string) *object {
	if n := len(o.names); n > 0 && o.names[n-1] == name {
		if c, ok := o.values[n-1].(*object); ok {
			return c
		}
	}
	c := &object{}
	o.set(name, c)
	return c
}

// MarshalJSON implements json.Marshaler.
func (o *object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false) // the encoder of the whole does where it is asked to
	text.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			text.WriteByte(',')
		}
		for k, part := range []any{name, o.values[i]} {
			if k > 0 {
				text.WriteByte(':')
			}
			if err := out.Encode(part); err != nil {
				return nil, err
			}
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}
