package sched_test

import (
	"strings"
	"testing"

	"bourse/engine/policytest"
	"bourse/policies"
	"bourse/traces/tracetest"
)

// TestConformance puts every scheduler through the conformance kit, by the names
// people use.
func TestConformance(t *testing.T) { conformance(t, false) }

// TestLongConformance does the same under EASY with each order and in each order of backfilling.
func TestLongConformance(t *testing.T) {
	tracetest.Long(t)
	conformance(t, true)
}

func conformance(t *testing.T, easy bool) {
	fixed := "fcfs bid sjf ljf saf laf f1 f2 f3 f4"
	changing := "xfactor wfp3 unicef fairshare(halflife=7) expr(-bid*procs) expr(by=wait>3?procs:-bid)"
	names := strings.Fields("hb hb(fit=skip) nphb nphb(fit=skip) fcfs(fit=skip) wspt wsept " +
		strings.Replace(fixed, "bid ", "", 1) + " " + changing +
		" sjf(runtime=true) wfp3(runtime=true)")
	names = append(names, "conservative", "recorded", "hvd", "hvd(per=run)", "edf", "exponential(else=wait,high=20)",
		"spot(every=5)", "spot(every=3,refill=true)", "las(limits=5/20,promote=2)", "las(limits=4,by=time)", "srpt",
		"srpt(by=area)", "srpt(preemptions=2)", "priority(by=-bid,preemptions=1)", "priority(by=user)", "priority(by=-bid)",
		"priority(by=procs-user)", "easy(tie=pyss)", "easy(backfill=sjf,tie=pyss)", "easy(reservations=0)",
		"easy(reservations=3)",
		"easy(order=sjf,backfill=wfp3,reservations=2)", "easy(order=sjf(runtime=true))",
		"easy(estimates=recent,backfill=sjf)", "easy(order=multifactor)", "slurm", "los(lookahead=3)",
		"slurm(order=fcfs,bf-interval=2s,bf-resolution=1s)")
	if easy {
		names = nil
		for _, order := range strings.Fields(fixed + " " + changing) {
			names = append(names, "easy(order="+order+")", "easy(backfill="+order+")")
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			policytest.Run(t, func() policies.Policy { return policy(t, name) }, policytest.Expect{
				Preempts: strings.HasPrefix(name, "hb") || strings.HasPrefix(name, "srpt") || strings.HasPrefix(name, "priority") ||
					strings.HasPrefix(name, "las") || strings.HasPrefix(name, "spot") || strings.HasPrefix(name, "hvd") ||
					strings.HasPrefix(name, "edf"), Overruns: true,
				KnowsUnits: strings.HasPrefix(name, "las") || strings.HasPrefix(name, "spot") || strings.Contains(name, "f1") ||
					strings.Contains(name, "f2") || strings.Contains(name, "f4") ||
					strings.Contains(name, "f3") || strings.Contains(name, "halflife") || strings.Contains(name, "wait") ||
					strings.Contains(name, "multifactor") || strings.Contains(name, "recent") || strings.Contains(name, "slurm"),
			})
		})
	}
}
