//go:build !js

package table

import "github.com/apache/arrow/go/v15/arrow/memory"

// roomy is the library's allocator with a quarter of room to spare where a buffer grows.
// The encoder of levels, which are neither all null nor all known, asks for 64 bytes more
// every 504 rows at the latest and may have got a buffer of a megabyte: copying it each
// time took as long as all the rest.
type roomy struct{ *memory.GoAllocator }

// Reallocate implements memory.Allocator.
func (r roomy) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	grown := r.Allocate(max(size, cap(b)+cap(b)/4))[:size]
	copy(grown, b)
	return grown
}

// The buffers come from a pool that knows only this variable.
func init() { memory.DefaultAllocator = roomy{memory.NewGoAllocator()} }
