package google

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/google/go-cmp/cmp"

	"bourse/traces"
	"bourse/traces/tracetest"
)

// parquetOf2019 writes JSON lines of a table of 2019 as a database exports it:
// nullable columns, amounts in a group, enums as words or numbers.
func parquetOf2019(t *testing.T, path, lines string, words bool) {
	t.Helper()
	var rows []row2019
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		var row row2019
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	maybe := parquet.Repetitions.Optional
	pair := func(name string) schema.Node {
		return schema.Must(schema.NewGroupNode(name, maybe, schema.FieldList{schema.NewFloat64Node("cpus", maybe, -1),
			schema.NewFloat64Node("memory", maybe, -1)}, -1))
	}
	kind := schema.NewInt64Node("type", maybe, -1)
	if words {
		kind = schema.NewByteArrayNode("type", maybe, -1)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{
		schema.NewInt64Node("time", maybe, -1), kind, schema.NewInt64Node("collection_id", maybe, -1),
		schema.NewInt32Node("instance_index", maybe, -1),
		schema.NewInt64Node("machine_id", maybe, -1), schema.NewInt64Node("priority", maybe, -1),
		schema.NewInt64Node("scheduling_class", maybe, -1),
		schema.NewInt64Node("collection_type", maybe, -1), schema.NewByteArrayNode("user", maybe, -1),
		pair("resource_request"), pair("capacity"),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := file.NewParquetWriter(out, root)
	group := w.AppendRowGroup()
	for _, get := range []func(*row2019) *number2019{
		func(r *row2019) *number2019 { return &r.Time }, func(r *row2019) *number2019 { return &r.Type },
		func(r *row2019) *number2019 { return &r.Collection },
		func(r *row2019) *number2019 { return &r.Instance }, func(r *row2019) *number2019 { return &r.Machine },
		func(r *row2019) *number2019 { return &r.Priority },
		func(r *row2019) *number2019 { return &r.Class }, func(r *row2019) *number2019 { return &r.CollectionType },
	} {
		writeLeaf(t, group, rows, func(r *row2019) (int64, string, float64, int16) {
			n := get(r)
			word, code := n.name, n.v
			if n == &r.Type {
				names := names2019[:]
				if r.Capacity != nil {
					names = moves2019[:]
				}
				code, _ = n.code(names)
				word = names[code]
			}
			if n == &r.CollectionType {
				code, _ = n.code(sets2019[:])
			}
			if !n.set {
				return 0, "", 0, 0
			}
			return code, word, 0, 1
		})
	}
	writeLeaf(t, group, rows, func(r *row2019) (int64, string, float64, int16) {
		return 0, r.User, 0,
			int16(min(1, len(r.User)))
	})
	for _, get := range []func(*row2019) (*amount2019, bool){
		func(r *row2019) (*amount2019, bool) { return r.ResourceRequest, true },
		func(r *row2019) (*amount2019, bool) { return r.ResourceRequest, false },
		func(r *row2019) (*amount2019, bool) { return r.Capacity, true },
		func(r *row2019) (*amount2019, bool) { return r.Capacity, false },
	} {
		writeLeaf(t, group, rows, func(r *row2019) (int64, string, float64, int16) {
			pair, first := get(r)
			if pair == nil {
				return 0, "", 0, 0
			}
			x := pair.Memory
			if first {
				x = pair.CPUs
			}
			if x == nil {
				return 0, "", 0, 1
			}
			return 0, "", *x, 2
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeLeaf writes a column: of returns a row's value in each form and its level.
func writeLeaf(t *testing.T, group file.SerialRowGroupWriter, rows []row2019,
	of func(*row2019) (int64, string, float64, int16)) {
	t.Helper()
	out, err := group.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	var levels []int16
	var wide []int64
	var narrow []int32
	var words []parquet.ByteArray
	var reals []float64
	for i := range rows {
		whole, word, real, level := of(&rows[i])
		levels = append(levels, level)
		if level == out.Descr().MaxDefinitionLevel() {
			wide, narrow, words, reals = append(wide, whole), append(narrow, int32(whole)),
				append(words, parquet.ByteArray(word)), append(reals, real)
		}
	}
	switch w := out.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(wide, levels, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(narrow, levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(words, levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(reals, levels, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGoogle2019Forms wants the same jobs and machines from JSON lines and from
// Parquet, whatever order the rows are in.
func TestGoogle2019Forms(t *testing.T) {
	instances, collections := as2019(tracetest.GoogleEvents("0 4 0 0", "0 4 0 1", "700 1 0 0", "710 1 0 1", "720 1 1 0",
		"800 1 0 2", "800 1 0 0", "850 1 0 1", "900 1 0 4", "950 1 1 5",
		"960 2 0 0", "960 2 0 1", "971 2 0 3", "971 2 0 0", "980 3 0 0", "980 3 0 5", "990 3 0 0", "1000 4 0 4"))
	instances += `{"time":"990","type":"QUEUE","collection_id":"3","instance_index":"7","priority":null}` + "\n" +
		`{"time":"991","type":"SCHEDULE","collection_id":"3","instance_index":"7","resource_request":{"memory":0.5}}` + "\n" +
		`{"time":"1000","type":"SUBMIT","collection_id":"9","instance_index":"0","collection_type":"ALLOC_SET"}` + "\n"
	machines := `{"time":"0","machine_id":"1","type":"ADD","capacity":{"cpus":0.5,"memory":0.25}}` + "\n" +
		`{"time":0,"machine_id":2,"type":1,"capacity":{"cpus":1,"memory":1}}` + "\n"
	lines := strings.SplitAfter(strings.TrimSuffix(instances, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	var want []traces.Job
	var capacity traces.Capacity
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 6 {
		dir := folder2019(t, strings.Join(lines, ""), collections, machines)
		if round > 0 {
			for name, text := range map[string]string{"instance_events-0": strings.Join(lines, ""),
				"collection_events-0": collections, "machine_events-0": machines} {
				if round%2 == 1 {
					os.Remove(filepath.Join(dir, name+"00000000000.json"))
					parquetOf2019(t, filepath.Join(dir, name+".parquet"), text, round == 3)
				}
			}
		}
		src, err := openAny(dir, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(src)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i].User = -1
		}
		if round == 0 {
			want, capacity = got, src.Header().Capacity
			if len(want) != 5 || src.(Counter).Counts().Left != 1 {
				t.Fatalf("%d jobs, %+v", len(want), src.(Counter).Counts())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || capacity != src.Header().Capacity {
			t.Errorf("round %d: %v, %v; %s", round, capacity, src.Header().Capacity, diff)
		}
		r.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
	}
}

// TestGoogle2019ParquetBadInput wants what is wrong with a file to be told.
func TestGoogle2019ParquetBadInput(t *testing.T) {
	instances, collections := as2019(tracetest.GoogleEvents("600 1 0 0", "601 1 0 1", "602 1 0 4"))
	dir := folder2019(t, instances, collections, "")
	path := filepath.Join(dir, "instance_events.parquet")
	os.Remove(filepath.Join(dir, "instance_events-000000000000.json"))
	parquetOf2019(t, path, instances, false)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string][]byte{"cut short": whole[:len(whole)-9],
		"not a whole Parquet file": []byte("{}\n"), "damaged": append([]byte("PAR1xxxx"), whole[8:]...)} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := openAny(dir, traces.Options{})
		if err == nil {
			_, err = tracetest.Rest(src)
		}
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
