package lab

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/catalogues"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/packs"
)

var update = flag.Bool("update", false, "write what the toy pack has of goldens and lists anew")

// misuse is the exit code of a wrong call.
const misuse = 2

// programEnv makes this test binary the program itself, which checkpoints building it again.
const programEnv = "STREAMCERT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	command.UsualEffort = campaign.Quick // most tests need no campaigns
	switch name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"); {
	case os.Getenv(programEnv) == "":
		os.Exit(m.Run())
	case name == "streamcert": // a copy that a test made
		command.Main(command.Program{Name: name})
	default:
		command.Main(Program())
	}
}

// program returns a call of the program in a new process.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), programEnv+"=yes")
	return cmd
}

// testApp returns the lab with every pack of this build.
func testApp() *app { return appOf(packs.All(), command.Servers(), catalogues.All()) }

// appOf returns the lab with some packs.
func appOf(all packs.List, references servers.List, different altered.List) *app {
	return &app{command.New(of(different), all, references), different}
}

// streamcert runs a command line of the lab.
func streamcert(t *testing.T, in string, args ...string) cmdtest.Ran {
	t.Helper()
	return cmdtest.Program(testApp().Run).Run(t, in, args...)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	return cmdtest.Write(t, name, text)
}

func TestUsageErrorsOfTheLab(t *testing.T) {
	for line, words := range map[string][]string{
		"serve --mutant inclusive-resum":    {"did you mean inclusive-resume?"},
		"serve --variant discards-what":     {"no variant", "discards-what"},
		"serve --pack nonsens --mutant x":   {"there is no pack", "nonsens"},
		"serve --variant crlf":              {"several", "--pack", "aep, helix"},
		"serve --variant a --mutant b":      {"mutant", "variant"},
		"release --dir there-is-no-folder":  {"reading the version in there-is-no-folder: "},
		"release --dir . --pack there-isnt": {"there is no pack"},
		"mutants --only zzzz":               {`"zzzz"`, "breaks a requirement of that id\n"},
		"variants --only zzzz":              {`no variant is named "zzzz"` + "\n"},
	} {
		t.Run(line, func(t *testing.T) { streamcert(t, "", strings.Fields(line)...).OneLine(t, misuse, words...) })
	}
}

func TestCompletionOfTheLab(t *testing.T) {
	for line, want := range map[string]string{
		"mutants --only inclusive-r":          "inclusive-resume",
		"mutants --only helix.resume.after-c": "helix.resume.after-cursor",
		"variants --only crlf-c":              "crlf-cut",
		"idle --only runs-s":                  "runs-say-nothing",
	} {
		if r := streamcert(t, "", append([]string{cobra.ShellCompRequestCmd}, strings.Fields(line)...)...); r.Out != want+"\n:4\n" {
			t.Errorf("%s: offered %q", line, r.Out)
		}
	}
}

// TestUsersProgramHandsOver: the users' program runs the lab in its folder for commands of the lab, with the arguments, the
// input and the exit code; without one it names the missing program.
func TestUsersProgramHandsOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	users, lab := filepath.Join(dir, "streamcert"), filepath.Join(dir, "streamcert-lab")
	if runtime.GOOS == "windows" {
		users, lab = users+".exe", lab+".exe"
	}
	copied(t, users)
	ran := func(args ...string) cmdtest.Ran {
		var out, errs strings.Builder
		cmd := exec.Command(users, args...)
		cmd.Env = append(os.Environ(), programEnv+"=yes")
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		return cmdtest.Ran{Code: cmd.ProcessState.ExitCode(), Out: out.String(), Errs: errs.String()}
	}
	calls := map[string]string{
		"mutants --only zzzz": "no mutant", "lint extra": "no place for", "serve --mutant zzzz": "there is no mutant",
		"serve --store http://x": "redis://",
	}
	for line := range calls {
		ran(strings.Fields(line)...).OneLine(t, misuse, "streamcert-lab", "make lab", dir)
	}
	ran("certify", "--reference", "--store", "redis://x").OneLine(t, misuse, "streamcert-lab", "make lab", dir)
	copied(t, lab)
	for line, word := range calls {
		ran(strings.Fields(line)...).OneLine(t, misuse, word)
	}
	if r := ran("mutants", "--only", "sends-end-twice"); r.Code != 0 || !strings.Contains(r.Out, "1 killed") {
		t.Errorf("%+v", r)
	}
}

// copied puts this test binary at a path.
func copied(t *testing.T, name string) {
	t.Helper()
	if os.Link(os.Args[0], name) == nil {
		return
	}
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(name, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ofOneRun matches the parts of a report that differ between two runs of one program with one seed.
var ofOneRun = regexp.MustCompile(`"(started|seconds|silence|date)": ?("[^"]*"|[0-9.e+-]+)|sc-[0-9a-f]{10}-\d+|date: .*|in \d+\.\d s|proven: \d+\.\d s`)

// TestBothProgramsReportAlike: with one seed both programs write the same report, except for times and for the names that
// each run draws.
func TestBothProgramsReportAlike(t *testing.T) {
	url := cmdtest.Serve(t, command.Servers().Reference(servers.Settings{Heartbeat: time.Second}))
	for _, format := range []string{"console", "json"} {
		args := []string{"certify", "--target", url, "--pack", "merlin", "--only", "merlin.aggregate.*", "--seed", "7", "--concurrency", "1", "--format", format}
		of := func(p command.Program) string {
			r := cmdtest.Program(command.New(p, packs.All(), command.Servers()).Run).Run(t, "", args...)
			if r.Code != 0 {
				t.Fatalf("%+v", r)
			}
			return ofOneRun.ReplaceAllString(r.Out, "…")
		}
		if diff := cmp.Diff(of(command.Program{Name: "streamcert"}), of(Program())); diff != "" {
			t.Errorf("the reports differ (-streamcert +streamcert-lab):\n%s", diff)
		}
	}
}
