package bidding

import (
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Shaper is a model of Values whose jobs are worth less the later they end. u is uniform in
// [0, 1), the job's own.
type Shaper interface {
	Values
	Shape(j *traces.Job, u float64) *policies.Shape
}

// Deadlines gives jobs a deadline, (1 + slack) times their run time after their submission,
// with a slack drawn from a range.
type Deadlines struct {
	Values
	Least, Most float64
}

// Shape is one step.
func (d Deadlines) Shape(j *traces.Job, u float64) *policies.Shape {
	slack := d.Least + float64(u*(d.Most-d.Least))
	return policies.NewShape([]float64{1 + slack}, one, j.Run)
}

var one = []float64{1}

// Steps lets what a job is worth fall in steps, at multiples of its run time.
type Steps struct {
	Values
	Times, Factors []float64
}

// Shape is that of all jobs, in units of their run times.
func (s Steps) Shape(j *traces.Job, _ float64) *policies.Shape {
	return policies.NewShape(s.Times, s.Factors, j.Run)
}

// shapeOf draws a job's shape, nil if the model has none.
func shapeOf(v Values, j *traces.Job, slack *rng.Rand) *policies.Shape {
	s, ok := v.(Shaper)
	if !ok {
		return nil
	}
	slack.Key(uint64(j.ID))
	return s.Shape(j, slack.Float64())
}
