package tabular

import (
	"bourse/traces"
)

// phillyColumns are those of the trace of Microsoft's Philly clusters as a table:
// one row a job, GPUs as processors, the virtual cluster as queue. It has no
// waits: the time stamp is taken for the submission.
var phillyColumns = map[Role]string{RoleSubmit: "timestamp", RoleRun: "duration", RoleProcs: "num_gpus", RoleQueue: "cluster"}

func OpenPhilly(path string, o traces.Options) (traces.Source, error) {
	m, err := parseMapping("delimiter=comma")
	if err != nil {
		return nil, err
	}
	m.columns = phillyColumns
	return readCSV(path, "philly", m, o)
}
