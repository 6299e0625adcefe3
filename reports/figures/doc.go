// Package figures is the one style in which studies draw: lines with intervals
// and maps of cells, fit for a column of a paper, in colours that the
// colour-blind can tell apart (Okabe and Ito 2008) with markers and dashes that
// survive a black-and-white printer. Figures are written as SVG, PDF and PNG.
package figures
