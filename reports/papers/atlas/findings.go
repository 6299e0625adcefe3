package atlas

import (
	"fmt"
	"strings"

	"bourse/reports/terminal"
)

// findings are what the atlas lets one say, and what it does not.
func (r *reporter) findings() error {
	for m, c := range r.by {
		where := "by " + measures[m].Words()
		all := c.ranked
		var plain []standing
		for _, s := range all {
			if s.needs == "" {
				plain = append(plain, s)
			}
		}
		r.first(c, where, "the policies that rank first", all)
		r.first(c, where, "those that rank first of all that need no more than EASY does", plain)
		r.unanimous(where, c)
		r.turning(where, c)
		n, of, pairs := c.contradicted()
		text := fmt.Sprintf("%d of %d", n, of)
		if n > 0 {
			text += ": " + strings.Join(pairs[:min(len(pairs), shown)], "; ")
		}
		r.Found(where, "verdicts on EASY and another policy that the log itself contradicts by more than 5 %", "%s", text)
	}
	return nil
}

// first says which policies lead, and which cannot be told from the first.
func (r *reporter) first(c *comparison, where, what string, all []standing) {
	var near []string
	for _, s := range all[1:] {
		if s.low <= all[0].high {
			near = append(near, s.name)
		}
	}
	p := c.pair(place(all[0].name), place("easy"))
	text := fmt.Sprintf("%s: mean rank %s of %d; on %d of %d logs better than EASY beyond chance, on %d worse",
		all[0].name, terminal.Percent.Text(all[0].rank), len(policies), p.better, p.logs, p.worse)
	if len(near) > 0 {
		text += "; leaving out a log could turn around the order with " + strings.Join(near, ", ")
	}
	r.Found(where, what, "%s", text)
}

// shown is how many pairs a sentence names.
const shown = 12

// unanimous names comparisons that no log contradicts.
func (r *reporter) unanimous(where string, c *comparison) {
	proven, always := 0, 0
	var names []string
	for _, p := range c.all {
		if p.worse > 0 || p.better == 0 {
			continue
		}
		proven++
		if p.better*2 > p.logs {
			always++
		}
		if p.withEasy() && len(names) < shown {
			names = append(names, fmt.Sprintf("%s before %s (%d of %d)", p.a, p.b, p.better, p.logs))
		}
	}
	r.Found(where, "comparisons that no log contradicts beyond chance",
		"%d of %d pairs; %d of them are proven on most logs%s",
		proven, len(policies)*(len(policies)-1)/2, always, among(names))
}

// turning names comparisons that one log proves and another disproves.
func (r *reporter) turning(where string, c *comparison) {
	n := 0
	var names []string
	for _, p := range c.all {
		if p.turns == nil {
			continue
		}
		n++
		if p.withEasy() && len(names) < shown {
			names = append(names, fmt.Sprintf("%s and %s (better on %d, as %s, worse on %d, as %s)", p.a, p.b, p.better,
				nickname(p.turns[0]), p.worse, nickname(p.turns[1])))
		}
	}
	r.Found(where, "comparisons that turn around from log to log",
		"%d of %d pairs, %s%s; nobody should say of these which is better without saying on which log",
		n, len(policies)*(len(policies)-1)/2, terminal.PercentOf(float64(n), float64(len(policies)*(len(policies)-1)/2)),
		among(names))
}

// withEasy reports whether a pair is of EASY and another policy that needs no more.
func (p *pair) withEasy() bool {
	return plain(p.a) && plain(p.b) && (p.a == "easy" || p.b == "easy")
}

func among(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", among them " + strings.Join(names, "; ")
}

// plain reports whether a policy needs no more than EASY does.
func plain(name string) bool { return policies[place(name)].needs == "" }
