package remote

import (
	"encoding/json"
	"strconv"

	"bourse/traces"
)

// label writes a label: what the log calls it, where that is no number.
func (x *Exec) label(b []byte, name string, l traces.Label, words *traces.Words) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	if text, ok := words.Text(l); ok && words != nil && l.Named() {
		quoted, err := json.Marshal(text)
		if err == nil {
			return append(b, quoted...)
		}
	}
	return strconv.AppendInt(b, int64(l), 10)
}
