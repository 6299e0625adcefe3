package experiment_test

import (
	"context"
	"fmt"
	"os"

	"bourse/engine/scenario"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// example: a study of two factors

// setting is the key of this experiment: what is varied.
type setting struct {
	policy string
	load   float64
}

// Example asks how much backfilling matters by load: two factors, five replicas of a
// synthetic log, one table.
func Example() {
	var keys []setting
	for _, load := range []float64{1, 1.5} {
		for _, policy := range []string{"fcfs", "easy"} {
			keys = append(keys, setting{policy, load})
		}
	}
	replay := func(k setting, replica int) (float64, error) {
		s := scenario.Default()
		s.Trace = fmt.Sprintf("synth:lublin?jobs=2000&procs=64&load=0.5&seed=%d", replica+1)
		s.Policy, s.LoadFactor = k.policy, k.load
		return meanWait(s)
	}
	waits, err := experiment.Run(context.Background(), 0, keys, 5, replay, nil)
	if err != nil {
		fmt.Println(err)
	}
	t := table.New(table.Column{Name: "policy", Heading: "policy", Unit: terminal.Words, Key: true},
		table.Column{Name: "load", Heading: "load", Unit: terminal.General, Key: true},
		table.Column{Name: "mean_wait_s", Heading: "mean wait", Unit: terminal.Seconds, Doc: "mean of phi - tau"})
	for _, k := range keys {
		t.Add(k.policy, k.load, waits.Estimate(k, func(wait float64) float64 { return wait }))
	}
	wait := func(policy string) float64 { return t.At(table.KeyOf(policy, "1.5"), "mean_wait_s").Value().Mean }
	report := &table.Report{Tables: []*table.Table{t},
		Answers: []string{fmt.Sprintf("at 1.5 times the load jobs wait %.1f times as long without backfilling",
			wait("fcfs")/wait("easy"))}}
	_ = (&table.Output{W: os.Stdout, Format: "csv"}).Write(report)
	_ = table.Print(os.Stdout, report)
	// Output:
	// policy,load,mean_wait_s,mean_wait_s_half
	// fcfs,1,224140.6693,105421.56206513636
	// easy,1,6926.588099999999,3458.6355161645906
	// fcfs,1.5,308557.3690999461,136182.0774849622
	// easy,1.5,12630.227966602499,10385.694442560534
	// policy  load       mean wait
	// fcfs       1   2d14h ± 1d05h
	// easy       1  1h55m ± 57m38s
	// fcfs     1.5   3d13h ± 1d13h
	// easy     1.5   3h30m ± 2h53m
	// at 1.5 times the load jobs wait 24.4 times as long without backfilling
}

// end

// meanWait replays a scenario.
func meanWait(s scenario.Scenario) (float64, error) {
	log, err := s.Open(scenario.Env{})
	if err != nil {
		return 0, err
	}
	p, err := s.Prepare(log)
	if err != nil {
		return 0, err
	}
	var c stats.Collector
	_, err = p.Run(context.Background(), &c)
	return c.Result().Total.MeanWait, err
}
