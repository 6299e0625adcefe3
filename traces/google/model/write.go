package model

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/gzip"

	"bourse/events"
	"bourse/traces/files"
	"bourse/traces/google"
)

// Counts is what was written.
type Counts struct {
	Parts, TaskRows, JobRows, MachineRows, Tasks int64
}

// WriteNew writes the tables into a new folder, which appears under its name only when
// complete.
func WriteNew(dir string, o Options) (n Counts, err error) {
	if _, err := os.Stat(dir); err == nil {
		return n, fmt.Errorf("%s exists already; give the name of a new folder", dir)
	}
	dir = filepath.Clean(dir)
	folder, err := files.NewFolder(filepath.Dir(dir))
	if err != nil {
		return n, err
	}
	if n, err = Write(folder.Path, o); err == nil {
		err = folder.Publish(dir)
	}
	return n, errors.Join(err, folder.Remove())
}

// Write writes the tables into a folder that is there, each in a folder of its
// own. It is not whole unless the error is nil.
func Write(dir string, o Options) (Counts, error) {
	if o.parts() > 99_999 {
		return Counts{}, errParts
	}
	for _, table := range []string{google.TaskTable, google.JobTable, google.MachineTable} {
		if err := os.Mkdir(filepath.Join(dir, table), 0o777); err != nil {
			return Counts{}, err
		}
	}
	machines := newCluster(&o)
	err := writeFile(filepath.Join(dir, google.MachineTable, "part-00000-of-00001.csv.gz"), func(w *bufio.Writer) error {
		_, err := w.Write(machines.write(nil))
		return err
	})
	if err != nil {
		return Counts{}, err
	}
	c := newCollector(dir, &o)
	s := newSimulation(&o, machines, c)
	c.names = s.names[:]
	err = s.run()
	if e := c.close(); err == nil {
		err = e
	}
	c.count.Tasks, c.count.MachineRows, c.count.Parts = o.Tasks, int64(len(machines.rows)), int64(o.parts())
	return c.count, err
}

// part is the rows of some time.
type part struct {
	number int
	tasks  []taskRow
	jobs   []jobRow
}

// collector gathers rows, which come in order of time, and hands each part to
// a writer that is free. Parts wait for a writer: two more than there are
// writers are in memory.
type collector struct {
	dir     string
	o       *Options
	names   []string
	now     *part
	until   events.Time // of the part
	count   Counts
	full    chan *part
	free    chan *part
	writers sync.WaitGroup
	lock    sync.Mutex
	fault   error
	stopped bool // read by the gathering side only
}

func newCollector(dir string, o *Options) *collector {
	n := max(1, o.Workers)
	c := &collector{dir: dir, o: o, full: make(chan *part, 1), free: make(chan *part, n+2), now: &part{},
		until: google.WindowStart + partLength}
	for range n + 1 {
		c.free <- &part{}
	}
	for range n {
		c.writers.Go(func() {
			for p := range c.full {
				if err := c.write(p); err != nil {
					c.fail(err)
				}
				c.free <- p
			}
		})
	}
	return c
}

func (c *collector) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.fault == nil {
		c.fault = err
	}
}

func (c *collector) err() error {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.fault
}

func (c *collector) task(r taskRow) {
	c.reach(r.at)
	c.now.tasks = append(c.now.tasks, r)
	c.count.TaskRows++
}

func (c *collector) job(r jobRow) {
	c.reach(r.at)
	c.now.jobs = append(c.now.jobs, r)
	c.count.JobRows++
}

// reach hands out parts until the one of a time.
func (c *collector) reach(at events.Time) {
	for at >= c.until && !c.stopped {
		c.nextPart()
	}
}

// nextPart hands the part out and begins the next.
func (c *collector) nextPart() {
	number := c.now.number
	c.full <- c.now
	c.now = <-c.free
	c.now.number, c.now.tasks, c.now.jobs = number+1, c.now.tasks[:0], c.now.jobs[:0]
	c.until += partLength
	if c.o.Stop != nil {
		if err := c.o.Stop(); err != nil {
			c.fail(err)
		}
	}
	c.stopped = c.err() != nil
}

// close writes what is left, empty parts too.
func (c *collector) close() error {
	for c.now.number < c.o.parts() && !c.stopped {
		c.nextPart()
	}
	close(c.full)
	c.writers.Wait()
	return c.err()
}

// write formats and compresses a part.
func (c *collector) write(p *part) error {
	name := fmt.Sprintf("part-%05d-of-%05d.csv.gz", p.number, c.o.parts())
	line := make([]byte, 0, 256)
	err := writeFile(filepath.Join(c.dir, google.TaskTable, name), func(w *bufio.Writer) error {
		for i := range p.tasks {
			line = p.tasks[i].append(line[:0])
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(c.dir, google.JobTable, name), func(w *bufio.Writer) error {
		for i := range p.jobs {
			line = p.jobs[i].append(line[:0], c.names[p.jobs[i].user])
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFile writes one gzipped file, at the level that compresses fastest.
func writeFile(path string, write func(*bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(z, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return f.Close()
}
