package google

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
	"bourse/traces/table"
)

// leaves2019 are the columns that are read of the tables of 2019, each by its path
// and where its value goes. Numbers and enums may be whole numbers or words.
var leaves2019 = []struct {
	path   string
	number func(*row2019) *number2019
	amount func(*row2019) **float64
	word   func(*row2019) *string
}{
	{path: "time", number: func(r *row2019) *number2019 { return &r.Time }},
	{path: "type", number: func(r *row2019) *number2019 { return &r.Type }},
	{path: "collection_id", number: func(r *row2019) *number2019 { return &r.Collection }},
	{path: "scheduling_class", number: func(r *row2019) *number2019 { return &r.Class }},
	{path: "missing_type", number: func(r *row2019) *number2019 { return &r.Missing }},
	{path: "collection_type", number: func(r *row2019) *number2019 { return &r.CollectionType }},
	{path: "priority", number: func(r *row2019) *number2019 { return &r.Priority }},
	{path: "instance_index", number: func(r *row2019) *number2019 { return &r.Instance }},
	{path: "machine_id", number: func(r *row2019) *number2019 { return &r.Machine }},
	{path: "user", word: func(r *row2019) *string { return &r.User }},
	{path: "resource_request.cpus", amount: func(r *row2019) **float64 { return &r.ResourceRequest.CPUs }},
	{path: "resource_request.memory", amount: func(r *row2019) **float64 { return &r.ResourceRequest.Memory }},
	{path: "capacity.cpus", amount: func(r *row2019) **float64 { return &r.Capacity.CPUs }},
	{path: "capacity.memory", amount: func(r *row2019) **float64 { return &r.Capacity.Memory }},
}

// parquet2019 reads a table of 2019 some thousand rows of all columns at a time.
type parquet2019 struct {
	name   string
	places []int // leaves2019[i] is the file's column places[i], or -1
	rows   []row2019
	pairs  []amount2019 // request and capacity, by row
	values []float64    // behind their pointers: four a row
	used   int          // of values
	cells  []cell2019
}

// cell2019 is a value of any column: null unless it is a whole number, a fraction
// or a word.
type cell2019 struct {
	is    byte // 0, 'i', 'f', 'w'
	whole int64
	real  float64
	word  string
}

// eachParquet2019 calls f with every row of a Parquet file.
func eachParquet2019(path string, f func(row *row2019, number int64) error) error {
	disk, err := os.Open(path)
	if err != nil {
		return err
	}
	defer disk.Close()
	p := &parquet2019{
		name: path, rows: make([]row2019, table.BatchRows), pairs: make([]amount2019, 2*table.BatchRows), values: make([]float64, 4*table.BatchRows),
		cells: make([]cell2019, table.BatchRows),
	}
	in, err := p.open(disk)
	if err != nil {
		return err
	}
	number := int64(0)
	for g := range in.NumRowGroups() {
		inputs, left, err := p.group(in, g)
		if err != nil {
			return err
		}
		for left > 0 {
			n := int(min(left, table.BatchRows))
			if err := p.fill(inputs, n); err != nil {
				return err
			}
			for i := range n {
				number++
				if err := f(&p.rows[i], number); err != nil {
					return err
				}
			}
			left -= int64(n)
		}
	}
	return nil
}

// caught turns a panic of the library, its answer to some damage, into an error.
func (p *parquet2019) caught(err *error) {
	if bad := recover(); bad != nil {
		*err = p.damaged(fmt.Errorf("%v", bad))
	}
}

func (p *parquet2019) damaged(err error) error {
	return &traces.Error{File: p.name, What: "damaged Parquet data", Err: err, Want: "fetch or write the file again"}
}

// open finds the columns.
func (p *parquet2019) open(disk *os.File) (in *file.Reader, err error) {
	defer p.caught(&err)
	if in, err = table.OpenParquet(p.name, disk); err != nil {
		return nil, err
	}
	sc := in.MetaData().Schema
	for _, leaf := range leaves2019 {
		at := sc.ColumnIndexByName(leaf.path)
		p.places = append(p.places, at)
		if at >= 0 && sc.Column(at).MaxRepetitionLevel() > 0 {
			return nil, &traces.Error{File: p.name, What: "column " + leaf.path + " is a list", Want: "a value a row was expected"}
		}
	}
	if slices.Max(p.places) < 0 {
		return nil, &traces.Error{File: p.name, What: "a Parquet file with none of the trace's columns", Want: "an export of the tables of 2019 was expected"}
	}
	return in, nil
}

// group opens a row group's columns and tells its rows.
func (p *parquet2019) group(in *file.Reader, g int) (inputs []file.ColumnChunkReader, rows int64, err error) {
	defer p.caught(&err)
	group := in.RowGroup(g)
	inputs = make([]file.ColumnChunkReader, len(leaves2019))
	for i, at := range p.places {
		if at < 0 {
			continue
		}
		if inputs[i], err = group.Column(at); err != nil {
			return nil, 0, p.damaged(err)
		}
	}
	return inputs, group.NumRows(), nil
}

// fill decodes the next n rows.
func (p *parquet2019) fill(inputs []file.ColumnChunkReader, n int) (err error) {
	defer p.caught(&err)
	p.used = 0
	for i := range n {
		p.pairs[2*i], p.pairs[2*i+1] = amount2019{}, amount2019{}
		p.rows[i] = row2019{ResourceRequest: &p.pairs[2*i], Capacity: &p.pairs[2*i+1]}
	}
	for leaf, in := range inputs {
		if in == nil {
			continue
		}
		err := p.Decode(in, n)
		for i := 0; i < n && err == nil; i++ {
			err = p.put(leaf, &p.rows[i], &p.cells[i])
		}
		if err != nil {
			return &traces.Error{File: p.name, What: "column " + leaves2019[leaf].path, Err: err, Want: "a whole file with the types of the trace was expected"}
		}
	}
	return nil
}

// Decode reads n values of a column into cells.
func (p *parquet2019) Decode(in file.ColumnChunkReader, n int) error {
	switch r := in.(type) {
	case *file.Int64ColumnChunkReader:
		return cellsOf(p, in, r.ReadBatch, n, func(v int64) cell2019 { return cell2019{is: 'i', whole: v} })
	case *file.Int32ColumnChunkReader:
		return cellsOf(p, in, r.ReadBatch, n, func(v int32) cell2019 { return cell2019{is: 'i', whole: int64(v)} })
	case *file.Float64ColumnChunkReader:
		return cellsOf(p, in, r.ReadBatch, n, func(v float64) cell2019 { return cell2019{is: 'f', real: v} })
	case *file.Float32ColumnChunkReader:
		return cellsOf(p, in, r.ReadBatch, n, func(v float32) cell2019 { return cell2019{is: 'f', real: float64(v)} })
	case *file.ByteArrayColumnChunkReader:
		return cellsOf(p, in, r.ReadBatch, n, func(v parquet.ByteArray) cell2019 { return cell2019{is: 'w', word: string(v)} })
	}
	return fmt.Errorf("it is of type %v", in.Type())
}

func cellsOf[T any](p *parquet2019, in file.ColumnChunkReader, read table.BatchReader[T], n int, cell func(T) cell2019) error {
	return table.EachValue(in, read, n, func(row int, v T, known bool) {
		p.cells[row] = cell2019{}
		if known {
			p.cells[row] = cell(v)
		}
	})
}

// put stores a value in a row.
func (p *parquet2019) put(leaf int, row *row2019, c *cell2019) error {
	to := &leaves2019[leaf]
	switch {
	case c.is == 0:
	case to.number != nil && c.is == 'i':
		*to.number(row) = number2019{v: c.whole, set: true}
	case to.number != nil && c.is == 'w':
		return to.number(row).read(c.word)
	case to.amount != nil && c.is == 'f':
		p.values[p.used] = c.real
		*to.amount(row) = &p.values[p.used]
		p.used++
	case to.word != nil && c.is == 'w':
		*to.word(row) = c.word
	default:
		return errors.New("values of another kind: ids rounded to fractions cannot be mended")
	}
	return nil
}
