package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bourse/reports/terminal"
)

const gap = "  "

// grid is the words of a table's cells, the headings first.
type grid struct {
	columns []Column
	lines   [][]string
	widths  []int
}

func gridOf(t *Table) *grid {
	g := &grid{columns: slices.Clone(t.Columns), lines: make([][]string, 1+len(t.Rows)),
		widths: make([]int, len(t.Columns))}
	for i, c := range t.Columns {
		g.lines[0] = append(g.lines[0], c.Heading)
		for r := range t.Rows {
			g.lines[r+1] = append(g.lines[r+1], t.Rows[r].Cells[i].Text(c.Unit))
		}
	}
	for i := range g.columns {
		g.measure(i)
	}
	return g
}

func (g *grid) measure(column int) {
	g.widths[column] = 0
	for _, line := range g.lines {
		g.widths[column] = max(g.widths[column], utf8.RuneCountInString(line[column]))
	}
}

// width is that of a line.
func (g *grid) width() int {
	sum := len(gap) * (len(g.widths) - 1)
	for _, w := range g.widths {
		sum += w
	}
	return sum
}

// fit makes the table at most width wide: headings take two lines, words several, then columns
// are left out from the right, of which the headings are returned.
func (g *grid) fit(width int) (left []string) {
	if width == 0 || g.width() <= width {
		return nil
	}
	g.foldHeadings()
	for i := len(g.columns) - 1; !g.narrow(width) && i > 0; i-- {
		if g.columns[i].Key {
			continue
		}
		left = append(left, g.columns[i].Heading)
		g.columns = slices.Delete(g.columns, i, i+1)
		g.widths = slices.Delete(g.widths, i, i+1)
		for k := range g.lines {
			g.lines[k] = slices.Delete(g.lines[k], i, i+1)
		}
	}
	slices.Reverse(left)
	return left
}

// narrowest is how narrow a column of words becomes for others to have room.
const narrowest = 20

// narrow makes the widest columns of words narrower until the table fits, if it ever does.
func (g *grid) narrow(width int) bool {
	least := make([]int, len(g.columns))
	for i, c := range g.columns {
		g.measure(i)
		switch least[i] = g.widths[i]; {
		case c.Sentence:
		case c.Unit == terminal.Words && c.Key:
			least[i] = g.longestWord(i)
		case c.Unit == terminal.Words && i == len(g.columns)-1: // words that stay whole do no harm there
			least[i] = min(least[i], narrowest)
		case c.Unit == terminal.Words:
			least[i] = min(least[i], max(narrowest, g.longestWord(i)))
		}
	}
	for g.width() > width {
		widest := -1
		for i, w := range g.widths {
			if w > least[i] && (widest < 0 || w > g.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		g.widths[widest]--
	}
	return true
}

// longestWord is how narrow a column of words can be, which are broken at blanks and commas.
func (g *grid) longestWord(column int) (n int) {
	for _, line := range g.lines {
		for _, word := range strings.FieldsFunc(line[column], func(c rune) bool { return c == ' ' || c == ',' }) {
			n = max(n, utf8.RuneCountInString(word))
		}
	}
	return n
}

// foldHeadings puts a line above the headings, with the first words of those that are wider
// than the cells below them.
func (g *grid) foldHeadings() {
	above, headings := make([]string, len(g.columns)), g.lines[0]
	g.lines = g.lines[1:]
	for i, heading := range headings {
		g.measure(i)
		at := middle(heading)
		if at > 0 && utf8.RuneCountInString(heading) > g.widths[i] && !g.columns[i].Sentence {
			above[i], headings[i] = heading[:at], heading[at+1:]
		}
	}
	g.lines = slices.Insert(g.lines, 0, headings)
	if strings.Join(above, "") != "" {
		g.lines = slices.Insert(g.lines, 0, above)
	}
	for i := range g.columns {
		g.measure(i)
	}
}

// middle is where the blank nearest to the middle of text is; 0 if there is none.
func middle(text string) (at int) {
	for i := range text {
		if text[i] == ' ' && (at == 0 || max(i, len(text)-i) < max(at, len(text)-at)) {
			at = i
		}
	}
	return at
}

// text renders a table for a terminal: cells to the right, words and the first column to
// the left, no trailing blanks.
func (o *Output) text(t *Table) string {
	var out strings.Builder
	g := gridOf(t)
	left := g.fit(o.Width)
	heads := len(g.lines) - len(t.Rows)
	for k, line := range g.lines {
		for _, text := range g.fold(line) {
			if o.Styled {
				text = terminal.Clean(text)
			}
			if o.Styled && k >= heads {
				text = style(text, t.Rows[k-heads].Mark)
			}
			out.WriteString(text + "\n")
		}
	}
	if len(left) > 0 {
		out.WriteString(o.line(fmt.Sprintf("%s left out at a width of %d: %s",
			terminal.Count(len(left), "column", "columns"), o.Width, strings.Join(left, ", "))))
	}
	return out.String()
}

// fold is the lines that the cells of a row take, more than one where words are wider than
// their column.
func (g *grid) fold(cells []string) (lines []string) {
	columns, most := make([][]string, len(cells)), 1
	for i, cell := range cells {
		columns[i] = []string{cell}
		if utf8.RuneCountInString(cell) > g.widths[i] {
			columns[i] = broken(cell, g.widths[i])
		}
		most = max(most, len(columns[i]))
	}
	for k := range most {
		line := make([]string, len(cells))
		for i, column := range columns {
			if k < len(column) {
				line[i] = column[k]
			}
		}
		lines = append(lines, g.line(line))
	}
	return lines
}

// broken breaks text into lines of a width: at blanks, else after commas. Longer words, as in an
// address, stay whole.
func broken(text string, width int) (lines []string) {
	for utf8.RuneCountInString(text) > width {
		end := len(string([]rune(text)[:width]))
		at := strings.LastIndexByte(text[:end+1], ' ')
		if at <= 0 {
			at = strings.LastIndexByte(text[:end], ',') + 1
		}
		if at <= 0 {
			at = end + strings.IndexAny(text[end:]+" ", " ,")
		}
		lines, text = append(lines, text[:at]), strings.TrimLeft(text[at:], " ")
	}
	if text == "" && lines != nil {
		return lines
	}
	return append(lines, text)
}

func (g *grid) line(cells []string) string {
	var s strings.Builder
	for i, cell := range cells {
		if i > 0 {
			s.WriteString(gap)
		}
		pad := strings.Repeat(" ", max(0, g.widths[i]-utf8.RuneCountInString(cell)))
		if g.columns[i].isLeft(i) {
			s.WriteString(cell + pad)
		} else {
			s.WriteString(pad + cell)
		}
	}
	return strings.TrimRight(s.String(), " ")
}

// style renders the line of a row by its mark.
func style(line string, mark Mark) string {
	switch mark {
	case Best:
		return "\x1b[1m" + line + "\x1b[0m"
	case Worse:
		return "\x1b[2m" + line + "\x1b[0m"
	}
	return line
}

// wrap breaks a line of prose at blanks so that it is at most width wide; what goes on is
// indented as far as the line is. 0 is no limit.
func wrap(line string, width int) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var out strings.Builder
	for width > 0 && utf8.RuneCountInString(line) > width {
		at, runes := -1, 0
		for i, r := range line {
			if r == ' ' && i > len(indent) && (runes <= width || at < 0) {
				at = i
			}
			runes++
		}
		if at < 0 {
			break
		}
		out.WriteString(line[:at] + "\n")
		line = indent + line[at+1:]
	}
	return out.String() + line + "\n"
}
