// Package terminal formats figures, durations and tables for a terminal.
package terminal
