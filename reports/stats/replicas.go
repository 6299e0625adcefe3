package stats

// LeastReplicas is from how many replicas or seeds on anything is concluded from them.
const LeastReplicas = 5

// Resembles reports whether replicas whose figure is so many times the log's say anything of the
// log: from half of it to twice as much.
func Resembles(overLog float64) bool { return overLog <= 2 && overLog >= .5 }
