package bidding

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads a bid table: CSV, or Parquet if the name ends in .parquet.
func ReadFile(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the bid table: %w", err)
	}
	defer f.Close()
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return ReadParquet(path, f)
	}
	return ReadCSV(path, f)
}
