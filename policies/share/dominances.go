package share

// dominances count agents by dominant resource. They keep what each agent's is, so that only
// agents that have changed are counted again.
type dominances struct {
	of    []uint8 // by agent: its dominant resources, a bit each
	count []int   // by resource
}

// begin makes room for so many agents and resources.
func (c *dominances) begin(n, m int) { c.of, c.count = resized(c.of, n), resized(c.count, m) }

// set records the demands of an agent.
func (c *dominances) set(i int, row []float64) {
	for r, v := range row {
		is, was := v == 1, c.of[i]>>r&1 == 1
		if is != was {
			c.of[i] ^= 1 << r
			c.count[r] += change(is)
		}
	}
}

// majority is Demands.Majority.
func (c *dominances) majority() int { return greatest(c.count) }

func change(is bool) int {
	if is {
		return 1
	}
	return -1
}
