package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"bourse/traces/tracetest"
)

// parquets hold all their jobs in one group of rows, or users with names of 128 KB.
func (m *maker) parquets() (all []bomb, err error) {
	long := strings.Repeat("a", 128<<10)
	for _, c := range []struct {
		name       string
		rows       int
		user       func(i int) string
		dictionary bool
	}{
		{"parquet: a million jobs in a group", 1_000_000, func(i int) string { return fmt.Sprint("user", i%50) }, true},
		{"parquet: texts of 128 KB", 1000, func(int) string { return long }, false},
		{"parquet: a dictionary of such texts", 200, func(i int) string { return fmt.Sprint(i) + long }, true},
	} {
		path := filepath.Join(m.base, fmt.Sprint("jobs", len(all), ".parquet"))
		if err := tracetest.WriteParquet(path, c.rows, []string{"submit", "run"}, c.user, c.dictionary); err != nil {
			return nil, err
		}
		all = append(all, bomb{c.name, []string{"trace", "inspect", "parquet:" + path +
			"?submit=submit&run=run&user=user"}})
	}
	path := filepath.Join(m.base, "bids.parquet")
	all = append(all, bomb{"bids: a Parquet of 3 million rows", []string{"replay", "log.swf", "--bids", path}})
	return all, tracetest.WriteParquet(path, 3_000_000, []string{"value", "bid", "job_id"}, nil, true)
}
