//go:build !js

package zst

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// ErrBehind is what unpacking ends with when other bytes follow the packed ones.
var ErrBehind = zstd.ErrMagicMismatch

// NewReader unpacks what anybody packed, with windows as of zstd --long=31.
func NewReader(r io.Reader) (io.ReadCloser, error) {
	return reader(r, zstd.WithDecoderMaxWindow(1<<31))
}

// NewWriter packs.
func NewWriter(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

// NewScratchWriter packs fast what NewScratchReader is to unpack.
func NewScratchWriter(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
}

// NewScratchReader unpacks in little memory.
func NewScratchReader(r io.Reader) (io.ReadCloser, error) {
	return reader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
}

func reader(r io.Reader, how ...zstd.DOption) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, how...)
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}
