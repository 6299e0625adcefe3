package learn

import (
	"math"

	"bourse/traces/rng"
)

// Actions are the multiples of their values that agents may bid.
var Actions = []float64{.1, .25, .5, .75, 1, 1.5, 2, 4}

// honest is the truth among them.
const honest = 4

// The rules of learning.
const (
	Hedge = "hedge"
	EXP3  = "exp3"
)

// Rules lists them.
var Rules = []string{Hedge, EXP3}

// learner holds an agent's weights.
type learner struct {
	log   []float64 // of the weights
	rate  float64   // Hedge's eta
	gamma float64   // EXP3's, 0 by Hedge
}

// newLearner expects so many epochs.
func newLearner(rule string, actions int, epochs float64) *learner {
	k, t := float64(actions), max(1, epochs)
	l := &learner{log: make([]float64, actions)}
	if rule == EXP3 {
		l.gamma = min(1, math.Sqrt(float64(k*rng.Log(k))/float64((math.E-1)*t)))
	} else {
		l.rate = math.Sqrt(8 * rng.Log(k) / t)
	}
	return l
}

// weights are the shares of the actions in what was learnt.
func (l *learner) weights() []float64 {
	most, sum := math.Inf(-1), 0.0
	for _, x := range l.log {
		most = max(most, x)
	}
	w := make([]float64, len(l.log))
	for k, x := range l.log {
		w[k] = rng.Exp(max(-700, x-most))
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}

// played is how likely each action is drawn: by EXP3 now and then any.
func (l *learner) played(w []float64) []float64 {
	q := make([]float64, len(w))
	for k := range w {
		q[k] = float64((1-l.gamma)*w[k]) + l.gamma/float64(len(w))
	}
	return q
}

// learnAll credits what each action would have paid.
func (l *learner) learnAll(g []float64) {
	for k := range g {
		l.log[k] += float64(l.rate * g[k])
	}
}

// learnOne credits what the action drawn has paid, q being its probability.
func (l *learner) learnOne(k int, g, q float64) {
	l.log[k] += l.gamma * g / float64(q*float64(len(l.log)))
}

// pick is the action at u, uniform in [0, 1).
func pick(q []float64, u float64) int {
	for k := range q {
		if u -= q[k]; u < 0 {
			return k
		}
	}
	return len(q) - 1
}

// dot is the mean of x under shares w.
func dot(w, x []float64) (mean float64) {
	for k := range w {
		mean += float64(w[k] * x[k])
	}
	return mean
}

// entropy is that of shares, 1 where all are alike.
func entropy(w []float64) (h float64) {
	for _, p := range w {
		if p > 0 {
			h -= float64(p * rng.Log(p))
		}
	}
	return h / rng.Log(float64(len(w)))
}
