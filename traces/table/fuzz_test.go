package table

import (
	"strings"
	"testing"
)

// FuzzRead wants any bytes to give a table whose columns are all of one
// length, or an error.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2\n", "\ufeffa\n\"x\ny\"\n", "a,a\n1,2\n", "a\n1,2\n", "a\n\"", "a;b\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Read("-", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, name := range table.Columns() {
			words, err := table.Words(name)
			if err == nil && len(words) != table.Rows() {
				t.Errorf("column %s has %d values, %d rows", name, len(words), table.Rows())
			}
			if numbers, err := table.Floats(name); err == nil && len(numbers) != table.Rows() {
				t.Errorf("column %s has %d numbers, %d rows", name, len(numbers), table.Rows())
			}
		}
	})
}
