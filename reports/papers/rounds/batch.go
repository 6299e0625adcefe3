package rounds

import (
	"math"
)

// The facts of the paper's simulator about its models: how many samples an epoch has, and the largest and least batch
// size of which there are speeds.
var (
	dataset = map[string]int{"ResNet-18": 50_000, "ResNet-50": 100_000, "Transformer": 10_000, "LM": 59_675,
		"Recommendation": 117_907}
	largest = map[string]int{"ResNet-18": 256, "ResNet-50": 128, "Transformer": 128, "LM": 80, "Recommendation": 8192}
	least   = map[string]int{"ResNet-18": 16, "ResNet-50": 16, "Transformer": 16, "LM": 5, "Recommendation": 512}
)

// doublings are the epochs at which the batch size doubles under GNS, by first batch size and devices.
var doublings = map[kind][]int{
	{"ResNet-18", 16, 1}: {31, 41, 51, 71}, {"ResNet-18", 32, 1}: {21, 31, 51}, {"ResNet-18", 64, 1}: {11, 31},
	{"ResNet-18", 128, 1}: {11}, {"ResNet-18", 16, 2}: {21, 31, 91, 111}, {"ResNet-18", 32, 2}: {11, 21, 41},
	{"ResNet-18", 64, 2}: {21, 41}, {"ResNet-18", 128, 2}: {41}, {"ResNet-18", 16, 4}: {11, 21, 81, 91},
	{"ResNet-18", 32, 4}: {21, 31, 61}, {"ResNet-18", 64, 4}: {11, 61}, {"ResNet-18", 128, 4}: {11},
	{"ResNet-50", 64, 1}: {101}, {"ResNet-50", 32, 2}: {101, 111}, {"ResNet-50", 64, 2}: {81},
	{"ResNet-50", 32, 4}: {131, 221}, {"ResNet-50", 64, 4}: {191}, {"LM", 5, 1}: {31, 41, 61, 71},
	{"LM", 10, 1}: {11, 21, 41}, {"LM", 20, 1}: {11, 41}, {"LM", 40, 1}: {11}, {"LM", 5, 2}: {31, 51, 61, 71},
	{"LM", 10, 2}: {11, 31, 41}, {"LM", 20, 2}: {31, 41}, {"LM", 40, 2}: {11}, {"LM", 5, 4}: {11, 31, 71, 91},
	{"LM", 10, 4}: {11, 31, 61}, {"LM", 20, 4}: {11, 61}, {"LM", 40, 4}: {61}, {"Recommendation", 512, 1}: {21, 41, 71, 91},
	{"Recommendation", 1024, 1}: {21, 51, 91}, {"Recommendation", 2048, 1}: {21, 41}, {"Recommendation", 4096, 1}: {41},
}

// epochSteps are the steps of an epoch at a batch size.
func epochSteps(model string, batch int) int { return (dataset[model] + batch - 1) / batch }

func epochs(steps int, model string, batch int) int {
	return int(math.Ceil(float64(steps) / float64(epochSteps(model, batch))))
}

// training is a job under way.
type training struct {
	*job
	batch           int // now
	run, total      int // steps, at this batch size
	grows, shrinks  bool
	held            float64 // seconds on devices
	failed          int     // rounds in a row without work
	end             float64 // NaN before
	lengths, starts []float64
}

// adapt says whether the batch size is to change, which it does at the end of the next round that the job is in.
func (t *training) adapt() {
	epoch := epochs(t.run, t.model, t.batch)
	switch {
	case t.mode == "gns":
		t.grows = t.grows || (t.gns(epoch+1) > t.batch || t.gns(epoch) > t.batch) && t.batch != largest[t.model]
	case t.mode != "accordion" || t.model == "Transformer":
	case t.critical(epoch):
		t.shrinks = t.shrinks || t.batch != t.job.batch && t.batch != least[t.model]
	default:
		t.grows = t.grows || t.batch == t.job.batch && t.batch != largest[t.model]
	}
}

// gns is the batch size of an epoch under GNS.
func (t *training) gns(epoch int) int {
	batch := t.job.batch
	for _, at := range doublings[kind{t.model, t.job.batch, t.devices}] {
		if epoch >= at {
			batch *= 2
		}
	}
	return min(batch, largest[t.model])
}

// critical reports whether Accordion keeps the first batch size in an epoch.
func (t *training) critical(epoch int) bool {
	first := 10
	switch t.model {
	case "ResNet-50":
		epoch %= 30
	case "ResNet-18":
		if t.job.batch == 256 {
			first = 20
		}
		if epoch >= 150 && epoch < 160 || epoch >= 250 && epoch < 260 {
			return true
		}
	case "Recommendation":
		switch t.job.batch {
		case 512, 1024:
			first = 30
		case 2048:
			first = 40
		}
	}
	return epoch < first
}

// rescale changes the batch size if that is to be: the epochs stay, those begun count as done.
func (t *training) rescale(s speeds) {
	old, batch := t.batch, t.job.batch
	switch {
	case !t.grows && !t.shrinks, t.model != "Transformer" && t.job.batch == largest[t.model]:
		batch = old
	case t.mode == "gns":
		batch = 2 * old
	case t.grows:
		batch = largest[t.model]
	}
	t.grows, t.shrinks = false, false
	if batch == old || s[kind{t.model, batch, t.devices}.String()] == 0 {
		return
	}
	all := epochs(t.total, t.model, old)
	t.total = int(math.Ceil(float64(t.total) * (1 / (float64(batch) / float64(old)))))
	if epochs(t.total, t.model, batch) != all {
		t.total = all * epochSteps(t.model, batch)
	}
	t.run = epochs(t.run, t.model, old) * epochSteps(t.model, batch)
	t.batch = batch
}
