package truth

import (
	"bourse/reports/table"
)

// Report is a table of the rows, with the answer in words below it.
func Report(rows []Row) *table.Report {
	t := table.Structs(rows)
	t.Notes = notes(rows)
	return &table.Report{Tables: []*table.Table{t}, Answers: Answers(rows)}
}
