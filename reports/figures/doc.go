// Package figures draws the figures of studies in one style: lines with intervals
// and maps of cells, as wide as a column of a paper, in colours that colour-blind
// readers can distinguish (Okabe and Ito 2008), with markers and dashes that do on a
// black-and-white printer. Figures are written as SVG, PDF and PNG.
package figures
