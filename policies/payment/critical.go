package payment

import (
	"maps"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Critical is the k-th price where jobs that do not fit are passed over: a running job
// pays its critical bid (policies.Passer), which depends on what it needs and, with
// preemption, on which waiting jobs it outranks; the reservation price if there is no
// such bid. Without preemption waiting jobs may outbid a running one, and the price is
// capped at its own bid.
//
// A running job that ranks before all waiting ones outranks them all, so that jobs of
// equal need pay the same there: each need has an index, as Kth has one, and a bill is a
// difference of it. Fillers, which rank behind the first waiting job, are charged one by
// one, each when its own price changes. After a round the price of every need and of
// every filler is looked up, in O(log n) each. So the cost is that of Kth where jobs are
// of one width, as on serial logs; otherwise it grows with the number of different widths
// that run, and with the fillers, which all together hold less than the first waiting job
// asks for. On a pool needs are rarely equal: there the cost is O(running x log n).
//
// Rejected: an index for each need in every stretch of the order between two waiting
// jobs. Each start or stop moves the room of all waiting jobs behind it, and with that
// the limits of the stretches of every need.
type Critical struct {
	market  policies.Passer
	reserve float64
	now     events.Time
	byNeed  map[policies.Amount]int32 // looked up, never walked over
	needs   []needIndex
	unused  []int32 // needs without jobs
	jobs    perRef[charged]
	fillers []policies.Ref
	spare   []policies.Ref
	round   int64
	waiting bool         // some job waits
	capped  *cappedIndex // nil where no cap applies: a tree for each need
}

// needIndex is the price of one need and its integral up to a time.
type needIndex struct {
	tariff
	need     policies.Amount
	reserved bool // the price is the reservation price, which has no cap
	members  int32
	root     int32 // in capped
}

// charged is how a running job is billed: by the index of its need, or as a filler at a
// price of its own.
type charged struct {
	index  int32
	filler bool
	round  int64        // in which it was last found to be a filler
	mark   policies.Sum // of the index
	before float64      // what it owes from earlier stretches
	price  float64      // since a time
	since  events.Time
}

func newCritical(m policies.Passer, reserve float64, capped bool) *Critical {
	p := &Critical{market: m, reserve: reserve, byNeed: map[policies.Amount]int32{}}
	if capped {
		p.capped = &cappedIndex{}
	}
	return p
}

// Advance moves the scheme's clock.
func (p *Critical) Advance(now events.Time) { p.now = now }

// Open begins to charge ref. The price of its need is set when the round is cleared.
func (p *Critical) Open(ref policies.Ref, j *policies.Job) {
	*p.jobs.get(ref) = charged{}
	p.join(ref, j.Need, j.Bid)
}

// Close returns the integral of the job's price since Open.
func (p *Critical) Close(ref policies.Ref, j *policies.Job) float64 {
	t := p.jobs.get(ref)
	if t.filler {
		t.filler = false
		return t.before + float64(t.price*(p.now-t.since).Seconds())
	}
	return t.before + p.leave(ref, j.Bid)
}

// join bills a job by the index of its need.
func (p *Critical) join(ref policies.Ref, need policies.Amount, bid float64) {
	t := p.jobs.get(ref)
	t.filler, t.index = false, p.indexOf(need)
	x := &p.needs[t.index]
	p.move(x)
	x.members++
	t.mark = x.paid
	if p.capped != nil {
		x.root = p.capped.insert(x.root, ref, bid)
	}
}

// leave ends that and returns what is due. An index without jobs is given up.
func (p *Critical) leave(ref policies.Ref, bid float64) float64 {
	t := p.jobs.get(ref)
	x := &p.needs[t.index]
	p.move(x)
	due := x.paid.Minus(t.mark)
	if p.capped != nil {
		root, own, keys := p.capped.remove(x.root, ref)
		x.root = root
		due += float64(bid*own.Seconds()) + keys
	}
	if x.members--; x.members == 0 {
		delete(p.byNeed, x.need)
		p.unused = append(p.unused, t.index)
	}
	return due
}

// indexOf returns the place of a need's index, which it makes if there is none.
func (p *Critical) indexOf(need policies.Amount) int32 {
	i, known := p.byNeed[need]
	if known {
		return i
	}
	if n := len(p.unused); n > 0 {
		i, p.unused = p.unused[n-1], p.unused[:n-1]
	} else {
		i, p.needs = int32(len(p.needs)), append(p.needs, needIndex{})
	}
	p.byNeed[need] = i
	p.needs[i] = needIndex{tariff: tariff{since: p.now}, need: need, root: policies.NilNode}
	p.set(&p.needs[i])
	return i
}

// move brings an index up to now.
func (p *Critical) move(x *needIndex) {
	if p.capped == nil || x.reserved {
		x.tariff.move(p.now)
		return
	}
	if dt := p.now - x.since; dt > 0 {
		p.capped.charge(x.root, x.price, dt)
		x.since = p.now
	}
}

// set looks the price of a need up.
func (p *Critical) set(x *needIndex) {
	bid, any := p.market.Critical(x.need, -1)
	if !any {
		bid = p.reserve
	}
	if bid != x.price || any == x.reserved {
		p.move(x)
		x.price, x.reserved = bid, !any
	}
}

// Clear sets the prices that follow from the order of the round.
func (p *Critical) Clear(r *policies.Round) {
	for i := range p.needs {
		if p.needs[i].members > 0 {
			p.set(&p.needs[i])
		}
	}
	_, p.waiting = p.market.Critical(everything, -1)
	p.round++
	before := p.fillers
	p.fillers = p.market.Fillers(p.spare[:0])
	p.spare = before
	if len(r.Held) > 0 { // which the policy takes to have started
		p.fillers = slices.DeleteFunc(p.fillers, func(ref policies.Ref) bool { return r.Job(ref).State != policies.Running })
	}
	for _, ref := range p.fillers {
		p.fill(ref, r.Job(ref))
	}
	for _, ref := range before {
		if t := p.jobs.get(ref); t.filler && t.round != p.round {
			t.before += float64(t.price * (p.now - t.since).Seconds())
			j := r.Job(ref)
			p.join(ref, j.Need, j.Bid)
		}
	}
}

// everything is a need at which any waiting job would fit.
var everything = policies.Amount{CPU: math.MaxFloat64, Memory: math.MaxFloat64, GPU: math.MaxFloat64,
	Disk: math.MaxFloat64}

// fill charges a job by itself.
func (p *Critical) fill(ref policies.Ref, j *policies.Job) {
	t := p.jobs.get(ref)
	t.round = p.round
	bid, any := p.market.Critical(j.Need, ref)
	if !any {
		bid = p.reserve
	}
	switch {
	case !t.filler:
		t.before += p.leave(ref, j.Bid)
		t.filler = true
	case bid == t.price:
		return
	default:
		t.before += float64(t.price * (p.now - t.since).Seconds())
	}
	t.price, t.since = bid, p.now
}

// Price returns the job's price from its definition, in O(n): the bid of the first job
// after which it does not fit any more, as one descends the order without it.
func (p *Critical) Price(j *policies.Job) float64 {
	price, free := p.reserve, p.market.Contested(j)
	p.market.Contest(func(seq int64, bid float64, need policies.Amount) bool {
		if seq == j.Seq || !need.Fits(free) {
			return true
		}
		free = free.Minus(need)
		if j.Need.Fits(free) {
			return true
		}
		if price = bid; p.capped != nil {
			price = min(bid, j.Bid)
		}
		return false
	})
	return price
}

// Quote returns the reservation price while no job waits. Otherwise there is no common
// price, and Quote is not a number.
func (p *Critical) Quote() float64 {
	if p.waiting {
		return math.NaN()
	}
	return p.reserve
}

// Clone returns an independent copy.
func (p *Critical) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.market, _ = policies.As[policies.Passer](of)
	c.byNeed, c.needs, c.unused = maps.Clone(p.byNeed), slices.Clone(p.needs), slices.Clone(p.unused)
	c.jobs, c.fillers, c.spare = slices.Clone(p.jobs), slices.Clone(p.fillers), nil
	if p.capped != nil {
		c.capped = p.capped.clone()
	}
	return &c
}
