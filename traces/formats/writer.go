package formats

import (
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"bourse/traces"
	"bourse/traces/swf"
	"bourse/traces/workload"
)

// Writer chooses how to write a trace by the ending of the file's name.
func Writer(path string) (func(io.Writer, traces.Source) (int64, error), error) {
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, ".swf"):
		return swf.Write, nil
	case strings.HasSuffix(name, ".swf.gz"):
		return compressed(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }), nil
	case strings.HasSuffix(name, ".swf.zst"):
		return compressed(func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }), nil
	case strings.HasSuffix(name, ".parquet"):
		return workload.Write, nil
	}
	return nil, fmt.Errorf("%s: the ending says what to write: .swf, .swf.gz or .swf.zst for SWF, .parquet for the workload Parquet", path)
}

// IsSWF reports whether a name's ending is one of those for SWF.
func IsSWF(path string) bool {
	name := strings.ToLower(path)
	return strings.HasSuffix(name, ".swf") || strings.HasSuffix(name, ".swf.gz") || strings.HasSuffix(name, ".swf.zst")
}

// compressed writes SWF through a compressor.
func compressed(open func(io.Writer) (io.WriteCloser, error)) func(io.Writer, traces.Source) (int64, error) {
	return func(w io.Writer, src traces.Source) (int64, error) {
		c, err := open(w)
		if err != nil {
			return 0, err
		}
		n, err := swf.Write(c, src)
		if err != nil {
			return n, err
		}
		return n, c.Close()
	}
}
