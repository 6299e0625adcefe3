package perfetto

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/formats"
)

// schema is the part of Perfetto's that is written, for a reader that knows nothing of this
// package: message, field, number, type, and * for repeated ones.
const schema = `
Trace packet 1 TracePacket *
TracePacket timestamp 8 uint64
TracePacket trusted_packet_sequence_id 10 uint32
TracePacket track_event 11 TrackEvent
TracePacket track_descriptor 60 TrackDescriptor
TrackDescriptor uuid 1 uint64
TrackDescriptor name 2 string
TrackDescriptor parent_uuid 5 uint64
TrackDescriptor counter 8 CounterDescriptor
TrackDescriptor child_ordering 11 int32
TrackDescriptor sibling_order_rank 12 int32
CounterDescriptor unit_name 6 string
TrackEvent debug_annotations 4 DebugAnnotation *
TrackEvent type 9 int32
TrackEvent track_uuid 11 uint64
TrackEvent name 23 string
TrackEvent double_counter_value 44 double
TrackEvent flow_ids 47 fixed64 *
TrackEvent terminating_flow_ids 48 fixed64 *
DebugAnnotation int_value 4 int64
DebugAnnotation double_value 5 double
DebugAnnotation string_value 6 string
DebugAnnotation name 10 string
`

func traceType(t *testing.T) protoreflect.MessageDescriptor {
	t.Helper()
	types := map[string]descriptorpb.FieldDescriptorProto_Type{
		"uint64": descriptorpb.FieldDescriptorProto_TYPE_UINT64, "uint32": descriptorpb.FieldDescriptorProto_TYPE_UINT32,
		"int64": descriptorpb.FieldDescriptorProto_TYPE_INT64, "int32": descriptorpb.FieldDescriptorProto_TYPE_INT32,
		"string": descriptorpb.FieldDescriptorProto_TYPE_STRING, "double": descriptorpb.FieldDescriptorProto_TYPE_DOUBLE,
		"fixed64": descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
	}
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("trace.proto"), Syntax: proto.String("proto2")}
	messages := map[string]*descriptorpb.DescriptorProto{}
	for line := range strings.Lines(strings.TrimSpace(schema)) {
		w := strings.Fields(line)
		m := messages[w[0]]
		if m == nil {
			m = &descriptorpb.DescriptorProto{Name: proto.String(w[0])}
			messages[w[0]] = m
			file.MessageType = append(file.MessageType, m)
		}
		var number int32
		fmt.Sscan(w[2], &number)
		f := &descriptorpb.FieldDescriptorProto{Name: proto.String(w[1]), Number: proto.Int32(number),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
		if len(w) == 5 {
			f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		}
		if kind, ok := types[w[3]]; ok {
			f.Type = kind.Enum()
		} else {
			f.Type, f.TypeName = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), proto.String("."+w[3])
		}
		m.Field = append(m.Field, f)
	}
	d, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.Messages().ByName("Trace")
}

// slice is what a viewer would show: an event of a job on a track.
type slice struct {
	path, name string // of the track, from the top; of the event
	start, end int64  // ns; an instant's end is its start
	notes      map[string]any
	from, to   []uint64 // flows that begin and end
}

type timeline struct {
	slices []slice
	counts map[string][]string // "time value" by counter
}

// read decodes a trace as a viewer does: packets by time, slices nested by track.
func read(t *testing.T, data []byte) (out timeline) {
	t.Helper()
	trace := dynamicpb.NewMessage(traceType(t))
	if err := proto.Unmarshal(data, trace); err != nil {
		t.Fatal(err)
	}
	get := func(m protoreflect.Message, name protoreflect.Name) protoreflect.Value {
		return m.Get(m.Descriptor().Fields().ByName(name))
	}
	has := func(m protoreflect.Message, name protoreflect.Name) bool {
		return m.Has(m.Descriptor().Fields().ByName(name))
	}
	if len(trace.GetUnknown()) > 0 {
		t.Error("unknown fields")
	}
	paths, units, out := map[uint64]string{}, map[uint64]string{}, timeline{counts: map[string][]string{}}
	var packets []protoreflect.Message
	list := get(trace, "packet").List()
	for i := range list.Len() {
		p := list.Get(i).Message()
		if get(p, "trusted_packet_sequence_id").Uint() == 0 {
			t.Fatal("a packet without a sequence")
		}
		if !has(p, "track_descriptor") {
			packets = append(packets, p)
			continue
		}
		d := get(p, "track_descriptor").Message()
		id := get(d, "uuid").Uint()
		if paths[id] != "" {
			t.Fatalf("track %d is described twice", id)
		}
		paths[id] = paths[get(d, "parent_uuid").Uint()] + "/" + get(d, "name").String()
		if has(d, "counter") {
			units[id] = get(get(d, "counter").Message(), "unit_name").String()
		}
	}
	slices.SortStableFunc(packets, func(a, b protoreflect.Message) int {
		return cmp.Compare(get(a, "timestamp").Uint(), get(b, "timestamp").Uint())
	})
	open := map[uint64][]int{}
	for _, p := range packets {
		e, now := get(p, "track_event").Message(), int64(get(p, "timestamp").Uint())
		id := get(e, "track_uuid").Uint()
		if paths[id] == "" || len(e.GetUnknown()) > 0 {
			t.Fatalf("an event on track %d, which nobody described, or with unknown fields", id)
		}
		kind := get(e, "type").Int()
		switch kind {
		case sliceBegin, instant:
			s := slice{path: paths[id], name: get(e, "name").String(), start: now, end: now, notes: map[string]any{}}
			notes := get(e, "debug_annotations").List()
			for i := range notes.Len() {
				n := notes.Get(i).Message()
				n.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
					if f.Name() != "name" {
						s.notes[get(n, "name").String()] = v.Interface()
					}
					return true
				})
			}
			for i, flows := 0, get(e, "flow_ids").List(); i < flows.Len(); i++ {
				s.from = append(s.from, flows.Get(i).Uint())
			}
			for i, flows := 0, get(e, "terminating_flow_ids").List(); i < flows.Len(); i++ {
				s.to = append(s.to, flows.Get(i).Uint())
			}
			out.slices = append(out.slices, s)
			if kind == sliceBegin {
				open[id] = append(open[id], len(out.slices)-1)
			}
		case sliceEnd:
			n := len(open[id])
			if n == 0 {
				t.Fatalf("%s: an end without a beginning at %d", paths[id], now)
			}
			out.slices[open[id][n-1]].end = now
			open[id] = open[id][:n-1]
		case counter:
			if units[id] == "" {
				t.Fatalf("%s is no counter", paths[id])
			}
			out.counts[paths[id]] = append(out.counts[paths[id]],
				fmt.Sprintf("%d %g", now/1_000_000_000, get(e, "double_counter_value").Float()))
		}
	}
	for id, left := range open {
		if len(left) > 0 {
			t.Fatalf("%s: %d slices have no end", paths[id], len(left))
		}
	}
	return out
}

// twin gathers what a replay gives out, to hold the trace against.
type twin struct {
	outcomes []engine.Outcome
	segments []engine.Segment
	made     int // preemptions for jobs that start
	*Trace
}

func (w *twin) Round(r *policies.Round) error {
	for _, by := range r.Preemptors {
		if by >= 0 && r.Job(by).State == policies.Running {
			w.made++
		}
	}
	return w.Trace.Round(r)
}

func (w *twin) Record(o *engine.Outcome) error {
	w.outcomes = append(w.outcomes, *o)
	return w.Trace.Record(o)
}

func (w *twin) Segment(s *engine.Segment) error {
	c, j := *s, *s.Job
	c.Job, c.Nodes = &j, bytes.Clone(s.Nodes)
	w.segments = append(w.segments, c)
	return w.Trace.Segment(s)
}

func replay(t *testing.T, trace string, machine engine.Machine, m catalog.Market, o Options) (*twin, timeline) {
	t.Helper()
	source, err := formats.Open(trace, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	policy, pricer, bidder, err := m.Build()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	o.Names = source.Header().Names.Users
	w := &twin{Trace: New(&file, o)}
	config := engine.Config{Machine: machine, Policy: policy, Pricer: pricer, Bidder: bidder, Segments: w,
		Samples: w.Trace, Rounds: w}
	if _, err := engine.Run(context.Background(), config, source, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return w, read(t, file.Bytes())
}

// TestTimeline holds the trace of a market against what the replay gave out: every segment
// and every job once, the same bids and bills, and an arrow for every preemption.
func TestTimeline(t *testing.T) {
	w, got := replay(t, "synth:lublin?jobs=400&procs=16&seed=3", engine.Processors(16),
		catalog.Market{Policy: "hb", Payment: "kth", Values: "bimodal", Behaviour: "truthful", Seed: 1}, Options{})
	running, jobs, begins, ends := map[string]int{}, map[string]slice{}, map[uint64]slice{}, 0
	for _, s := range got.slices {
		switch {
		case strings.HasPrefix(s.path, "/processors/") && s.end > s.start:
			running[fmt.Sprint(s.name, s.start, s.end, s.notes["nodes"], s.notes["charge"])]++
			for _, f := range s.from {
				begins[f] = s
			}
		case strings.HasPrefix(s.path, "/users/") && strings.HasPrefix(s.name, "job "):
			jobs[s.name] = s
		}
	}
	if len(running) != len(w.segments) || len(jobs) != len(w.outcomes) {
		t.Fatalf("%d segments of %d, %d jobs of %d", len(running), len(w.segments), len(jobs), len(w.outcomes))
	}
	for _, s := range w.segments {
		if running[fmt.Sprint(keyOf(s.Job).String(), int64(s.Start)*1000, int64(s.End)*1000, string(s.Nodes),
			s.Charge)] != 1 {
			t.Fatalf("no slice of %s from %v", keyOf(s.Job), s.Start)
		}
	}
	for _, o := range w.outcomes {
		s := jobs[keyOf(&o.Job).String()]
		if s.start != int64(o.Job.Submit)*1000 || s.end != int64(o.End)*1000 || s.notes["payment"] != o.Payment ||
			s.notes["bid"] != o.Bid {
			t.Fatalf("%s is %+v; want %+v", keyOf(&o.Job).String(), s, o)
		}
	}
	for _, s := range got.slices {
		for _, f := range s.to {
			ends++
			by := begins[f]
			if s.name != "preempted by "+by.name || by.start != s.start {
				t.Errorf("flow %d leads from %s at %d to %q at %d", f, by.name, by.start, s.name, s.start)
			}
		}
	}
	if ends != w.made || ends != len(begins) || ends == 0 {
		t.Errorf("%d arrows end, %d begin; %d preemptions", ends, len(begins), w.made)
	}
	if n := len(got.counts["/jobs waiting"]); n < 100 {
		t.Errorf("the queue changes %d times", n)
	}
}

// TestWindow shows a part of the time and every third job.
func TestWindow(t *testing.T) {
	from, until := 40*3600*events.Second, 50*3600*events.Second
	w, got := replay(t, "synth:lublin?jobs=400&procs=16&seed=3", engine.Processors(16),
		catalog.Market{Policy: "fcfs", Payment: "none", Values: "bimodal", Behaviour: "truthful"},
		Options{From: from, Until: until, Every: 3})
	want := 0
	for _, s := range w.segments {
		if s.Job.ID%3 == 0 && s.End >= from && s.Start < until {
			want++
		}
	}
	n := 0
	for _, s := range got.slices {
		if strings.HasPrefix(s.path, "/processors/") {
			n++
		}
	}
	if n != want || n == 0 {
		t.Errorf("%d slices, want %d", n, want)
	}
	if first := got.counts["/jobs waiting"][0]; !strings.HasPrefix(first, fmt.Sprint(int64(from/events.Second), " ")) {
		t.Errorf("the queue begins with %s", first)
	}
}

// TestLanes: slices of one lane do not overlap, and there are as many lanes as slices at
// the busiest instant.
func TestLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type span struct{ start, end events.Time }
		spans := rapid.SliceOf(rapid.Custom(func(t *rapid.T) span {
			start := events.Time(rapid.IntRange(0, 50).Draw(t, "start"))
			return span{start, start + events.Time(rapid.IntRange(1, 20).Draw(t, "length"))}
		})).Draw(t, "spans")
		slices.SortFunc(spans, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.end, b.end),
				cmp.Compare(a.start, b.start))
		})
		w, l, last := New(&bytes.Buffer{}, Options{}), &lanes{name: "x"}, map[uint64]events.Time{}
		for _, s := range spans {
			track, err := w.take(l, s.start, s.end)
			if err != nil {
				t.Fatal(err)
			}
			if last[track] > s.start {
				t.Fatalf("%v overlaps one that ends at %d", s, last[track])
			}
			last[track] = s.end
		}
		most := 0
		for now := range events.Time(71) {
			n := 0
			for _, s := range spans {
				if s.start <= now && now < s.end {
					n++
				}
			}
			most = max(most, n)
		}
		if len(last) != most {
			t.Fatalf("%d lanes, want %d", len(last), most)
		}
	})
}

// TestNames: a user's name is shown, and numbers beyond the viewer's ranks have tracks.
func TestNames(t *testing.T) {
	var file bytes.Buffer
	names := &traces.Words{}
	w := New(&file, Options{Names: names})
	for i, user := range []traces.Label{names.Label([]byte("ann")), 7, math.MaxInt32 + 1, traces.NoLabel} {
		o := engine.Outcome{Job: traces.UnknownJob, End: events.Second}
		o.Job.ID, o.Job.User, o.Job.Submit, o.Job.Run = int64(i), user, 0, events.Second
		if err := w.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range read(t, file.Bytes()).slices {
		got = append(got, s.path)
	}
	want := []string{"/users/user ann/user ann", "/users/user 7/user 7", "/users/user 2147483648/user 2147483648",
		"/users/user unknown/user unknown"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
