package record

import "bourse/traces"

// Kind is the type of a column's values.
type Kind uint8

// The kinds of column. Text is UTF-8.
const (
	Int64 Kind = iota
	Int32
	Float64
	Bool
	Text
)

var kindNames = [...]string{"int64", "int32", "float64", "bool", "string"}

// String returns the kind's name as printed by "bourse list columns".
func (k Kind) String() string { return kindNames[k] }

// Column documents one column of a dataset.
type Column struct {
	// Name is the column's name in every format.
	Name string
	Kind Kind
	// Unit is "s", "money", "1" for ratios and counts, or empty for names.
	Unit string
	// Nullable is true if a value may be unknown. Unknown is null in
	// Parquet and Arrow and empty in CSV, never a number such as -1.
	Nullable bool
	// Meaning is one line, with the formula where there is one.
	Meaning string
	// Source is the paper or archive that defines the column, if one does.
	Source string

	// few marks columns with few distinct values, for which a dictionary pays.
	few bool
}

// Field is a column together with the way to get its value from a record of
// type R. Exactly one of the functions is set, the one for the column's kind.
// They are called for every row, so none may allocate.
type Field[R any] struct {
	Column
	int64 func(*R) int64
	int32 func(*R) int32
	// float returns false where the value is unknown.
	float func(*R) (float64, bool)
	flag  func(*R) bool
	// text appends the value to buf; nothing appended means unknown.
	text func(r *R, names *traces.Names, buf []byte) []byte
}

// ColumnsOf strips the functions off a table.
func ColumnsOf[R any](table []Field[R]) []Column {
	cols := make([]Column, len(table))
	for i := range table {
		cols[i] = table[i].Column
	}
	return cols
}
