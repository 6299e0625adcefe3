//go:build !js

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies/remote"
	"bourse/traces"
)

// serveEpisodes replays the trace as often as a program at the other end of a socket asks for, which decides.
func serveEpisodes(a *app, f *flags) action {
	s := scenario.Default()
	var socket string
	f.StringVar(&socket, "socket", "", "the Unix socket at which the program listens")
	defineScenario(f, &s, "policy", "resample", "shake")
	f.check(func() error {
		if socket == "" {
			return usagef("which program decides? want --socket PATH, at which it listens")
		}
		return nil
	})
	return func() error {
		s.Trace = f.Arg(0)
		conn, err := net.Dial("unix", socket)
		if err != nil {
			return err
		}
		defer conn.Close()
		return a.episodes(&s, remote.NewLink(conn))
	}
}

// episodes answers each {"seed":N} of the program with a replay, and then with how it ended.
func (a *app) episodes(s *scenario.Scenario, link *remote.Link) error {
	for {
		line, err := link.Hear()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var begin struct{ Seed *int }
		if err == nil {
			if err = json.Unmarshal(line, &begin); err != nil || begin.Seed == nil {
				err = fmt.Errorf("the program says %q; want a line as {\"seed\":1}, which begins an episode", clipped(string(line)))
			}
		}
		if err != nil {
			return err
		}
		jobs, err := a.episode(*s, *begin.Seed, link)
		over := map[string]any{"over": true, "jobs": jobs}
		switch {
		case errors.Is(err, remote.ErrStopped):
			over["stopped"] = true
		case err != nil:
			over["error"] = clipped(flagged(err))
		}
		if err := link.Tell(over); err != nil {
			return err
		}
	}
}

// episode is one replay, in whose trace {seed} is a number.
func (a *app) episode(s scenario.Scenario, seed int, link *remote.Link) (jobs int64, err error) {
	s.Trace = strings.ReplaceAll(s.Trace, "{seed}", strconv.Itoa(seed))
	s.Policy = "exec(command=link,estimates=true)" // which stands for the link's
	err = a.reading(&s, nil, func(src traces.Source) error {
		p, err := s.Prepare(src)
		if err != nil {
			return err
		}
		p.Config.Policy = link.Policy(remote.Options{Command: "the program", Estimates: true, Seed: seed})
		sum, err := engine.Run(a.ctx, p.Config, p.Source, nil)
		jobs = sum.Jobs
		return err
	})
	return jobs, err
}
