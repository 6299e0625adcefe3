// Package formats is the list of the formats a trace may be in. It opens a trace by its
// path, finding out the format, or by "format:path".
package formats
