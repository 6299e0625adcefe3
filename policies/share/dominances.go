package share

// dominances count agents by dominant resource. They keep what each agent's is, so that only
// agents that have changed are counted anew.
type dominances struct {
	of     []uint8 // by agent: its dominant resources, a bit each
	count  []int   // by resource
	agents int     // that have not changed
}

// keep lets the agents before one stay as they are counted, if they do.
func (c *dominances) keep(from int) { c.agents = min(c.agents, from) }

// majority is Demands.Majority.
func (c *dominances) majority(d Demands) int {
	if len(c.of) != len(d) || len(c.count) != len(d[0]) {
		c.of, c.count, c.agents = resized(c.of, len(d)), resized(c.count, len(d[0])), 0
	}
	for i := c.agents; i < len(d); i++ {
		for r, v := range d[i] {
			is, was := v == 1, c.of[i]>>r&1 == 1
			if is != was {
				c.of[i] ^= 1 << r
				c.count[r] += change(is)
			}
		}
	}
	c.agents = len(d)
	best := 0
	for r, n := range c.count {
		if n > c.count[best] {
			best = r
		}
	}
	return best
}

func change(is bool) int {
	if is {
		return 1
	}
	return -1
}
