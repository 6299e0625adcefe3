package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// Column says what the cells below it are.
type Column struct {
	// Name is the column's for programs, in CSV, Parquet and JSON. Without one the column is
	// for readers only.
	Name string
	// Heading is the column's for readers; without one it is for programs only.
	Heading string
	Unit    terminal.Unit
	// Doc defines the figure, with its formula and source where it has one.
	Doc string
	// Key means that the column says what was varied: together the keys tell rows apart.
	Key bool
	// Sentence means that the heading stays on one line, as the cells do.
	Sentence bool
	// Optional means that JSON leaves a missing cell out instead of writing null.
	Optional bool
	// Part numbers the table for readers in which the column is, if its rows are shown as
	// several tables, one below the other; keys are in all of them.
	Part int
}

// isLeft reports whether the column, which is the i-th, is aligned to the left.
func (c *Column) isLeft(i int) bool { return i == 0 || c.Unit == terminal.Words }

// Mark is the sign before a row that says how it compares with the others.
type Mark string

// Marks of rows. A terminal shows the best row bold and those that are worse dim.
const (
	Best  Mark = "*"
	Equal Mark = "="
	Tied  Mark = "~"
	Worse Mark = " "
	Open  Mark = "?" // nothing is known of how it compares
)

// Row is the cells of a table's row, one for each column.
type Row struct {
	Cells []Cell
	Mark  Mark
}

// Table is columns, rows and notes. Without columns it begins a section of a longer report: its
// title is a heading, its notes are paragraphs.
type Table struct {
	// Title is a line above the table, and Name what JSON calls its rows: "rows" if empty.
	Title, Name string
	Columns     []Column
	Rows        []Row
	// Plain means that CSV has numbers as records do, without exponents.
	Plain bool
	// nested means that dots in names make objects within objects in JSON.
	nested bool
	// Notes define columns and say what the figures rest on; Method, the last of them, says
	// in a line how the intervals and verdicts are made.
	Notes  []string
	Method string
}

// Field is a column of a table whose rows are of type R, and what a row has in it, as Add
// takes it.
type Field[R any] struct {
	Column
	Cell func(*R) any
}

// NewField makes a Field.
func NewField[R any](c Column, cell func(*R) any) Field[R] { return Field[R]{c, cell} }

// Of makes a table with a row for each value.
func Of[R any](rows []R, fields ...Field[R]) *Table {
	t := &Table{}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for i := range rows {
		cells := make([]Cell, len(fields))
		for k, f := range fields {
			cells[k] = cellOf(f.Cell(&rows[i]))
		}
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	return t
}

// Add adds a row. Cells may be Cells, strings, whole numbers, floats and estimates; those
// that are not given are missing.
func (t *Table) Add(cells ...any) {
	row := make([]Cell, len(t.Columns))
	for i, c := range cells {
		row[i] = cellOf(c)
	}
	t.Rows = append(t.Rows, Row{Cells: row})
}

// New makes a table of columns without rows.
func New(columns ...Column) *Table { return &Table{Columns: columns} }

// Col is a column by its name for programs and its heading, of which either may be empty.
func Col(name, heading string, unit terminal.Unit) Column {
	return Column{Name: name, Heading: heading, Unit: unit}
}

// KeyCol is a column of words that tell rows apart, by its name for programs and its heading.
func KeyCol(name, heading string) Column {
	return Column{Name: name, Heading: heading, Unit: terminal.Words, Key: true}
}

// Named returns columns for programs only, of these names.
func Named(names ...string) (columns []Column) {
	for _, name := range names {
		columns = append(columns, Col(name, "", terminal.Number))
	}
	return columns
}

// Data makes a table for programs only, of columns of these names.
func Data(names ...string) *Table { return &Table{Plain: true, Columns: Named(names...)} }

// Headed returns columns for readers only, all of one unit.
func Headed(unit terminal.Unit, headings ...string) (columns []Column) {
	for _, heading := range headings {
		columns = append(columns, Col("", heading, unit))
	}
	return columns
}

// Key is an immutable tuple of the words in a row's key columns, comparable, so that it can
// be a map's key.
type Key struct{ words string }

// KeyOf returns the key of these words.
func KeyOf(words ...string) Key { return Key{strings.Join(words, "\x00")} }

// Key returns the key of a row.
func (t *Table) Key(r *Row) Key {
	var words []string
	for i, c := range t.Columns {
		if c.Key {
			words = append(words, r.Cells[i].Text(c.Unit))
		}
	}
	return KeyOf(words...)
}

// At returns the cell in the named column of the row with this key. It panics where there
// is none: what refers to a cell is code, not input.
func (t *Table) At(key Key, column string) Cell {
	at := t.column(column)
	for i := range t.Rows {
		if at >= 0 && t.Key(&t.Rows[i]) == key {
			return t.Rows[i].Cells[at]
		}
	}
	panic(fmt.Sprintf("table: no cell %q of row %q", column, strings.Split(key.words, "\x00")))
}

// Numbers returns the means in the named column, of the cells that are known. It panics where
// there is no such column.
func (t *Table) Numbers(column string) (x []float64) {
	at := t.column(column)
	for i := range t.Rows {
		if v := t.Rows[i].Cells[at].Value().Mean; !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	return x
}

// column is where the column of this name or heading is; negative if there is none.
func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name || c.Heading == name })
}

// shown returns the parts of the table that readers see.
func (t *Table) shown() (parts []*Table) {
	last := 0
	for _, c := range t.Columns {
		last = max(last, c.Part)
	}
	for part := range last + 1 {
		parts = append(parts, t.pick(func(c Column) bool { return c.Heading != "" && (c.Key || c.Part == part) }))
	}
	for i := range parts {
		parts[i] = parts[i].marked()
	}
	parts[0].Title, parts[last].Notes, parts[last].Method = t.Title, t.Notes, t.Method
	return parts
}

// Readers returns the table with all columns for readers only.
func (t *Table) Readers() *Table {
	for i := range t.Columns {
		t.Columns[i].Name = ""
	}
	return t
}

// forPrograms reports whether programs receive any column.
func (t *Table) forPrograms() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name != "" })
}

// pick returns the table of the columns for which keep holds.
func (t *Table) pick(keep func(Column) bool) *Table {
	out := &Table{Rows: make([]Row, len(t.Rows))}
	for r := range t.Rows {
		out.Rows[r].Mark = t.Rows[r].Mark
	}
	for i, c := range t.Columns {
		if keep(c) {
			out.add(c, func(r *Row) Cell { return r.Cells[i] }, t.Rows)
		}
	}
	return out
}

// marked returns the table with the marks of its rows as the first column, if it has any.
func (t *Table) marked() *Table {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Mark != "" }) {
		return t
	}
	out := &Table{Rows: make([]Row, len(t.Rows))}
	out.add(Column{Key: true, Unit: terminal.Words}, func(r *Row) Cell { return Word(strings.TrimSpace(string(r.Mark))) },
		t.Rows)
	for r := range t.Rows {
		out.Rows[r].Mark, out.Rows[r].Cells = t.Rows[r].Mark, append(out.Rows[r].Cells, t.Rows[r].Cells...)
	}
	out.Columns = append(out.Columns, t.Columns...)
	return out
}

// add adds a column, with a cell for each of rows.
func (t *Table) add(c Column, cell func(*Row) Cell, rows []Row) {
	t.Columns = append(t.Columns, c)
	for r := range rows {
		t.Rows[r].Cells = append(t.Rows[r].Cells, cell(&rows[r]))
	}
}
