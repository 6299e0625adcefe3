package artifact

import (
	"path/filepath"

	"bourse/reports/papers"
	"bourse/reports/run"
)

// Study is a finished study of a paper.
type Study struct {
	manifest *papers.Manifest
	dir      string
}

func (*Study) Kind() string  { return "study" }
func (s *Study) Dir() string { return s.dir }

func (s *Study) Inputs() (list []Input) {
	for _, f := range s.manifest.Flags {
		if f.SHA256 != "" {
			list = append(list, Input{TraceInput, f.Value, f.SHA256})
		}
	}
	return list
}

func (s *Study) Command(at []string) []string {
	words := []string{"reproduce", s.manifest.Study}
	at = namedAt(s.Inputs(), at)
	for _, f := range s.manifest.Flags {
		if f.SHA256 != "" {
			f.Value, at = at[0], at[1:]
		}
		words = append(words, "--"+f.Name+"="+f.Value)
	}
	return words
}

func (s *Study) Settings() (texts []string) {
	for _, f := range s.manifest.Flags {
		texts = append(texts, f.Value)
	}
	return texts
}

func (s *Study) Outputs(string) (list []Output, err error) {
	for _, f := range s.manifest.Files {
		list = append(list, Output{f.File, f.SHA256, Result})
	}
	return append(list, Output{run.ManifestFile, "", Manifest}, Output{papers.PageFile, "", Page}), nil
}

func (s *Study) Again(p *Program, at []string, dir string) (string, error) {
	to := filepath.Join(dir, "study")
	return to, p.Study(append(s.Command(at), "--out", to))
}
