package suggest

// DidYouMean returns a half-sentence that suggests the nearest known name,
// `; did you mean "easy"?`, or nothing if none is near. It ends error messages.
func DidYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}
