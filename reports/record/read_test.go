package record

import (
	"bourse/reports/record/recordtest"
	"bourse/traces"
)

// cells spells out what a table says of records: what every format must hold.
func cells[R any](table []Field[R], names *traces.Names, records []R) [][]string {
	rows := [][]string{nil}
	for i := range table {
		rows[0] = append(rows[0], table[i].Name)
	}
	for i := range records {
		var row []string
		for j := range table {
			b := newBatch(1)
			appendRow(b, table[j:j+1], names, &records[i])
			e := csvEncoder{}
			if v := &b.cols[0]; table[j].Kind == Text && !v.null(0) {
				row = append(row, string(v.word(0)))
				continue
			}
			e.value(&b.cols[0], table[j].Kind, 0)
			row = append(row, string(e.line))
		}
		rows = append(rows, row)
	}
	return rows
}

func init() { recordtest.Float = AppendFloat }
