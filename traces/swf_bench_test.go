package traces

import (
	"bytes"
	"io"
	"os"
	"testing"

	"bourse/traces/tracetest"

	"github.com/klauspost/compress/gzip"
)

const benchLog = "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz"

// drain reads src to its end.
func drain(tb testing.TB, src Source) (n int) {
	tb.Helper()
	var j Job
	for {
		switch err := src.Next(&j); err {
		case nil:
			n++
		case io.EOF:
			return n
		default:
			tb.Fatal(err)
		}
	}
}

func benchmark(b *testing.B, bytesPerRun int, open func() (Source, error)) {
	b.ReportAllocs()
	b.SetBytes(int64(bytesPerRun))
	jobs := 0
	for b.Loop() {
		src, err := open()
		if err != nil {
			b.Fatal(err)
		}
		jobs += drain(b, src)
		Close(src)
	}
	b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
}

func benchText(b *testing.B) (packed, text []byte) {
	packed, err := os.ReadFile(tracetest.Shared(b, benchLog))
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
		benchmark(b, len(text), func() (Source, error) {
			in, err := openStream("bench", bytes.NewReader(text))
			if err != nil {
				return nil, err
			}
			return openSWF(in, Options{})
		})
	})
	b.Run("parse+sort", func(b *testing.B) {
		benchmark(b, len(text), func() (Source, error) {
			return Open("-", Options{Stdin: bytes.NewReader(text)})
		})
	})
	b.Run("gunzip+parse+sort", func(b *testing.B) {
		benchmark(b, len(text), func() (Source, error) {
			return Open("-", Options{Stdin: bytes.NewReader(packed)})
		})
	})
	b.Run("gunzip+parse+sort ahead", func(b *testing.B) {
		benchmark(b, len(text), func() (Source, error) {
			src, err := Open("-", Options{Stdin: bytes.NewReader(packed)})
			if err != nil {
				return nil, err
			}
			return Ahead(src), nil
		})
	})
}
