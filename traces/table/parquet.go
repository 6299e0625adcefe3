//go:build !js

package table

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/traces"
)

// Parquet is an open Parquet file: what columns it has, and its metadata.
type Parquet struct {
	Name   string // the file's, for messages
	Fields []Field
	file   *file.Reader
}

// Kind is how the values of a column reach the reader.
type Kind uint8

const (
	Other   Kind = iota // not readable
	Whole               // integers of 32 or 64 bits
	Real                // floating numbers of 64 bits
	Single              // floating numbers of 32 bits
	Text                // byte strings
	Instant             // time stamps of 96 bits, in microseconds since 1970
	Truth               // true or false, as 1 or 0
)

var kinds = map[parquet.Type]Kind{
	parquet.Types.Int64: Whole, parquet.Types.Int32: Whole, parquet.Types.Double: Real, parquet.Types.Float: Single,
	parquet.Types.ByteArray: Text, parquet.Types.Int96: Instant, parquet.Types.Boolean: Truth,
}

// Field is a column of a Parquet file.
type Field struct {
	Path string // the name, behind the names of the groups it is in
	Type string // as the file has it, for messages
	Kind Kind
	List bool // has any number of values a row
	Flat bool // has a value a row and is in no group
	// Tick is the unit of time stamps, dates and times in nanoseconds; 0 for other
	// columns. Span tells times, which are since midnight, from the others.
	Tick     int64
	Span     bool
	unsigned bool
	decimals int32 // behind the point of whole numbers
}

// OpenParquet reads a file's index.
func OpenParquet(name string, in parquet.ReaderAtSeeker) (p *Parquet, err error) {
	damaged := func(err error) error {
		return &traces.Error{File: name, What: "not a whole Parquet file", Err: err,
			Want: "it may be cut short: fetch or write it again"}
	}
	defer recovered(&err, damaged)
	f, err := file.NewParquetReader(in)
	if err != nil {
		return nil, damaged(err)
	}
	p = &Parquet{Name: name, file: f, Fields: make([]Field, f.MetaData().Schema.NumColumns())}
	for i := range p.Fields {
		leaf := f.MetaData().Schema.Column(i)
		p.Fields[i] = Field{Path: leaf.Path(), Type: leaf.PhysicalType().String(), Kind: kinds[leaf.PhysicalType()],
			List: leaf.MaxRepetitionLevel() > 0, Flat: leaf.MaxRepetitionLevel() == 0 && leaf.MaxDefinitionLevel() <= 1}
		p.Fields[i].understand(leaf)
	}
	return p, nil
}

// units are those of times and time stamps, in nanoseconds.
var units = map[schema.TimeUnitType]int64{schema.TimeUnitMillis: 1e6, schema.TimeUnitMicros: 1e3,
	schema.TimeUnitNanos: 1}

// day is in nanoseconds.
const day = 86400e9

// understand takes in the meaning of a column's numbers and strings. What would be
// read as something else is not readable.
func (f *Field) understand(leaf *schema.Column) {
	if leaf.PhysicalType() == parquet.Types.Int96 {
		f.Tick = 1000
		return
	}
	logical := leaf.LogicalType()
	if p := reflect.ValueOf(logical); p.Kind() == reflect.Pointer && !p.IsNil() { // the library has both
		if of, ok := p.Elem().Interface().(schema.LogicalType); ok {
			logical = of
		}
	}
	switch of := logical.(type) {
	case nil, schema.NoLogicalType, schema.NullLogicalType, schema.UnknownLogicalType, schema.StringLogicalType,
		schema.EnumLogicalType:
		return
	case schema.TimestampLogicalType:
		f.Tick = units[of.TimeUnit()]
	case schema.TimeLogicalType:
		f.Tick, f.Span = units[of.TimeUnit()], true
	case schema.DateLogicalType:
		f.Tick = day
	case schema.IntLogicalType:
		f.unsigned = !of.IsSigned()
	case schema.DecimalLogicalType:
		if f.decimals = of.Scale(); f.Kind != Whole {
			f.Kind = Other
		} else if f.decimals > 0 {
			f.Kind = Real
		}
	default:
		f.Kind = Other
	}
	f.Type = logical.String() + " as " + f.Type
}

// Names returns the paths of all columns.
func (p *Parquet) Names() []string {
	names := make([]string, len(p.Fields))
	for i := range names {
		names[i] = p.Fields[i].Path
	}
	return names
}

// Find returns the index of a column by its path, or -1.
func (p *Parquet) Find(path string) int { return p.file.MetaData().Schema.ColumnIndexByName(path) }

// Rows returns the number of rows.
func (p *Parquet) Rows() int64 { return p.file.NumRows() }

// Meta returns a value of the file's metadata, and whether there is one.
func (p *Parquet) Meta(key string) (string, bool) {
	if v := p.file.MetaData().KeyValueMetadata().FindValue(key); v != nil {
		return *v, true
	}
	return "", false
}

// Check refuses a column that is not flat or of a kind that cannot be read, and of those
// that can be read the kinds but.
func (p *Parquet) Check(column int, but ...Kind) error {
	switch f := p.Fields[column]; {
	case !f.Flat:
		return &traces.Error{File: p.Name, What: "column " + f.Path + " is nested", Want: "want a flat column"}
	case f.Kind == Other || slices.Contains(but, f.Kind):
		return p.refuse(column, "want numbers, strings, decimal numbers in 32 or 64 bits, dates, times or time stamps")
	}
	return nil
}

// CheckTime refuses a column of dates, times or time stamps, except instants or
// durations where those are wanted.
func (p *Parquet) CheckTime(column int, instants, durations bool) error {
	switch f := p.Fields[column]; {
	case f.Tick == 0 || instants || f.Span && durations:
		return nil
	case durations:
		return p.refuse(column, "want a duration")
	}
	return p.refuse(column, "want numbers or strings")
}

func (p *Parquet) refuse(column int, want string) error {
	f := &p.Fields[column]
	return &traces.Error{File: p.Name, What: fmt.Sprintf("column %s is of type %s", f.Path, f.Type), Want: want}
}

// convert turns rows from..to of a batch into their values.
func (f *Field) convert(v *Values, from, to int) error {
	if f.decimals > 0 {
		v.Kind, v.Real = Real, sized(v.Real, to)
		for k := from; k < to; k++ {
			v.Real[k] = float64(v.Whole[k]) / math.Pow10(int(f.decimals))
		}
	}
	for k := from; f.unsigned && k < to; k++ {
		if v.Whole[k] >= 0 || v.Null(k) {
			continue
		}
		if v.narrow {
			v.Whole[k] = int64(uint32(v.Whole[k]))
			continue
		}
		return &traces.Error{What: fmt.Sprintf("column %s holds %d", f.Path, uint64(v.Whole[k])),
			Want: "want whole numbers below 2^63"}
	}
	return nil
}

// recovered turns a panic of the library, its answer to some damage, into an error.
func recovered(err *error, damaged func(error) error) {
	if p := recover(); p != nil {
		*err = damaged(fmt.Errorf("%v", p))
	}
}
