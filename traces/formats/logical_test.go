package formats

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/traces"
	"bourse/traces/tracetest"
)

// column is one of a Parquet file of one row.
type column struct {
	name    string
	logical schema.LogicalType
	value   any // int32, int64 or string
}

// oneRow writes a Parquet of one row with logical types as DuckDB and Arrow write them.
func oneRow(t *testing.T, columns ...column) string {
	t.Helper()
	var fields schema.FieldList
	for _, c := range columns {
		of, length := parquet.Types.Int32, -1
		switch v := c.value.(type) {
		case int64:
			of = parquet.Types.Int64
		case parquet.ByteArray:
			of = parquet.Types.ByteArray
		case parquet.FixedLenByteArray:
			of, length = parquet.Types.FixedLenByteArray, len(v)
		}
		fields = append(fields, schema.MustPrimitive(schema.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Required,
			c.logical, of, length, -1)))
	}
	var b bytes.Buffer
	f := file.NewParquetWriter(&b,
		schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)))
	g := f.AppendRowGroup()
	for _, c := range columns {
		w, err := g.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		switch v := c.value.(type) {
		case int32:
			_, err = w.(*file.Int32ColumnChunkWriter).WriteBatch([]int32{v}, nil, nil)
		case int64:
			_, err = w.(*file.Int64ColumnChunkWriter).WriteBatch([]int64{v}, nil, nil)
		case parquet.ByteArray:
			_, err = w.(*file.ByteArrayColumnChunkWriter).WriteBatch([]parquet.ByteArray{v}, nil, nil)
		case parquet.FixedLenByteArray:
			_, err = w.(*file.FixedLenByteArrayColumnChunkWriter).WriteBatch([]parquet.FixedLenByteArray{v}, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	g.Close()
	f.Close()
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLogicalTypes: a Parquet's numbers are what their logical types say, or are refused
// by the name of the type.
func TestLogicalTypes(t *testing.T) {
	plain := schema.NoLogicalType{}
	millis, micros, nanos := schema.TimeUnitMillis, schema.TimeUnitMicros, schema.TimeUnitNanos
	for _, c := range []struct {
		column
		want string // submit, run, procs and ID; or the error
	}{
		{column{"run", schema.NewDecimalLogicalType(8, 2), int32(2050)}, "0s 20.5s 1 7"},
		{column{"run", schema.NewDecimalLogicalType(18, 6), int64(20_500_000)}, "0s 20.5s 1 7"},
		{column{"run", schema.NewDecimalLogicalType(8, 0), int32(20)}, "0s 20s 1 7"},
		{column{"run", schema.NewDecimalLogicalType(8, 2), parquet.FixedLenByteArray{0, 0, 8, 2}},
			"column run is of type Decimal(precision=8, scale=2) as FIXED_LEN_BYTE_ARRAY"},
		{column{"run", schema.NewDecimalLogicalType(8, 2), parquet.ByteArray{8, 2}},
			"column run is of type Decimal(precision=8, scale=2) as BYTE_ARRAY"},
		{column{"run", schema.NewTimeLogicalType(true, millis), int32(20_500)}, "0s 20.5s 1 7"},
		{column{"run", schema.NewTimeLogicalType(true, micros), int64(20_500_000)}, "0s 20.5s 1 7"},
		{column{"run", schema.NewTimeLogicalType(true, nanos), int64(20_500_000_000)}, "0s 20.5s 1 7"},
		{column{"run", schema.DateLogicalType{}, int32(20)}, "column run is of type Date as INT32"},
		{column{"run", schema.NewTimestampLogicalType(true, millis), int64(20)}, "want a duration"},
		{column{"run", schema.NewIntLogicalType(32, false), int32(-1)}, "0s 4.294967295e+09s 1 7"},
		{column{"submit", schema.DateLogicalType{}, int32(3)}, "259200s 5s 1 7"},
		{column{"submit", schema.NewTimestampLogicalType(true, micros), int64(3_500_000)}, "3.5s 5s 1 7"},
		{column{"procs", schema.NewIntLogicalType(32, false), int32(5)}, "0s 5s 5 7"},
		{column{"procs", schema.NewIntLogicalType(32, false), int32(-1)}, `column procs is "4294967295"`},
		{column{"procs", schema.NewIntLogicalType(16, true), int32(5)}, "0s 5s 5 7"},
		{column{"procs", schema.DateLogicalType{}, int32(5)}, "column procs is of type Date as INT32"},
		{column{"procs", schema.NewTimeLogicalType(true, millis), int32(5)}, "want numbers or strings"},
		{column{"job", schema.NewIntLogicalType(64, false), int64(9)}, "0s 5s 1 9"},
		{column{"job", schema.NewIntLogicalType(64, false), int64(-1)}, "column job holds 18446744073709551615"},
		{column{"job", schema.UUIDLogicalType{}, make(parquet.FixedLenByteArray, 16)},
			"column job is of type UUID as FIXED_LEN_BYTE_ARRAY"},
		{column{"user", schema.BSONLogicalType{}, parquet.ByteArray("x")}, "column user is of type BSON as BYTE_ARRAY"},
		{column{"user", schema.EnumLogicalType{}, parquet.ByteArray("x")}, "0s 5s 1 7"},
	} {
		columns := []column{{"job", plain, int64(7)}, {"submit", plain, int64(0)}, {"run", plain, int64(5)},
			{"procs", plain, int64(1)}, {"user", schema.StringLogicalType{}, parquet.ByteArray("ann")}}
		for i := range columns {
			if columns[i].name == c.name {
				columns[i] = c.column
			}
		}
		var got string
		jobs, err := tracetest.All(Open, "parquet:"+oneRow(t, columns...), traces.Options{})
		if err != nil {
			got = err.Error()
		} else {
			j := jobs[0]
			got = fmt.Sprintf("%vs %vs %d %d", j.Submit.Seconds(), j.Run.Seconds(), j.Procs, j.ID)
		}
		if strings.HasPrefix(c.want, "0s ") || strings.HasSuffix(c.want, " 7") {
			if got != c.want {
				t.Errorf("%s %v: %s, want %s", c.name, c.logical, got, c.want)
			}
		} else if !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %s, want %s", c.name, c.logical, got, c.want)
		}
	}
}
