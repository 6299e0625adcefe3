package traces

import (
	"errors"
	"io"
	"testing"
)

func TestFirst(t *testing.T) {
	all := MemoryOf(Job{ID: 1}, Job{ID: 2}, Job{ID: 3})
	for n, want := range []int{0, 1, 2, 3, 3} {
		some, read := all.First(n).Source(), 0
		var j Job
		for {
			err := some.Next(&j)
			if errors.Is(err, io.EOF) {
				break
			}
			if read++; err != nil || j.ID != int64(read) {
				t.Fatalf("job %d is %d, %v", read, j.ID, err)
			}
		}
		if read != want {
			t.Errorf("the first %d are %d, want %d", n, read, want)
		}
	}
	if all.Len() != 3 {
		t.Errorf("%d jobs are left", all.Len())
	}
}
