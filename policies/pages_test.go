package policies

import "testing"

func TestPages(t *testing.T) {
	var p Pages[int]
	const n = 3*pageLen + 5
	for i := range n {
		if ref := p.Add(); int(ref) != i || *p.At(ref) != 0 {
			t.Fatalf("entry %d is at %d and holds %d", i, ref, *p.At(ref))
		}
		*p.At(Ref(i)) = i
	}
	first := p.At(0)
	var c Pages[int]
	for range n + 2*pageLen { // used before, for more entries
		*c.At(c.Add()) = -3
	}
	p.CopyTo(&c)
	*c.At(n - 1) = -1
	if ref := c.Add(); ref != n || *c.At(ref) != 0 {
		t.Errorf("the entry after the copied ones is at %d and holds %d", ref, *c.At(ref))
	}
	*first = -2
	if p.Len() != n || c.Len() != n+1 || *p.At(0) != -2 || *c.At(0) != 0 || *p.At(n - 1) != n-1 || *c.At(n - 1) != -1 {
		t.Errorf("lengths %d and %d; a table and its copy share entries, or pointers into it moved", p.Len(), c.Len())
	}
	for i := 1; i < n-1; i++ {
		if *p.At(Ref(i)) != i || *c.At(Ref(i)) != i {
			t.Fatalf("entry %d holds %d, its copy %d", i, *p.At(Ref(i)), *c.At(Ref(i)))
		}
	}
}
