package bundle

import (
	"cmp"
	"net/url"
	"path"
	"strings"
)

// entity is a node of the graph, by its properties.
type entity map[string]any

func ref(id string) entity { return entity{"@id": id} }

const (
	program    = "#bourse"
	noLicence  = "#licence"
	spdx       = "https://spdx.org/licenses/"
	descriptor = "ro-crate-metadata.json"
)

// crate describes the bundle as RO-Crate 1.1 asks for it: the descriptor, the folder, its files,
// and the action that made its results of its inputs. What is measured is not in it.
func (b *Bundle) crate(list []File) entity {
	root := entity{
		"@id": "./", "@type": "Dataset", "name": b.Name, "datePublished": b.Date, "license": ref(b.licence()),
		"description": "Inputs, command and expected results of a " + b.Kind + " by Bourse " + b.Version + ", with ARTIFACT.md for those who evaluate it and verify.sh, which repeats and compares it.",
		"mentions":    ref("#made"),
	}
	made := entity{"@id": "#made", "@type": "CreateAction", "name": b.Command, "instrument": ref(program)}
	graph := []entity{
		{"@id": descriptor, "@type": "CreativeWork", "conformsTo": ref("https://w3id.org/ro/crate/1.1"), "about": ref("./")},
		root,
	}
	var parts, objects, results []entity
	for _, f := range list {
		graph = append(graph, f.entity())
		parts = append(parts, ref(f.id()))
		switch folder, _, _ := strings.Cut(f.Path, "/"); folder {
		case Inputs:
			objects = append(objects, ref(f.id()))
		case Expected:
			results = append(results, ref(f.id()))
		}
	}
	for i := range b.Traces {
		if t := &b.Traces[i]; !t.Copied {
			e := t.entity()
			graph, objects = append(graph, e), append(objects, ref(e["@id"].(string)))
		}
	}
	root["hasPart"], made["object"], made["result"] = parts, objects, results
	graph = append(graph, made, entity{"@id": program, "@type": "SoftwareApplication", "name": "Bourse", "version": b.Version, "description": b.Program}, b.terms())
	return entity{"@context": []any{"https://w3id.org/ro/crate/1.1/context", entity{"sha256": "https://schema.org/sha256"}}, "@graph": graph}
}

func (b *Bundle) licence() string {
	if b.Licence == "" {
		return noLicence
	}
	return spdx + b.Licence
}

func (b *Bundle) terms() entity {
	e := entity{"@id": b.licence(), "@type": "CreativeWork", "name": b.Licence, "description": "The licence of the bundle; logs have terms of their own, which ARTIFACT.md tells."}
	if b.Licence == "" {
		e["name"], e["description"] = "no licence chosen", "The authors of the bundle have not said under which licence they publish it. Logs have terms of their own, which ARTIFACT.md tells."
	}
	return e
}

// id is the path as a URI.
func (f *File) id() string { return (&url.URL{Path: f.Path}).EscapedPath() }

// encodings are the media types of what a bundle holds.
var encodings = map[string]string{
	".csv": "text/csv", ".json": "application/json", ".md": "text/markdown", ".parquet": "application/vnd.apache.parquet", ".pdf": "application/pdf",
	".png": "image/png", ".sh": "text/x-shellscript", ".svg": "image/svg+xml", ".txt": "text/plain",
}

// entity describes a file. ARTIFACT.md differs from one repetition to the next.
func (f *File) entity() entity {
	e := entity{"@id": f.id(), "@type": "File", "name": path.Base(f.Path)}
	if kind := encodings[path.Ext(f.Path)]; kind != "" {
		e["encodingFormat"] = kind
	}
	if f.Path != "ARTIFACT.md" {
		e["contentSize"], e["sha256"] = f.Bytes, f.SHA256
	}
	return e
}

// entity describes a trace that is not in the bundle.
func (t *Trace) entity() entity {
	e := entity{"@id": "#" + (&File{Path: t.Spec}).id(), "@type": "CreativeWork", "name": t.Spec}
	if t.SHA256 != "" {
		e["sha256"] = t.SHA256
	}
	if t.Known != nil {
		e["@id"], e["name"], e["description"] = cmp.Or(t.Known.URL, t.Known.From().Home), t.Known.Line, "Terms: "+t.Known.From().Terms+". Cite: "+t.Known.From().Cite
	}
	return e
}
