package bidding_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/policies/bidding"
	"bourse/traces"
)

// writeBids writes a table of bids; a negative time stands for null.
func writeBids(t *testing.T, names [4]string, ids []int64, numbers [3][]float64) *bytes.Reader {
	t.Helper()
	fields := schema.FieldList{schema.NewInt64Node(names[0], parquet.Repetitions.Required, -1)}
	for i, name := range names[1:] {
		rep := parquet.Repetitions.Required
		if i == 2 {
			rep = parquet.Repetitions.Optional
		}
		fields = append(fields, schema.NewFloat64Node(name, rep, -1))
	}
	root, err := schema.NewGroupNode("bids", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	group := w.AppendRowGroup()
	for i := range 4 {
		column, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		switch c := column.(type) {
		case *file.Int64ColumnChunkWriter:
			_, err = c.WriteBatch(ids, nil, nil)
		case *file.Float64ColumnChunkWriter:
			var levels []int16
			values := numbers[i-1]
			if i == 3 {
				var known []float64
				for _, v := range values {
					if v >= 0 {
						levels, known = append(levels, 1), append(known, v)
					} else {
						levels = append(levels, 0)
					}
				}
				values = known
			}
			_, err = c.WriteBatch(values, levels, nil)
		}
		if err == nil {
			err = column.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes())
}

func TestParquetTable(t *testing.T) {
	names := [4]string{"job_id", "value", "bid", "time_s"}
	table, err := bidding.ReadParquet("bids.parquet", writeBids(t, names, []int64{7, 8, 7}, [3][]float64{{5, 6, 5}, {4, 6, 3}, {-1, -1, 12.5}}))
	if err != nil {
		t.Fatal(err)
	}
	if o, err := table.Bid(&traces.Job{ID: 7}); err != nil || o.Value != 5 || o.Bid != 4 {
		t.Errorf("job 7: %v %v", o, err)
	}
	if r := table.Rebids(&traces.Job{ID: 7}); len(r) != 1 || r[0].At != 12_500_000 || r[0].Bid != 3 {
		t.Errorf("later bids of job 7: %v", r)
	}
	names[2] = "offer"
	_, err = bidding.ReadParquet("bids.parquet", writeBids(t, names, []int64{7}, [3][]float64{{5}, {4}, {1}}))
	if err == nil || !strings.Contains(err.Error(), "no column bid") {
		t.Errorf("a missing column: %v", err)
	}
	if _, err = bidding.ReadParquet("bids.parquet", bytes.NewReader([]byte("job_id,value,bid\n"))); err == nil || !strings.Contains(err.Error(), "bids.parquet: not a Parquet file") {
		t.Errorf("CSV under a Parquet name: %v", err)
	}
}
