package terminal

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Table lays text out in columns for a terminal: cells right-aligned, except
// in the first column and those named by Left.
type Table struct {
	head []string
	rows [][]string
	left map[int]bool
}

// NewTable begins a table with these headings.
func NewTable(head ...string) *Table {
	return &Table{head: head, left: map[int]bool{0: true}}
}

// Left aligns columns to the left.
func (t *Table) Left(columns ...int) {
	for _, c := range columns {
		t.left[c] = true
	}
}

// Row adds a row. Missing cells are blank; a row has no more cells than there
// are headings.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(t.head))
	copy(row, cells)
	t.rows = append(t.rows, row)
}

// Write prints the table. Lines carry no trailing blanks.
func (t *Table) Write(w io.Writer) error {
	width := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range append([][]string{t.head}, t.rows...) {
		text.WriteString(t.line(row, width))
		text.WriteByte('\n')
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (t *Table) line(row []string, width []int) string {
	var s strings.Builder
	for i, cell := range row {
		if i > 0 {
			s.WriteString("  ")
		}
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		if t.left[i] {
			s.WriteString(cell + pad)
		} else {
			s.WriteString(pad + cell)
		}
	}
	return strings.TrimRight(s.String(), " ")
}
