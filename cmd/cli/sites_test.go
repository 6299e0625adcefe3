package cli

import (
	"path/filepath"
	"testing"

	"bourse/engine/scenario"
	"bourse/traces/tracetest"
)

// TestSites wants the models of public logs to be read, to be judged, and to replay their logs.
func TestSites(t *testing.T) {
	for name, log := range map[string]string{"kth-sp2": "KTH-SP2-1996-2.1-cln", "ctc-sp2": "CTC-SP2-1996-3.1-cln"} {
		path := filepath.Join("guide", "sites", name+".toml")
		m, err := scenario.ReadSite(path)
		if err != nil || m.Log == nil || m.Capacity == nil || len(m.Judged) != 6 || m.Judged[0].Model != "site" {
			t.Fatalf("%s: %v: %+v", name, err, m)
		}
		if site, plain := m.Judged[0], m.Judged[1]; site.LogError >= plain.LogError || site.Rank <= plain.Rank {
			t.Errorf("%s is judged no better than plain EASY: %+v, %+v", name, site, plain)
		}
		t.Run(name, func(t *testing.T) {
			trace := tracetest.Shared(t, "data/swf/"+log+".swf.gz")
			if code, _, stderr := bourse(t, "replay", trace, "--site", path, "--until", "30d"); code != 0 {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}
