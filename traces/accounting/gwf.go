package accounting

import (
	"errors"
	"fmt"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/tabular"
)

// gwfFields are the fields of the Grid Workloads Format this program uses, by
// their place; there are 29, of which archives leave out the last ones now and
// then.
var gwfFields = map[int]tabular.Role{
	0: tabular.RoleJob, 1: tabular.RoleSubmit, 2: tabular.RoleWait, 3: tabular.RoleRun, 4: tabular.RoleProcs,
	7: tabular.RoleReqProcs, 8: tabular.RoleEstimate, 9: tabular.RoleMemory,
	10: tabular.RoleStatus, 11: tabular.RoleUser, 12: tabular.RoleGroup, 14: tabular.RoleQueue, 15: tabular.RolePartition,
}

// gwfLeast is the number of fields without which a line is no record.
const gwfLeast = 18

// OpenGWF reads the Grid Workloads Format of the Grid Workloads Archive: fields
// between blanks, # before comments. Labels are words.
func OpenGWF(path string, o traces.Options) (traces.Source, error) {
	g := input.NewGatherer(path, "gwf", o, false)
	t := tabular.NewRows(&g.Header)
	t.Names = make([]string, 29)
	for i := range t.Names {
		t.Names[i] = fmt.Sprint(i + 1)
	}
	for r := range t.Cols {
		t.Cols[r] = -1
	}
	for at, r := range gwfFields {
		t.Cols[r] = at
	}
	split := func(line string) ([]string, *traces.Error) {
		cells := strings.Fields(line)
		switch {
		case len(cells) < gwfLeast:
			return nil, &traces.Error{What: fmt.Sprintf("%d fields", len(cells)),
				Want: "expected the 29 of the Grid Workloads Format"}
		case len(cells) > 29:
			g.Header.Ledger.Odd("fields beyond the 29th ignored")
		}
		return cells, nil
	}
	return tabular.ReadText(path, g, t, split, nil)
}

// OpenSacct reads what `sacct -P` prints: a line of column names, then one
// record a line with | between.
func OpenSacct(path string, o traces.Options) (traces.Source, error) {
	g := input.NewGatherer(path, "sacct", o, true)
	t := tabular.NewRows(&g.Header)
	t.Slurm = true
	split := func(line string) ([]string, *traces.Error) {
		cells := strings.Split(line, "|")
		if n := len(t.Names); n > 0 && len(cells) == n+1 && cells[n] == "" {
			cells = cells[:n] // sacct -p ends its lines with one more
		}
		if n := len(t.Names); n > 0 && len(cells) != n {
			return nil, &traces.Error{What: fmt.Sprintf("%d fields", len(cells)),
				Want: fmt.Sprintf("expected %d, as in the first line (a job name that holds a |? leave JobName out of sacct -o)",
					n)}
		}
		return cells, nil
	}
	return tabular.ReadText(path, g, t, split, func(first string) error {
		names, _ := split(strings.TrimSuffix(first, "|"))
		if len(names) < 2 && tabular.FixedWidth(first) {
			return &traces.Error{File: path, What: "columns of fixed width, as sacct prints them for people to read, with " +
				"long values cut", Want: sacctColumns}
		}
		if len(names) < 2 {
			return &traces.Error{File: path, Line: 1, What: "not a dump of sacct",
				Want: "want column names with | between in the first line, as sacct -P prints them"}
		}
		if err := tabular.FindColumns(&g.Header, names, nil, t); err != nil {
			return sacctAdvice(err)
		}
		if t.Cols[tabular.RoleJob] < 0 {
			return &traces.Error{File: path, Line: 1, What: "no column JobID", Want: sacctColumns}
		}
		return nil
	})
}

const sacctColumns = "want a dump made with sacct -a -X -P -S START -E END -o " +
	"JobID,User,Account,Partition,Submit,Start,End,State,Elapsed,AllocCPUS,ReqCPUS,ReqMem,Timelimit,AllocTRES,ReqTRES"

func sacctAdvice(err error) error {
	if bad := (*traces.Error)(nil); errors.As(err, &bad) {
		bad.Want = sacctColumns
	}
	return err
}
