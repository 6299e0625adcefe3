package swf

import (
	"bytes"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// Limits on what is kept of a header, against files that are all comments.
const (
	maxFields    = 10_000
	maxFieldText = 4096
)

// readHeader takes the comment lines before the first record. A label is one
// word before a colon; text after a labelled line, up to an empty comment or
// the next label, continues it.
func (s *source) readHeader() error {
	if bytes.Equal(s.text.Peek(3), []byte("\xef\xbb\xbf")) {
		s.text.Start += 3 // the byte order mark some editors leave
	}
	going := false // the last line was labelled, or continued one
	for {
		head := s.text.Peek(1)
		for len(head) == 1 && (input.Blank(head[0]) || head[0] == '\r' || head[0] == '\n') {
			s.skipByte()
			head = s.text.Peek(1)
		}
		if len(head) == 0 || head[0] != ';' {
			break
		}
		line, err := s.text.Next()
		if err != nil {
			return s.ended(err)
		}
		going = s.headerLine(string(bytes.TrimSpace(line[1:])), going)
	}
	s.header.Procs = machineSize(s.header.Fields)
	s.header.Start, _ = traces.LeadingNumber(traces.FieldText(s.header.Fields, "UnixStartTime"))
	s.header.Start = max(s.header.Start, 0)
	if words := bytes.Fields(s.text.Peek(64)); s.header.Start == 0 && len(words) > 1 {
		submit, ok := traces.LeadingNumber(string(words[1]))
		s.header.Unix = ok && submit >= traces.UnixFrom
	}
	return nil
}

// skipByte passes one byte of white space that peek has shown.
func (s *source) skipByte() {
	if s.text.Buf[s.text.Start] == '\n' {
		s.text.Number++
	}
	s.text.Start++
}

// headerLine files one comment line and reports whether a field is under way.
func (s *source) headerLine(text string, going bool) bool {
	if label, value, ok := strings.Cut(text, ":"); ok && oneWord(label) && len(s.header.Fields) < maxFields {
		s.header.Fields = append(s.header.Fields, traces.Field{Label: label, Text: strings.TrimSpace(value)})
		return true
	}
	if text == "" || !going {
		return false
	}
	last := &s.header.Fields[len(s.header.Fields)-1]
	if len(last.Text) > maxFieldText {
		return false
	}
	last.Text = strings.TrimSpace(last.Text + " " + text)
	return true
}

func oneWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < 'A' || c > 'z' || c > 'Z' && c < 'a' })
}

// machineSize is MaxProcs, or else MaxNodes; numbers in headers carry trailing
// text, as in "1664 (72, 1368, 224)". A machine given only as "70  (dual)" nodes
// has twice as many processors.
func machineSize(fields []traces.Field) int {
	if n, ok := traces.LeadingNumber(traces.FieldText(fields, "MaxProcs")); ok && n > 0 {
		return int(n)
	}
	text := traces.FieldText(fields, "MaxNodes")
	n, ok := traces.LeadingNumber(text)
	if !ok || n <= 0 {
		return 0
	}
	switch text = strings.ToLower(text); {
	case strings.Contains(text, "(dual"):
		n *= 2
	case strings.Contains(text, "(quad"):
		n *= 4
	}
	return int(n)
}
