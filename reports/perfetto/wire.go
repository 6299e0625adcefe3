package perfetto

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"bourse/events"
)

// Numbers of fields and values, from the project's protos/perfetto/trace.
const (
	tracePacket = 1 // Trace.packet

	packetTime       = 8 // TracePacket: in ns
	packetSequence   = 10
	packetEvent      = 11
	packetDescriptor = 60

	trackUUID     = 1 // TrackDescriptor
	trackName     = 2
	trackParent   = 5
	trackCounter  = 8
	trackOrdering = 11
	trackRank     = 12

	counterUnit = 6 // CounterDescriptor.unit_name

	byRank = 3 // TrackDescriptor.ChildTracksOrdering EXPLICIT

	eventNote   = 4 // TrackEvent: debug_annotations
	eventType   = 9
	eventTrack  = 11
	eventName   = 23
	eventValue  = 44 // double_counter_value
	eventFlow   = 47
	eventFlowTo = 48 // terminating_flow_ids

	sliceBegin, sliceEnd, instant, counter = 1, 2, 3, 4 // TrackEvent.Type

	noteInt    = 4 // DebugAnnotation
	noteDouble = 5
	noteText   = 6
	noteName   = 10
)

// message is a protobuf message in the making.
type message []byte

func (m *message) number(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) fixed(field protowire.Number, v uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), v)
}

func (m *message) double(field protowire.Number, v float64) { m.fixed(field, math.Float64bits(v)) }

func (m *message) text(field protowire.Number, v string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) message(field protowire.Number, v message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

// note adds an argument that the viewer shows beside an event.
func (m *message) note(name string, value any) {
	var n message
	n.text(noteName, name)
	switch v := value.(type) {
	case int64:
		n.number(noteInt, uint64(v))
	case float64:
		n.double(noteDouble, v)
	case string:
		n.text(noteText, v)
	}
	m.message(eventNote, n)
}

// event begins a TrackEvent.
func event(kind, track uint64) (m message) {
	m.number(eventType, kind)
	m.number(eventTrack, track)
	return m
}

// emit writes a packet with an event. Times before the trace's zero, which its clock does not
// have, are shown emit zero.
func (t *Trace) emit(now events.Time, e message) error {
	t.packet = t.packet[:0]
	t.packet.number(packetTime, uint64(max(now, 0))*1000)
	t.packet.number(packetSequence, 1)
	t.packet.message(packetEvent, e)
	return t.write()
}

// write writes the packet.
func (t *Trace) write() error {
	head := protowire.AppendTag(t.head[:0], tracePacket, protowire.BytesType)
	t.head = protowire.AppendVarint(head, uint64(len(t.packet)))
	if _, err := t.out.Write(t.head); err != nil {
		return err
	}
	_, err := t.out.Write(t.packet)
	return err
}
