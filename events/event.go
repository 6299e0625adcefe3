package events

// Class is the kind of an event. Inside one instant the classes apply
// in this order: the machine changes first, work that ends frees its
// processors before anything is decided, round ticks and new bids come next,
// and arrivals are last, so that a policy sees an instant's arrivals on a
// machine that is already up to date.
type Class uint8

// The classes, in their order inside an instant.
const (
	Machine Class = iota
	Completion
	Timer
	Bid
	Arrival
)

var classNames = [...]string{"machine", "completion", "timer", "bid", "arrival"}

// String returns the class's name.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "unknown"
}

// Event is one thing that will happen. Events are values, 24 bytes each, and
// hold no pointers: a queue of them is copied by copying a slice.
type Event struct {
	At   Time
	rank uint64 // class in the top byte, sequence below: the order inside an instant
	// Slot is the engine's number of the event's subject.
	Slot int32
	// Arg tells apart events of one subject: a completion's epoch, a bid
	// update's index.
	Arg uint32
}

const seqBits = 56

// New makes an event. seq breaks ties inside a class and must be below 2^56;
// the engine uses the job's place in the trace.
func New(at Time, class Class, seq int64, slot int32, arg uint32) Event {
	return Event{At: at, rank: uint64(class)<<seqBits | uint64(seq), Slot: slot, Arg: arg}
}

// Class returns the event's class.
func (e Event) Class() Class { return Class(e.rank >> seqBits) }

// Seq returns the event's sequence number.
func (e Event) Seq() int64 { return int64(e.rank & (1<<seqBits - 1)) }

// Before is the total order of events: time, then class, then sequence.
func (e Event) Before(f Event) bool {
	return e.At < f.At || e.At == f.At && e.rank < f.rank
}
