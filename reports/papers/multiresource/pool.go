package multiresource

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"

	"bourse/policies/share"
	"bourse/traces"
)

// eachLine passes the fields of each line of a compressed file on. The slices
// are reused. The format has no quotes.
func eachLine(path string, fields int, each func([][]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unzip, err := gzip.NewReader(bufio.NewReaderSize(file, 1<<18))
	if err != nil {
		return &traces.Error{File: path, What: "not gzip", Err: err}
	}
	lines := bufio.NewScanner(unzip)
	lines.Buffer(make([]byte, 1<<16), 1<<20)
	parts := make([][]byte, 0, fields)
	n := int64(0)
	for lines.Scan() {
		n++
		parts = parts[:0]
		for rest, found := lines.Bytes(), true; found; {
			var part []byte
			part, rest, found = bytes.Cut(rest, []byte{','})
			parts = append(parts, part)
		}
		if len(parts) != fields {
			return &traces.Error{File: path, Line: n, What: fmt.Sprintf("%d fields", len(parts)), Want: fmt.Sprintf("%d were expected", fields)}
		}
		if err := each(parts); err != nil {
			return &traces.Error{File: path, Line: n, What: err.Error()}
		}
	}
	if err := lines.Err(); err != nil {
		what := "cannot be read"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "the file ends in the middle"
		}
		return &traces.Error{File: path, Line: n + 1, What: what, Err: err}
	}
	return nil
}

// cpuShare is the share of a pool's vectors whose dominant resource is CPU, ties
// counting half, with demands divided by totals.
func cpuShare(pool [][2]float64, totals [2]float64) float64 {
	sum := 0.0
	for _, v := range pool {
		switch a, b := v[0]/totals[0], v[1]/totals[1]; {
		case a > b:
			sum++
		case a == b:
			sum += .5
		}
	}
	return sum / float64(len(pool))
}

// demands normalises a pool.
func demands(pool [][2]float64, totals [2]float64) (share.Demands, error) {
	raw := make([][]float64, len(pool))
	for i, v := range pool {
		raw[i] = []float64{v[0] / totals[0], v[1] / totals[1]}
	}
	return share.Normalise(raw)
}
