package record

import (
	"bytes"
	"io"
	"math"
	"strconv"
)

// csvEncoder writes RFC 4180 with a header line and LF line ends. Numbers take
// the shortest form that reads back to the same float64. It is its own
// appender because encoding/csv wants every field as a string.
type csvEncoder struct {
	w    io.Writer
	cols []Column
	line []byte
}

func newCSV(w io.Writer, cols []Column, _ []note) (encoder, error) {
	e := &csvEncoder{w: w, cols: cols}
	for i := range cols {
		e.separate(i)
		e.line = appendWord(e.line, []byte(cols[i].Name))
	}
	e.line = append(e.line, '\n')
	return e, e.send()
}

func (e *csvEncoder) separate(column int) {
	if column > 0 {
		e.line = append(e.line, ',')
	}
}

func (e *csvEncoder) send() error {
	_, err := e.w.Write(e.line)
	e.line = e.line[:0]
	return err
}

func (e *csvEncoder) write(b *batch) error {
	for row := range b.rows {
		for i := range e.cols {
			e.separate(i)
			e.value(&b.cols[i], e.cols[i].Kind, row)
		}
		e.line = append(e.line, '\n')
		if len(e.line) >= 1<<16 {
			if err := e.send(); err != nil {
				return err
			}
		}
	}
	return e.send()
}

func (e *csvEncoder) value(v *vector, kind Kind, row int) {
	if v.null(row) {
		return
	}
	switch kind {
	case Int64:
		e.line = strconv.AppendInt(e.line, v.i64[row], 10)
	case Int32:
		e.line = strconv.AppendInt(e.line, int64(v.i32[row]), 10)
	case Float64:
		e.line = appendFloat(e.line, v.f64[row])
	case Bool:
		e.line = strconv.AppendBool(e.line, v.flags[row])
	case Text:
		e.line = appendWord(e.line, v.word(row))
	}
}

// appendFloat writes x as the shortest decimal that reads back to it: whole
// numbers without a fraction, exponents only where the digits run out. Minus
// zero, which a valuation of nothing is, is written 0.
func appendFloat(dst []byte, x float64) []byte {
	switch a := math.Abs(x); {
	case a < 1<<53 && a == math.Trunc(a):
		return strconv.AppendInt(dst, int64(x), 10)
	case a >= 1e-6 && a < 1e21:
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'e', -1, 64)
}

// appendWord writes text, quoted where RFC 4180 asks for it and where a
// reader would strip blanks.
func appendWord(dst, text []byte) []byte {
	edge := len(text) > 0 && (text[0] == ' ' || text[len(text)-1] == ' ')
	if !edge && !bytes.ContainsAny(text, "\",\r\n") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for _, c := range text {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

func (e *csvEncoder) close() error { return nil }
