//go:build !js

package page

import "embed"

//go:embed assets
var assets embed.FS

// asset reads one of the libraries that pages contain.
func asset(name string) ([]byte, error) { return assets.ReadFile(name) }
