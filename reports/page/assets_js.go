package page

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
)

// asset reads one of the libraries that pages contain from the archive that a page of the program brings.
func asset(name string) ([]byte, error) {
	file, err := os.Open("/page-assets.tar")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for r := tar.NewReader(file); ; {
		h, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if h.Name == name {
			return io.ReadAll(r)
		}
	}
}
