package run

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// WriteFile lets write fill one file, which appears under its name only when
// complete and synced; whatever fails leaves nothing behind. An existing file is
// replaced, and stays as it was if anything fails.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	p := &part{dir: filepath.Dir(path), name: filepath.Base(path)}
	if p.file, err = createFile(p.temporary()); err != nil {
		return fmt.Errorf("creating %s: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.discard())
		}
	}()
	buffer := bufio.NewWriterSize(p.file, 1<<16)
	if err = write(buffer); err != nil {
		return err
	}
	if err = buffer.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", path, cause(err))
	}
	if err = p.complete(); err != nil {
		return err
	}
	if err = p.rename(); err != nil {
		return err
	}
	return syncDir(p.dir)
}
