//go:build !js

package google

import (
	"errors"
	"io"
	"os"
	"slices"

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
	name    string
	file    *table.Parquet
	places  []int // leaves2019[i] is the file's column places[i], or -1
	columns *table.Columns
	values  table.Values
	rows    []row2019
	pairs   []amount2019 // request and capacity, by row
	amounts []float64    // behind their pointers: four a row
	used    int          // of amounts
}

// eachParquet2019 calls f with every row of a Parquet file.
func eachParquet2019(path string, f func(row *row2019, number int64) error) error {
	disk, err := os.Open(path)
	if err != nil {
		return err
	}
	defer disk.Close()
	p := &parquet2019{
		name: path, rows: make([]row2019, table.BatchRows), pairs: make([]amount2019, 2*table.BatchRows),
		amounts: make([]float64, 4*table.BatchRows),
	}
	if err := p.open(disk); err != nil {
		return err
	}
	for number := int64(0); ; {
		n, err := p.fill()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range n {
			number++
			if err := f(&p.rows[i], number); err != nil {
				return err
			}
		}
	}
}

// open finds the columns.
func (p *parquet2019) open(disk *os.File) (err error) {
	if p.file, err = table.OpenParquet(p.name, disk); err != nil {
		return err
	}
	for _, leaf := range leaves2019 {
		at := p.file.Find(leaf.path)
		p.places = append(p.places, at)
		if at >= 0 && p.file.Fields[at].List {
			return &traces.Error{File: p.name, What: "column " + leaf.path + " is a list", Want: "want one value per row"}
		}
	}
	if slices.Max(p.places) < 0 {
		return &traces.Error{File: p.name, What: "a Parquet file with none of the trace's columns",
			Want: "want an export of the tables of 2019"}
	}
	p.columns = p.file.Columns(p.places...)
	return nil
}

// fill decodes the next rows and returns how many.
func (p *parquet2019) fill() (int, error) {
	n, err := p.columns.Next()
	if err != nil {
		return 0, err
	}
	p.used = 0
	for i := range n {
		p.pairs[2*i], p.pairs[2*i+1] = amount2019{}, amount2019{}
		p.rows[i] = row2019{ResourceRequest: &p.pairs[2*i], Capacity: &p.pairs[2*i+1]}
	}
	for leaf, at := range p.places {
		if at < 0 {
			continue
		}
		if err := p.columns.Read(leaf, &p.values); err != nil {
			return 0, err
		}
		for i := range n {
			if p.values.Null(i) {
				continue
			}
			if err := p.setValue(leaf, &p.rows[i], i); err != nil {
				return 0, &traces.Error{File: p.name, What: "column " + leaves2019[leaf].path, Err: err,
					Want: "want the types of the trace"}
			}
		}
	}
	return n, nil
}

// setValue stores a value in a row.
func (p *parquet2019) setValue(leaf int, row *row2019, k int) error {
	to, v := &leaves2019[leaf], &p.values
	switch {
	case to.number != nil && v.Kind == table.Whole:
		*to.number(row) = number2019{v: v.Whole[k], set: true}
	case to.number != nil && v.Kind == table.Text:
		return to.number(row).read(string(v.Text[k]))
	case to.amount != nil && (v.Kind == table.Real || v.Kind == table.Single):
		p.amounts[p.used] = v.Real[k]
		*to.amount(row) = &p.amounts[p.used]
		p.used++
	case to.word != nil && v.Kind == table.Text:
		*to.word(row) = string(v.Text[k])
	default:
		return errors.New("values of an unexpected type: ids rounded to fractions cannot be restored")
	}
	return nil
}
