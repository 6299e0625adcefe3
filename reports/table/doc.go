// Package table holds results as values. A Table is columns, rows with a key of what was
// varied, and cells: an estimate with its interval, a number, a word, or missing. A Report
// is the tables and sentences with which a program answers; Output renders it as text for a
// terminal, Markdown, LaTeX, HTML, CSV, JSON or Parquet. A figure is named once, in its
// Column, and appears in every format. The package computes nothing.
package table
