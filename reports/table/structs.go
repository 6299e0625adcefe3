package table

import (
	"reflect"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Structs makes a table of rows that are structs. A field is a column, by the name of its
// JSON tag; the fields of a struct within are columns NAME.FIELD. Further tags are for
// readers:
//
//	head  the heading; of an array one for each element, separated by |; of a struct the
//	      beginning of the headings within
//	unit  number (the default), seconds, ratio, small, percent, share, fine, general, words,
//	      clock, since, exact, money, rate, parts
//	part  which of several tables the column is in
//	key, signed  set on fields that tell rows apart, and on differences
//
// A field may be a string, an int, a float64, a *float64, a bool, an Estimate, or a list, of
// which JSON alone has the elements.
func Structs[R any](rows []R) *Table {
	t := &Table{Plain: true, nested: true, Rows: make([]Row, len(rows))}
	var none R
	walk(reflect.ValueOf(none), Column{}, func(c Column, _ Cell) { t.Columns = append(t.Columns, c) })
	for i := range rows {
		walk(reflect.ValueOf(rows[i]), Column{},
			func(_ Column, cell Cell) { t.Rows[i].Cells = append(t.Rows[i].Cells, cell) })
	}
	return t
}

var units = map[string]terminal.Unit{
	"": terminal.Number, "number": terminal.Number, "seconds": terminal.Seconds, "ratio": terminal.Ratio,
	"small":   terminal.Small,
	"percent": terminal.Percent, "share": terminal.Share, "fine": terminal.Fixed(3), "general": terminal.General,
	"words": terminal.Words,
	"clock": terminal.Clock, "since": terminal.Since, "exact": terminal.Exact, "money": terminal.Money,
	"rate": terminal.Rate, "parts": terminal.Fixed(4),
}

// walk goes through the fields of a struct, which is in the column within, in order.
func walk(v reflect.Value, within Column, add func(Column, Cell)) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Tag.Get("json") == "-" {
			continue
		}
		name, optional := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
		_, key := f.Tag.Lookup("key")
		c := Column{Name: strings.Trim(within.Name+"."+name, "."), Heading: f.Tag.Get("head"), Unit: units[f.Tag.Get("unit")],
			Key: key, Optional: optional, Part: within.Part}
		if part := f.Tag.Get("part"); part != "" {
			c.Part = int(part[0] - '0')
		}
		if within.Heading != "" && c.Heading != "" {
			c.Heading = within.Heading + ": " + c.Heading
		} else if f.Anonymous {
			c.Heading = within.Heading
		}
		field(v.Field(i), c, f.Tag, add)
	}
}

func field(v reflect.Value, c Column, tag reflect.StructTag, add func(Column, Cell)) {
	e, isEstimate := v.Interface().(stats.Estimate)
	_, signed := tag.Lookup("signed")
	switch {
	case isEstimate && signed:
		add(c, Change(e))
	case isEstimate:
		add(c, Estimate(e))
	case v.Kind() == reflect.Struct:
		walk(v, c, add)
	case v.Kind() == reflect.Array || v.Kind() == reflect.Slice:
		elements(v, c, add)
	case v.Kind() == reflect.Bool:
		add(c, Truth(v.Bool()))
	case v.Kind() == reflect.Float64 && signed:
		cell := Number(v.Float())
		cell.signed = true
		add(c, cell)
	case v.Kind() == reflect.String && v.Len() == 0 && c.Optional:
		add(c, Missing)
	case v.Kind() == reflect.String:
		add(c, Word(v.String()))
	default:
		add(c, cellOf(v.Interface()))
	}
}

// elements adds a list for programs, and a column for each of its headings.
func elements(v reflect.Value, c Column, add func(Column, Cell)) {
	headings := c.Heading
	c.Heading = ""
	add(c, List(v.Interface()))
	if headings == "" {
		return
	}
	for i, heading := range strings.Split(headings, "|") {
		c.Name, c.Heading = "", heading
		add(c, cellOf(v.Index(i).Interface()))
	}
}
