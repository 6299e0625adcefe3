package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"time"

	"bourse/policies/remote"
	"bourse/reports/run"
	"bourse/reports/table"
)

// Making says how a bundle is made.
type Making struct {
	Program *Program
	At      []string // where the inputs are
	Copied  *bool    // traces are copied or not; nil: those whose licence allows it
	Outside bool     // scripts and tables are copied, too, that are named by paths outside of this folder
	Self    string   // path of the program, which repeats the work
	Quiet   bool
	// Differences is where the repetition prints, if it fails, and Talk where it talks.
	Differences, Talk io.Writer
}

// Make completes b, of which licence and program are known, in an empty folder.
func (b *Bundle) Make(ctx context.Context, folder string, f Finished, m Making) error {
	b.box, b.Version = folder, m.Program.Version
	err := b.gather(f, m)
	if err == nil {
		b.Date, err = date(f.Dir())
	}
	if err == nil {
		b.Results, err = summary(f, m.Program, filepath.Join(folder, Expected))
	}
	if err == nil {
		err = b.measure(ctx, f, m)
	}
	if err == nil {
		err = b.Write(folder)
	}
	return err
}

// summary is that of a replay or a sweep, as a person reads it.
func summary(f Finished, p *Program, dir string) (string, error) {
	switch f.Kind() {
	case "replay":
		s, err := run.ReadSummary(filepath.Join(dir, run.SummaryFile))
		if err != nil {
			return "", err
		}
		var text bytes.Buffer
		err = table.Print(&text, s.Report(f.(*Replay).manifest.Setting("policy"), 0))
		return text.String(), err
	case "sweep":
		return p.Table(dir)
	}
	return "", nil
}

// date is the day of publication: that of SOURCE_DATE_EPOCH, or else the day on which the
// manifest was written, so that the same folder gives the same bundle on any day.
func date(dir string) (string, error) {
	at := time.Time{}
	for _, name := range []string{run.ManifestFile, run.PlanFile} {
		if st, err := os.Stat(filepath.Join(dir, name)); err == nil {
			at = st.ModTime()
		}
	}
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q; want seconds since 1970, or leave it unset", text)
		}
		at = time.Unix(seconds, 0)
	}
	return at.UTC().Format(time.DateOnly), nil
}

// measure repeats the work in the bundle, as verify.sh does, and takes down its cost.
func (b *Bundle) measure(ctx context.Context, f Finished, m Making) error {
	again := filepath.Join(b.box, ".again")
	args := []string{"rerun", "../expected", "--hashes", "--out", "../.again", "--quiet=" + strconv.FormatBool(m.Quiet)}
	if b.Programs = Programs(f); len(b.Programs) > 0 {
		args = append(args, "--programs") // as was allowed when it was opened
	}
	for i, t := range b.Traces {
		if t.SHA256 != "" && !t.Copied {
			args = append(args, "--trace", b.at[i])
		}
	}
	var said bytes.Buffer
	c := exec.CommandContext(ctx, m.Self, args...)
	remote.Lead(c) // it holds what is made, which nobody else takes up before it has ended
	c.Dir, c.Stdout, c.Stderr = filepath.Join(b.box, Inputs), &said, m.Talk
	began := time.Now()
	err := c.Run()
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if errors.As(err, new(*exec.ExitError)) {
		fmt.Fprint(m.Differences, said.String())
		return fmt.Errorf("%s cannot be repeated from a bundle, so none is made; see above what is wrong; "+
			"if results name files by paths of this machine, make them anew with other names", f.Dir())
	}
	if err != nil {
		return err
	}
	b.Seconds, b.Machine = time.Since(began).Seconds(), fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS,
		runtime.GOARCH)
	if runtime.GOOS == "linux" { // elsewhere it has other units, or none
		b.Memory = reflect.ValueOf(c.ProcessState.SysUsage()).Elem().FieldByName("Maxrss").Int() << 10
	}
	list, err := List(again)
	b.Bytes = Size(list)
	return errors.Join(err, os.RemoveAll(again))
}
