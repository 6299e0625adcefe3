// Package inspect describes a trace before it is replayed: header, counts, spans,
// distributions and anomalies of one trace, and two traces compared.
package inspect
