package policies_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/policies"
)

// TestQueueAgainstScanning compares the queue with a table that is scanned.
func TestQueueAgainstScanning(t *testing.T) {
	type item struct {
		key float64
		seq int64
	}
	rapid.Check(t, func(t *rapid.T) {
		var q policies.Queue
		table := map[policies.Ref]item{}
		first := func() policies.Ref {
			best := policies.Ref(-1)
			for ref, it := range table {
				if b := table[best]; best < 0 || it.key < b.key || it.key == b.key && it.seq < b.seq {
					best = ref
				}
			}
			return best
		}
		for i := range int64(rapid.IntRange(0, 150).Draw(t, "steps")) {
			ref := policies.Ref(rapid.IntRange(0, 15).Draw(t, "ref"))
			_, in := table[ref]
			switch {
			case !in:
				it := item{float64(rapid.IntRange(-2, 2).Draw(t, "key")), i}
				q.Push(it.key, it.seq, ref)
				table[ref] = it
			case rapid.Bool().Draw(t, "remove"):
				if !q.Remove(ref) || q.Remove(ref) {
					t.Fatal("Remove should say yes once")
				}
				delete(table, ref)
			default:
				want := first()
				if got := q.Pop(); got != want {
					t.Fatalf("popped %d, want %d", got, want)
				}
				delete(table, want)
			}
			if q.Len() != len(table) || len(table) > 0 && (q.Head() != first() || q.HeadKey() != table[first()].key) {
				t.Fatalf("the queue and the table differ after %d steps", i)
			}
		}
	})
}

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]policies.Spec{
		"hb":       {Name: "hb"},
		"posted:3": {Name: "posted", Args: []policies.Arg{{Value: "3"}}},
		"srg( beta=.5 , share=1)": {Name: "srg", Args: []policies.Arg{{Key: "beta", Value: ".5"}, {Key: "share",
			Value: "1"}}},
		"easy(order=f(a,b))": {Name: "easy", Args: []policies.Arg{{Key: "order", Value: "f(a,b)"}}},
		"x()":                {Name: "x"},
	} {
		got, err := policies.ParseSpec(text)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("ParseSpec(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"srg(beta=.5": "is not closed", "srg(a))": "closed that was not opened", "srg((a)": "is not closed",
	} {
		if _, err := policies.ParseSpec(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseSpec(%q): %v, want an error with %q", text, err, want)
		}
	}
}

func TestBind(t *testing.T) {
	params := []policies.Param{{Name: "beta", Default: "0.9", Doc: "beta"}, {Name: "share", Default: "0.1", Doc: "share"}}
	bind := func(text string) (*policies.Args, error) {
		s, err := policies.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		return policies.Bind(s, params)
	}
	a, err := bind("srg(.5,share=.2)")
	if err != nil || a.Float("beta", 0, 1) != .5 || a.Float("share", 0, 1) != .2 || a.Err() != nil {
		t.Errorf("srg(.5,share=.2): %v %v", err, a.Err())
	}
	if a, _ = bind("srg(beta=2)"); a.Float("beta", 0, 1) != 2 || a.Err() == nil ||
		!strings.Contains(a.Err().Error(), `beta="2" should be a number from 0 to 1`) {
		t.Errorf("beta out of range: %v", a.Err())
	}
	if a, _ = bind("srg(beta=NaN)"); a.Float("beta", 0, 1) == 0 || a.Err() == nil {
		t.Error("NaN should be refused")
	}
	for text, want := range map[string]string{
		"srg(bta=1)":         "no parameter \"bta\"",
		"srg(1,2,3)":         "takes beta, share",
		"srg(beta=1,beta=2)": "given twice",
	} {
		if _, err := bind(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}
