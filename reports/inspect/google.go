package inspect

import (
	"fmt"
	"io"
	"strings"

	"bourse/reports/terminal"
	"bourse/traces/google"
)

// printCounts accounts for every row of a Google trace's tables.
func printCounts(out io.Writer, c *google.Counts) {
	total := int64(0)
	var rows, ends []string
	for k, n := range c.Rows {
		total += n
		if n > 0 {
			rows = append(rows, fmt.Sprintf("%s %s", terminal.Thousands(n), google.EventKinds[k]))
		}
	}
	for k, n := range c.Ended {
		if n > 0 {
			ends = append(ends, fmt.Sprintf("%s %s", terminal.Thousands(n), google.EventKinds[k]))
		}
	}
	fmt.Fprintf(out, "\nevents        %s: %s\n", terminal.Thousands(total), strings.Join(rows, ", "))
	if c.Left > 0 {
		fmt.Fprintf(out, "              %s of alloc sets left out\n", terminal.Thousands(c.Left))
	}
	fmt.Fprintf(out, "tasks         %s of %s jobs and %s users, %s still running at the end\n", terminal.Thousands(c.Tasks), terminal.Thousands(c.Jobs), terminal.Thousands(c.Users), terminal.Thousands(c.Censored))
	fmt.Fprintf(out, "attempts      %s ended: %s\n", terminal.Thousands(c.Attempts), strings.Join(ends, ", "))
}
