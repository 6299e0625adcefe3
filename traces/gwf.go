package traces

import (
	"fmt"
	"strings"
)

// gwfFields are the fields of the Grid Workloads Format this program uses, by
// their place; there are 29, of which archives leave out the last ones now and
// then.
var gwfFields = map[int]role{
	0: roleJob, 1: roleSubmit, 2: roleWait, 3: roleRun, 4: roleProcs, 7: roleReqProcs, 8: roleEstimate, 9: roleMemory,
	10: roleStatus, 11: roleUser, 12: roleGroup, 14: roleQueue, 15: rolePartition,
}

// gwfLeast is the number of fields without which a line is no record.
const gwfLeast = 18

// openGWF reads the Grid Workloads Format of the Grid Workloads Archive: fields
// between blanks, # before comments. Labels are words.
func openGWF(path string, o Options) (Source, error) {
	g := newGatherer(path, "gwf", o, false)
	t := newRows(&g.header)
	t.names = make([]string, 29)
	for i := range t.names {
		t.names[i] = fmt.Sprint(i + 1)
	}
	for r := range t.cols {
		t.cols[r] = -1
	}
	for at, r := range gwfFields {
		t.cols[r] = at
	}
	split := func(line string) ([]string, *Error) {
		cells := strings.Fields(line)
		switch {
		case len(cells) < gwfLeast:
			return nil, &Error{What: fmt.Sprintf("%d fields", len(cells)), Want: "expected the 29 of the Grid Workloads Format"}
		case len(cells) > 29:
			g.header.Ledger.Odd("fields beyond the 29th ignored")
		}
		return cells, nil
	}
	return readTable(path, g, t, split, nil)
}
