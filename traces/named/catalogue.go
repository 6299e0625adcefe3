package named

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"bourse/traces/suggest"
)

// Source is where traces come from.
type Source struct {
	Name, Title, Home string
	// Terms are those of use, Cite what to cite. Licence is the SPDX name of one that lets
	// anybody publish copies.
	Terms, Cite, Licence string
}

// Trace is an entry of the catalogue. What is not known is empty or 0.
type Trace struct {
	Name, Line string
	// Source is the name of one.
	Source string
	// File is the trace's name as published, with its folder where that alone tells it from
	// others, or that of a folder, in which there has to be what Folder says. Also lists other
	// names under which it is known.
	File, Folder string
	Also         []string
	// URL is where File is; Ask says where to look where no URL is known.
	URL, Ask string
	// Size and SHA256 are those of File, Contents is the SHA-256 of what is in it, unpacked.
	Size             int64
	SHA256, Contents string
	// Format is that of the trace, Query its parameters.
	Format, Query string
	// Jobs is how many there are, Nodes the size of the machine. Where is an expression that
	// keeps the jobs usually studied; Take is how many processors to replay them on, if the
	// trace does not say it. Machines is a table of them next to the trace, or "trace".
	Jobs     int64
	Nodes    int
	Take     int
	Where    string
	Machines string
	// Quirks is what to know about the trace.
	Quirks string
	// Caution is why results on it mean less than on others, in a few words.
	Caution string

	source *Source
}

//go:embed catalogue.toml
var text string

// read reads the catalogue once, when it is asked for.
var read = sync.OnceValue(func() []Trace {
	var all struct {
		Source []Source
		Trace  []Trace
	}
	if _, err := toml.Decode(text, &all); err != nil {
		panic(fmt.Sprintf("catalogue of traces: %v", err)) // the program's own
	}
	for i := range all.Trace {
		for k := range all.Source {
			if all.Source[k].Name == all.Trace[i].Source {
				all.Trace[i].source = &all.Source[k]
			}
		}
	}
	return all.Trace
})

// All lists the catalogue. It must not be changed.
func All() []Trace { return read() }

// Names are those of the catalogue.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Find returns the entry of a name, or the only one whose name goes on after it with a hyphen: kth for kth-sp2.
func Find(name string) (*Trace, error) {
	all := All()
	var short *Trace
	n := 0
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		if strings.HasPrefix(all[i].Name, name+"-") {
			short = &all[i]
			n++
		}
	}
	if n == 1 {
		return short, nil
	}
	return nil, fmt.Errorf("no trace %q in the catalogue%s", name, suggest.DidYouMean(name, Names()))
}

// From is where the trace comes from.
func (t *Trace) From() *Source { return t.source }

// Place is the URL, or where to ask.
func (t *Trace) Place() string {
	if t.URL != "" {
		return t.URL
	}
	return t.Ask
}
