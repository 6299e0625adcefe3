package table

import (
	"fmt"
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
	// Tick is the unit of time stamps in nanoseconds; 0 for other columns.
	Tick int64
}

// OpenParquet reads a file's index.
func OpenParquet(name string, in parquet.ReaderAtSeeker) (p *Parquet, err error) {
	damaged := func(err error) error {
		return &traces.Error{File: name, What: "not a whole Parquet file", Err: err, Want: "it may be cut short: fetch or write it again"}
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
			List: leaf.MaxRepetitionLevel() > 0, Flat: leaf.MaxRepetitionLevel() == 0 && leaf.MaxDefinitionLevel() <= 1, Tick: tick(leaf)}
	}
	return p, nil
}

// tick is the unit that a column of time stamps names.
func tick(leaf *schema.Column) int64 {
	if leaf.PhysicalType() == parquet.Types.Int96 {
		return 1000
	}
	var stamp schema.TimestampLogicalType
	switch of := leaf.LogicalType().(type) {
	case schema.TimestampLogicalType:
		stamp = of
	case *schema.TimestampLogicalType:
		stamp = *of
	default:
		return 0
	}
	switch stamp.TimeUnit() {
	case schema.TimeUnitMillis:
		return 1e6
	case schema.TimeUnitMicros:
		return 1e3
	}
	return 1
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
		return &traces.Error{File: p.Name, What: fmt.Sprintf("column %s is of type %s", f.Path, f.Type), Want: "want numbers, strings or time stamps"}
	}
	return nil
}

// recovered turns a panic of the library, its answer to some damage, into an error.
func recovered(err *error, damaged func(error) error) {
	if p := recover(); p != nil {
		*err = damaged(fmt.Errorf("%v", p))
	}
}
