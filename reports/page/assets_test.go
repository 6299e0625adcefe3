package page

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestAssets: the libraries of a page are as scripts/page/update.sh has
// fetched them, and nobody has changed them since.
func TestAssets(t *testing.T) {
	for name, want := range map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"vega-embed.min.js": "6719f03edf72beff23310ee56cd0f1a9ebbf7ddcc656d3e5cc2f9067ab835671",
		"vega-lite.min.js":  "843d20762ca6e52ff5ceab7a3296219272a9c0b5364402d6814f3c7738f4be5e",
		"vega.min.js":       "8f6a3587cf8d4f42c7e08120e3eb05d067e746d554e39d2dcf52acc0bd5ba28f",
	} {
		text, err := asset("assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
			t.Errorf("%s has SHA-256 %s; want %s, or that of another version in VERSIONS", name, got, want)
		}
	}
}
