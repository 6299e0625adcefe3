//go:build !js

package table

import (
	"bytes"
	"sync"

	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/klauspost/compress/zstd"
)

// heldPages are a column's pages, in memory: a column's place in the file is known when
// those before it are written.
type heldPages struct {
	file.PageWriter
	hasDict, fellBack bool
	room              *[]byte // for a compressed page
}

// compressor makes the bytes that the library's own does at the same level. The library
// makes a new one for every page, with 8 MB; this one is for all goroutines.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true),
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(compressionLevel)))
	if err != nil {
		panic(err) // the options are wrong
	}
	return e
})

// Compress returns src compressed. The result is copied or written before the next page
// is compressed.
func (h *heldPages) Compress(_ *bytes.Buffer, src []byte) []byte {
	*h.room = compressor().EncodeAll(src, (*h.room)[:0])
	return *h.room
}

// Close is called when the column is encoded, and notes what write must know.
func (h *heldPages) Close(hasDict, fellBack bool) error {
	h.hasDict, h.fellBack = hasDict, fellBack
	return nil
}

// write puts the pages into the file.
func (h *heldPages) write() error { return h.PageWriter.Close(h.hasDict, h.fellBack) }
