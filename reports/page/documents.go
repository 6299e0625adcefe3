package page

import (
	"embed"
	"encoding/json"
	"strings"
)

// documents are Vega-Lite documents, each a chart or a part of one. A string that begins with $ is
// a hole; in other strings $format is one.
//
//go:embed charts/*.vl.json
var documents embed.FS

// object is a piece of a Vega-Lite document; encoding/json sorts its keys.
type object = map[string]any

// document reads charts/NAME.vl.json and fills in its holes.
func document(name string, holes object) object {
	text, err := documents.ReadFile("charts/" + name + ".vl.json")
	var o object
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		panic(err) // it is part of the program
	}
	return filled(o, holes).(object)
}

func filled(v any, holes object) any {
	switch x := v.(type) {
	case object:
		for key := range x {
			x[key] = filled(x[key], holes)
		}
	case []any:
		for i := range x {
			x[i] = filled(x[i], holes)
		}
	case string:
		if hole, ok := strings.CutPrefix(x, "$"); ok {
			return holes[hole]
		}
		if format, ok := holes["format"].(string); ok {
			return strings.ReplaceAll(x, "$format", format)
		}
	}
	return v
}
