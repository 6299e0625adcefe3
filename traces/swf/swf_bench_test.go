package swf_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/gzip"

	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

func benchText(b *testing.B) (packed, text []byte) {
	packed, err := os.ReadFile(tracetest.Shared(b, tracetest.BenchLog))
	if err != nil {
		b.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	text, err = io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	return packed, text
}

// BenchmarkSWF reads one log of 20 MB: parsing alone, with the sort window, and
// with decompression. MB/s are of the text.
func BenchmarkSWF(b *testing.B) {
	packed, text := benchText(b)
	b.Run("parse", func(b *testing.B) {
		tracetest.Benchmark(b, len(text), func() (traces.Source, error) {
			return formats.Open("-", traces.Options{Stdin: bytes.NewReader(text), SortWindow: -1})
		})
	})
	b.Run("parse+sort", func(b *testing.B) {
		tracetest.Benchmark(b, len(text), func() (traces.Source, error) {
			return formats.Open("-", traces.Options{Stdin: bytes.NewReader(text)})
		})
	})
	b.Run("gunzip+parse+sort", func(b *testing.B) {
		tracetest.Benchmark(b, len(text), func() (traces.Source, error) {
			return formats.Open("-", traces.Options{Stdin: bytes.NewReader(packed)})
		})
	})
	b.Run("file", func(b *testing.B) { // unpacked on a goroutine of its own
		tracetest.Benchmark(b, len(text), func() (traces.Source, error) {
			return formats.Open(tracetest.Shared(b, tracetest.BenchLog), traces.Options{})
		})
	})
	b.Run("gunzip+parse+sort ahead", func(b *testing.B) {
		tracetest.Benchmark(b, len(text), func() (traces.Source, error) {
			src, err := formats.Open("-", traces.Options{Stdin: bytes.NewReader(packed)})
			if err != nil {
				return nil, err
			}
			return traces.Ahead(src), nil
		})
	})
}
