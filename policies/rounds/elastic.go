package rounds

import (
	"math"

	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Elastic gives jobs of a log that says nothing of it a speed: a share of them, drawn by their numbers, may run on
// Least to Most times what they ask for, by one law. What the log says of a job, its run time on what it asked for,
// stays.
type Elastic struct {
	Law         policies.Law // nil: Downey's, with A times what the job asks for and Sigma
	A, Sigma    float64
	Least, Most float64
	Share       float64
	Seed        uint64
}

// SpeedOf implements policies.Speeds.
func (e *Elastic) SpeedOf(j *traces.Job) *policies.Speed {
	if e.Share < 1 && rng.Stream(e.Seed, "elastic", uint64(j.ID)).Float64() >= e.Share {
		return nil
	}
	asked := float64(j.Procs)
	least, most := max(1, math.Ceil(float64(e.Least*asked))), math.Floor(float64(e.Most*asked))
	if least == asked && most == asked {
		return nil
	}
	law := e.Law
	if law == nil {
		law = policies.Downey{A: float64(e.A * asked), Sigma: e.Sigma}
	}
	return policies.NewSpeed(law, asked, least, most)
}
