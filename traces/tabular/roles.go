package tabular

import (
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/suggest"
)

// Role is what a column of a table says of a job.
type Role int

const (
	RoleJob Role = iota
	RoleSubmit
	roleStart
	roleEnd
	RoleWait
	RoleRun
	RoleProcs
	RoleReqProcs
	RoleEstimate
	RoleMemory
	roleNodes
	RoleStatus
	RoleUser
	RoleGroup
	RoleQueue
	RolePartition
	rolePrev
	roleThink
	RoleCPU
	RoleGPU
	roleGPUEach
	RoleDisk
	RoleModel
	roleTRES
	roleReqTRES
	numRoles
)

// Roles lists what columns of CSV and Parquet tables may say, in the order of
// the table below: the parameter that names the column, the names it is found by
// when none is given (without case, blanks and punctuation; the first one that
// is there), and a line.
var Roles = [numRoles]roleInfo{
	{"job", []string{"jobid", "jobidraw", "job", "id", "jobnumber"}, "job number; rows are numbered if it is no number"},
	{"submit", []string{"submit", "submits", "submittime", "submitted", "submittedat", "timesubmit", "submissiontime",
		"submitted_at", "timestamp", "arrival", "arrivaltime", "qtime", "created", "createdat", "ctime"},
		"time of submission (needed)"},
	{"start", []string{"start", "starts", "starttime", "started", "startedat", "timestart"}, "time of start"},
	{"end", []string{"end", "ends", "endtime", "ended", "endedat", "finish", "finishtime", "finished", "completed",
		"timeend"}, "time of end"},
	{"wait", []string{"wait", "waits", "waittime", "queuetime"}, "wait; else start minus submission"},
	{"run", []string{"elapsedraw", "elapsed", "run", "runs", "runtime", "duration", "walltime", "usedwalltime",
		"runtimes"}, "run time; else end minus start"},
	{"procs", []string{"alloccpus", "ncpus", "procs", "processors", "cpus", "cores", "ncores", "numcpus", "numcores",
		"numprocs", "nproc", "nprocs"}, "processors; without such a column GPUs, if they are named, else every job takes 1"},
	{"requested", []string{"reqcpus", "reqprocs", "reqnprocs", "requestedprocessors", "processorsreq"},
		"processors requested, where procs has none"},
	{"estimate", []string{"timelimitraw", "timelimit", "estimate", "estimates", "reqtime", "requestedtime",
		"requestedwalltime", "walltimerequested", "walltimelimit", "wallclockreq", "limit"}, "requested time"},
	{"memory", []string{"reqmem", "memory", "mem", "requestedmemory", "reqmemory"},
		"requested memory: KB per processor, or with a unit as in 4G (of the job), 4Gc (per processor), 4Gn (per node)"},
	{"nodes", []string{"allocnodes", "nnodes", "reqnodes", "nodesreq"}, "nodes, for memory per node"},
	{"status", []string{"state", "status", "jobstate", "jobstatus"}, "status: a number as in SWF or a word as of Slurm"},
	{"user", []string{"user", "username", "userid", "owner", "uid"}, "user"},
	{"group", []string{"account", "group", "groupname", "groupid", "gid", "project"}, "group"},
	{"queue", []string{"qos", "queue", "queuename", "queueid", "cluster", "vc", "virtualcluster"}, "queue"},
	{"partition", []string{"partition", "partitionid", "partitionname"}, "partition"},
	{"prev", []string{"prevjob", "precedingjob", "prev"}, "the job this one waited for"},
	{"think", []string{"thinktime", "think"}, "time between that job's end and the submission"},
	{"cpu", []string{"cpurequest", "plancpu", "cpumilli"}, "CPU requested by the job, where requests may be fractions"},
	{"gpu", []string{"numgpus", "gpus", "gpu", "gpunum", "numgpu", "ngpus", "gpurequest", "plangpu", "reqgpus",
		"allocgpus", "gpucount"}, "GPUs requested by the job: a whole number, or a part of one"},
	{"gpu_each", []string{"gpumilli"}, "part of each of them that is requested, 1 if none is given"},
	{"disk", []string{"disk", "diskrequest", "reqdisk", "diskspace"}, "disk space requested by the job"},
	{"gpu_model", []string{"gpumodel", "gpuspec", "gputype", "gputypespec"},
		"GPU models the job may run on, with | between"},
	{"tres", []string{"alloctres", "allocgres"}, "Slurm's trackable resources, GPUs among them: gres/gpu:a100=2"},
	{"requested_tres", []string{"reqtres", "reqgres"}, "the same as requested, where tres has none"},
}

type roleInfo struct {
	Name  string
	Usual []string
	Line  string
}

// roleNames are the parameters that name columns.
func roleNames() []string {
	names := make([]string, numRoles)
	for i := range Roles {
		names[i] = Roles[i].Name
	}
	return names
}

// plainName strips a column's name of spelling variants.
func plainName(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127:
			return c
		}
		return -1
	}, s)
}

// OddSerial is a table without sizes.
const OddSerial = "no column of processors: every job takes 1"

// FindColumns matches the columns of a table with roles: those that are mapped,
// then those found by their usual names.
func FindColumns(header *traces.Header, names []string, mapping map[Role]string, t *Rows) error {
	t.Names = names
	if t.preset != nil {
		err := t.preset.find(header, names, t)
		t.settleParts(names)
		return err
	}
	plain := make([]string, len(names))
	for i, n := range names {
		plain[i] = plainName(n)
	}
	for r := range t.Cols {
		t.Cols[r] = -1
		if want, given := mapping[Role(r)]; given {
			if t.Cols[r] = slices.Index(names, want); t.Cols[r] < 0 {
				t.Cols[r] = slices.Index(plain, plainName(want))
			}
			if t.Cols[r] < 0 || plainName(want) == "" {
				return &traces.Error{File: header.Name, What: fmt.Sprintf("%s=%s: there is no such column%s", Roles[r].Name, want,
					suggest.Then(suggest.DidYouMean(want, names), "there are "+joinNames(names)))}
			}
			continue
		}
		for _, usual := range Roles[r].Usual {
			if t.Cols[r] = slices.Index(plain, usual); t.Cols[r] >= 0 {
				break
			}
		}
	}
	if c := t.Cols[RoleEstimate]; c >= 0 && plain[c] == "timelimitraw" {
		t.unit[RoleEstimate] = 60 * events.Second // Slurm counts limits in minutes
	}
	t.settleParts(names)
	if t.Cols[RoleProcs] < 0 && t.Cols[RoleReqProcs] < 0 && t.Cols[RoleCPU] < 0 && t.part[RoleGPU] == 1 &&
		t.Cols[roleGPUEach] < 0 {
		t.Cols[RoleProcs] = t.Cols[RoleGPU]
	}
	t.unused(plain)
	var missing []string
	if t.Cols[RoleSubmit] < 0 {
		missing = append(missing, "submission (submit=COLUMN)")
	}
	if t.Cols[RoleRun] < 0 && (t.Cols[roleEnd] < 0 || t.Cols[roleStart] < 0) {
		missing = append(missing, "run time (run=COLUMN, or start= and end=)")
	}
	if len(missing) > 0 {
		return &traces.Error{File: header.Name, What: "no column is known to hold the " + strings.Join(missing, " or the "),
			Want: fmt.Sprintf("name it, as in %s; there are %s", exampleMapping(header), joinNames(names))}
	}
	return nil
}

// settleParts takes units from the names of columns, where none is given.
func (t *Rows) settleParts(names []string) {
	if t.Cols[roleGPUEach] >= 0 && t.part[RoleGPU] != 0 {
		t.part[RoleGPU], t.part[roleGPUEach] = 1, t.part[RoleGPU]
	}
	for r, c := range t.Cols {
		if t.part[r] == 0 && c >= 0 {
			t.part[r] = partOf(plainName(names[c]))
		}
	}
}

// OddUnused notes the columns that no role has use for, deadlines among them.
// Those that say again what another column says are not named.
const OddUnused = "tables with columns that are not used (%s)"

func (t *Rows) unused(plain []string) {
	var names []string
	for i, name := range t.Names {
		again := slices.ContainsFunc(Roles[:], func(r roleInfo) bool { return slices.Contains(r.Usual, plain[i]) })
		if !again && !slices.Contains(t.Cols[:], i) && name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 0 && t.header != nil {
		t.header.Ledger.Odd(fmt.Sprintf(OddUnused, joinNames(names)))
	}
}

func exampleMapping(h *traces.Header) string {
	return h.Format + ":" + h.Name + "?submit=COLUMN&run=COLUMN"
}

// joinNames shows some column names.
func joinNames(names []string) string {
	const show = 30
	if len(names) > show {
		return input.Shorten(strings.Join(names[:show], ", "), 600) + ", ..."
	}
	return input.Shorten(strings.Join(names, ", "), 600)
}
