package accounting

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// sizes fills in processors and memory.
func (t *torque) sizes(j *traces.Job, kv keyValues) *traces.Error {
	procs, ok := torqueProcs(kv)
	if !ok || procs > math.MaxInt32 {
		return &traces.Error{What: fmt.Sprintf("%d processors, from exec_host=%s", procs,
			input.Shorten(kv.get("exec_host"), 40)), Want: "want host/first-last or host/index*count, with + between"}
	}
	if procs > 0 {
		j.Procs = int32(procs)
	}
	for _, key := range [...]string{"Resource_List.pmem", "Resource_List.mem", "Resource_List.pvmem",
		"Resource_List.vmem"} {
		text := kv.get(key)
		if text == "" {
			continue
		}
		whole := max(procs, 1)
		if strings.HasPrefix(key, "Resource_List.p") {
			whole = 1
		}
		kb, ok := torqueMemory(text, whole)
		if !ok {
			t.g.Header.Ledger.Odd("requested memory not understood, taken as unknown")
			return nil
		}
		j.Memory = kb
		return nil
	}
	return nil
}

// torqueMemory reads 28gb, 500mb, 4096 (bytes), as KB per processor. The unit w
// is a word of 8 bytes.
func torqueMemory(text string, procs int64) (float64, bool) {
	text = strings.ToLower(text)
	unit := 1.0
	if strings.HasSuffix(text, "w") {
		unit = 8
	}
	text = strings.TrimRight(text, "bw")
	if text == "" {
		return 0, false
	}
	if last := text[len(text)-1]; last >= '0' && last <= '9' {
		n, ok := input.ParseNumber(text)
		return n.Float() * unit / 1024 / float64(procs), ok && !n.Neg
	}
	kb, ok := input.MemoryKB(text, procs, 1)
	return kb * unit, ok && kb >= 0
}

// torqueProcs finds the number of processors, 0 if it is not recorded.
func torqueProcs(kv keyValues) (int64, bool) {
	for _, key := range [...]string{"total_execution_slots", "resources_used.ncpus"} {
		if n, err := strconv.ParseInt(kv.get(key), 10, 64); err == nil && n > 0 {
			return n, true
		}
	}
	if hosts := kv.get("exec_host"); hosts != "" {
		return execHost(hosts)
	}
	if n, err := strconv.ParseInt(kv.get("Resource_List.ncpus"), 10, 64); err == nil && n > 0 {
		return n, true
	}
	return nodesSpec(kv.get("Resource_List.nodes")), true
}

// execHost counts the places in c11/24-31+c12/0 (Torque), a/0+a/1, or
// host/0*8+other/1 (PBS Pro).
func execHost(text string) (total int64, ok bool) {
	for _, place := range strings.Split(text, "+") {
		_, slots, found := strings.Cut(place, "/")
		if !found {
			total++
			continue
		}
		if index, count, times := strings.Cut(slots, "*"); times {
			n, err := strconv.ParseInt(count, 10, 32)
			if _, bad := strconv.ParseInt(index, 10, 32); err != nil || bad != nil || n <= 0 {
				return total, false
			}
			total += n
			continue
		}
		for _, span := range strings.Split(slots, ",") {
			low, high, ranged := strings.Cut(span, "-")
			if !ranged {
				high = low
			}
			a, errA := strconv.ParseInt(low, 10, 32)
			b, errB := strconv.ParseInt(high, 10, 32)
			if errA != nil || errB != nil || a < 0 || b < a {
				return total, false
			}
			total += b - a + 1
		}
	}
	return total, true
}

// nodesSpec counts 2:ppn=8+c12:ppn=4; 0 if it is none.
func nodesSpec(text string) (total int64) {
	if text == "" {
		return 0
	}
	for _, part := range strings.Split(text, "+") {
		words := strings.Split(part, ":")
		nodes, err := strconv.ParseInt(words[0], 10, 32)
		if err != nil {
			nodes = 1 // a node by its name
		}
		ppn := int64(1)
		for _, w := range words[1:] {
			if n, err := strconv.ParseInt(strings.TrimPrefix(w, "ppn="), 10, 31); err == nil && strings.HasPrefix(w, "ppn=") {
				ppn = n
			}
		}
		total += max(nodes, 0) * max(ppn, 0)
	}
	return total
}
