package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// TestManual runs every example of the manual, in order, in one directory.
func TestManual(t *testing.T) {
	manual := read(t, "guide/manual.md")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"log.swf": weeksSWF(100),
		"queues.toml": "[[cohort]]\nname = \"research\"\n[[queue]]\nname = 1\ncohort = \"research\"\nnominal = " +
			"40\n[[queue]]\nname = \"*\"\nnominal = 60\n",
		"run.toml":  "policy = \"nphb\"\nload-factor = 1.5\nserial = true\n",
		"table.csv": "Asked,Took,Size\n1709280000000,60,4\n1709280001500,30,2\n",
		"gpus.csv":  "Asked,Took,Cores,GPU\n0,60,4,200\n1,30,2,50\n",
		"pods.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time," +
			"scheduled_time\n" +
			"a,12000,16384,1,460,V100,LS,Running,0,60,0\nb,8000,32768,4,1000,,BE,Failed,5,50,9\n",
		"nodes.csv":   "machine,cpu,memory,gpu,gpu_model\nm1,64,262144,8,V100\nm2,96,262144,4,T4\nm3,32,262144,0,\n",
		"dump.sacct":  read(t, "../../traces/formats/testdata/small.sacct"),
		"carbon.csv":  "time,value\n0,300\n1,100\n2,200\n",
		"spot.csv":    "time,value\n0,1\n1,0\n2,1\n",
		"demand.csv":  "time,demand\n0,3\n3600,5\n7200,4\n",
		"demands.csv": "agent,cpu,memory\na,10,40\nb,5,10\nc,2,100\n",
		"rounds.csv":  threePeriod,
		"owners.csv":  threeEndowments,
		"weights.csv": "user,machine,weight\na,x,8\na,y,2\nb,x,1\nb,y,4\n",
		"budgets.csv": "user,budget\na,2\n",
		"bids.csv":    "job_id,value,bid,time_s\n" + bidsFor(100) + "7,30,90,75\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	examples := 0
	for _, line := range strings.Split(manual, "\n") {
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			examples++
			shell(t, command)
		}
	}
	if examples < 15 {
		t.Errorf("the manual has only %d examples", examples)
	}
}

// TestREADME runs README's commands, on short logs of the names they have there, but for what needs a network or a
// record of waits.
func TestREADME(t *testing.T) {
	text := read(t, "../../README.md")
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("KTH-SP2-1996-2.1-cln.swf.gz", []byte(weeksSWF(60)), 0o644)) // kth-sp2
	n := examples(t, text, func(command string) bool {
		return !strings.Contains(command, "trace get") && !strings.Contains(command, "site.toml")
	})
	if n < 3 {
		t.Errorf("README has only %d examples", n)
	}
	if words := len(strings.Fields(text)); words > 1000 {
		t.Errorf("README has %d words, tables and examples counted", words)
	}
}

// TestLongREADME runs them on the log itself, and wants what they print there to be what README says.
func TestLongREADME(t *testing.T) {
	tracetest.Long(t)
	text, log := read(t, "../../README.md"), tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	t.Chdir(t.TempDir())
	must(t, os.Symlink(log, "KTH-SP2-1996-2.1-cln.swf.gz"))
	printed := ""
	for _, line := range strings.Split(text, "\n") {
		shown, ok := strings.CutPrefix(line, "    ")
		if !ok || shown == "" {
			continue
		}
		if command, ok := strings.CutPrefix(shown, "$ "); ok {
			if !strings.Contains(command, "trace get") {
				printed = strings.Join(strings.Fields(shell(t, command)), " ")
			}
		} else if !strings.Contains(printed, strings.Join(strings.Fields(shown), " ")) {
			t.Errorf("README says %q, and the program %q", shown, printed)
		}
	}
}

// TestLongCookbook runs the commands of the guides that answer questions.
func TestLongCookbook(t *testing.T) {
	tracetest.Long(t)
	for page, least := range map[string]int{"cookbook": 25, "markets": 4} {
		text := read(t, "guide/"+page+".md")
		t.Run(page, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if n := examples(t, text, func(string) bool { return true }); n < least {
				t.Errorf("%s.md has only %d examples", page, n)
			}
		})
	}
}

// examples runs the commands of a text for which it is wanted, on short logs of the names they have there.
func examples(t *testing.T, text string, wanted func(string) bool) (n int) {
	t.Helper()
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", ""), "\n") {
		command, ok := strings.CutPrefix(line, "    $ ")
		if !ok || !wanted(command) {
			continue
		}
		n++
		if name := regexp.MustCompile(`\S+\.swf\.gz`).FindString(command); name != "" {
			must(t, os.WriteFile(name, []byte(weeksSWF(60)), 0o644)) // what a log is packed with is known by its bytes
		}
		shell(t, command)
	}
	return n
}

// shell runs an example as a user would who copies it: through sh, with the program on the
// PATH. What zsh or bash read otherwise than sh has to be in quotes.
func shell(t *testing.T, command string) string {
	t.Helper()
	bare := regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(command, "")
	if strings.ContainsAny(bare, "(){}[]*?&;!$`#") {
		t.Errorf("%s: has letters outside quotes that a shell takes for its own", command)
	}
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", command, err, out)
	}
	return string(out)
}

// TestHelpExamples wants what every command's help ends with to be in quotes where a shell
// needs them, and its flags to be flags.
func TestHelpExamples(t *testing.T) {
	for _, c := range commands() {
		_, help, _ := bourse(t, append(strings.Fields(c.Name), "--help")...)
		_, example, ok := strings.Cut(help, "\nExample:\n")
		if !ok {
			t.Errorf("%s --help ends without an example", c.Name)
		}
		for _, line := range strings.Split(strings.ReplaceAll(example, "\\\n", " "), "\n") {
			command, _, _ := strings.Cut(strings.TrimSpace(line), "    #")
			bare := regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(command, "")
			if strings.HasPrefix(command, "bourse ") && strings.ContainsAny(bare, "(){}[]*?&;!$`#") {
				t.Errorf("%s --help: %s: has letters outside quotes that a shell takes for its own", c.Name, command)
			}
			for _, word := range strings.Fields(bare) {
				name, isFlag := strings.CutPrefix(word, "--")
				name, _, _ = strings.Cut(name, "=")
				if isFlag && strings.HasPrefix(command, "bourse "+c.Name) && !strings.Contains(help, "--"+name+" ") &&
					!strings.Contains(help, "--"+name+"\n") && !strings.Contains(help, "--"+name+"=") &&
					!strings.Contains(help, "--"+name+"[") {
					t.Errorf("%s --help: there is no --%s", c.Name, name)
				}
			}
		}
	}
}

// bidsFor makes a table of bids, one a job.
func bidsFor(jobs int) string {
	var b strings.Builder
	for i := 1; i <= jobs; i++ {
		fmt.Fprintf(&b, "%d,%d,%d,\n", i, 40+i%50, 20+i*7%60)
	}
	return b.String()
}
