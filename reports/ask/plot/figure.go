package plot

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/table"
	"bourse/traces/files"
)

// Figure is panels of lines and what is said of them.
type Figure struct {
	Panels  []*figures.Panel
	Caption string
	names   []string     // of the lines, where they are too many for a corner
	log     bool         // the measure's axis is logarithmic
	cut     bool         // and cuts intervals
	data    *table.Table // as drawn
}

// perRow is how many panels stand side by side.
const perRow = 3

// Save writes path.svg, .pdf, .png, .csv and .tex, all or none, and returns their names.
// Existing files are replaced.
func (f *Figure) Save(path string) (names []string, err error) {
	err = files.Together(func(set *files.Set) error {
		return cmp.Or(figures.Save(set, path, figures.Grid(f.Panels, perRow), f.names...),
			set.Write(path+".csv", f.data.WriteCSV),
			set.Write(path+".tex", func(w io.Writer) error { return f.latex(w, filepath.Base(path)) }))
	})
	for _, ending := range []string{".svg", ".pdf", ".png", ".csv", ".tex"} {
		names = append(names, path+ending)
	}
	return names, err
}

// latex writes the figure's environment.
func (f *Figure) latex(w io.Writer, name string) error {
	_, err := fmt.Fprintf(w, `%% needs \usepackage{graphicx}
\begin{figure}
  \centering
  \includegraphics[width=\linewidth]{%s.pdf}
  \caption{%s}
  \label{fig:%s}
\end{figure}
`, name, escaped(f.Caption), name)
	return err
}

// escaped is text as LaTeX takes it.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`,
		"}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`).Replace(text)
}

// corner is the quarter of a figure in which a legend hides the fewest points.
func corner(lines []figures.Line) string {
	var low, high, left, right float64 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for i := range l.X {
			left, right = min(left, l.X[i]), max(right, l.X[i])
			low, high = min(low, l.Y[i]), max(high, l.Y[i])
		}
	}
	count := map[string]int{}
	for _, l := range lines {
		for i := range l.X {
			name := "b"
			if l.Y[i] > (low+high)/2 {
				name = "t"
			}
			if l.X[i] > (left+right)/2 {
				name += "r"
			} else {
				name += "l"
			}
			count[name]++
		}
	}
	best := "tr"
	for _, name := range []string{"tl", "br", "bl"} {
		if count[name] < count[best] {
			best = name
		}
	}
	return best
}
