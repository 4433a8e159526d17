package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

const actionFolder = "../../../.github/actions/certify"

// action is a composite action of GitHub.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Uses, Shell, Run string
	Env                            map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(actionFolder, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z_.]+) *\}\}`)

// job runs the steps of an action as a runner does: each in a shell of its own, with the files that the runner gives.
type job struct {
	t       *testing.T
	dir     string
	inputs  map[string]string
	outputs map[string]string // by step and name, such as steps.certify.outputs.status
	ran     []string
}

func (j *job) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		if input, ok := strings.CutPrefix(name, "inputs."); ok {
			value, known := j.inputs[input]
			if !known {
				j.t.Errorf("%s is no input", name)
			}
			return value
		}
		if value, ok := j.outputs[name]; ok {
			return value
		}
		if name != "github.action_path" {
			j.t.Errorf("nothing sets %s", name)
		}
		folder, err := filepath.Abs(actionFolder)
		if err != nil {
			j.t.Fatal(err)
		}
		return folder
	})
}

// holds evaluates the conditions that the steps have.
func (j *job) holds(condition string) bool {
	switch condition {
	case "", "always()":
		return true
	case "inputs.binary == ''":
		return j.inputs["binary"] == ""
	case "inputs.binary != ''":
		return j.inputs["binary"] != ""
	}
	j.t.Errorf("unknown condition %q", condition)
	return false
}

// run runs a step, and returns its exit code.
func (j *job) run(s actionStep) int {
	j.t.Helper()
	output := filepath.Join(j.dir, "output")
	if err := os.WriteFile(output, nil, 0o600); err != nil {
		j.t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir = filepath.Join(j.dir, "workspace")
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+j.dir, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(j.dir, "summary"), programEnv+"=1")
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+j.value(value))
	}
	said, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		j.t.Fatalf("%s: %v", s.Name, err)
	}
	j.ran = append(j.ran, s.Name)
	j.t.Logf("%s: %s", s.Name, said)
	text, err := os.ReadFile(output)
	if err != nil {
		j.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.outputs[fmt.Sprintf("steps.%s.outputs.%s", s.ID, name)] = value
	}
	return cmd.ProcessState.ExitCode()
}

// do runs the action with inputs and returns the exit code of its last step.
func do(t *testing.T, inputs map[string]string) (*job, int) {
	t.Helper()
	a := readAction(t)
	j := &job{t: t, dir: t.TempDir(), inputs: map[string]string{}, outputs: map[string]string{}}
	if err := os.Mkdir(filepath.Join(j.dir, "workspace"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, input := range a.Inputs {
		j.inputs[name] = input.Default
	}
	for name, value := range inputs {
		if _, known := j.inputs[name]; !known {
			t.Fatalf("%s is no input", name)
		}
		j.inputs[name] = value
	}
	code := 0
	for _, s := range a.Runs.Steps {
		if !j.holds(s.If) || code != 0 && s.If != "always()" {
			continue
		}
		if s.Uses != "" {
			j.ran = append(j.ran, s.Uses)
			continue
		}
		if c := j.run(s); c != 0 {
			code = c
		}
	}
	return j, code
}

// TestActionCertifies: with a binary, the action certifies, writes the summary, leaves the reports where they are uploaded
// from, and gives the verdict of the run.
func TestActionCertifies(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the steps are for bash")
	}
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments, pack, require string
		code                     int
	}{
		{"--reference --effort quick --only aep.http.*", "aep", "", 0},
		{"--effort quick --only helix.resume.complete --target " + cmdtest.Broken(t, "resume-skips-one"), "helix", "", 1},
		{"--reference --only aep.http.*", "aep", "Actions", 2},
	} {
		j, code := do(t, map[string]string{"binary": binary, "config": "", "pack": c.pack, "arguments": c.arguments, "require": c.require})
		if code != c.code || j.outputs["steps.certify.outputs.status"] != fmt.Sprint(c.code) {
			t.Errorf("%s, require %q: exit code %d, status %q, want %d", c.arguments, c.require, code, j.outputs["steps.certify.outputs.status"], c.code)
		}
		if c.code == misuse {
			continue
		}
		if summary, err := os.ReadFile(filepath.Join(j.dir, "summary")); err != nil || !strings.Contains(string(summary), c.pack) {
			t.Errorf("%s: the summary is %q, %v", c.arguments, summary, err)
		}
		if _, err := os.Stat(filepath.Join(j.dir, "workspace", "conformance", "report.html")); err != nil {
			t.Errorf("%s: %v", c.arguments, err)
		}
		if got := strings.Join(j.ran, ", "); got != "Take the released program, Certify, Write the summary, actions/upload-artifact@v4, Give the verdict" {
			t.Errorf("%s: ran %s", c.arguments, got)
		}
	}
}

// TestActionBuilds: without a binary, the action builds the program from its own version.
func TestActionBuilds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the steps are for bash")
	}
	j, code := do(t, map[string]string{"config": "", "pack": "aep", "arguments": "--reference --list"})
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	if got := strings.Join(j.ran, ", "); got != "actions/setup-go@v5, Build the program, Certify, Write the summary, actions/upload-artifact@v4, Give the verdict" {
		t.Errorf("ran %s", got)
	}
}

// TestActionIsDescribed: every input and output says what it is, and no step puts an input into its script, where it could
// be a command.
func TestActionIsDescribed(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Inputs) == 0 || len(a.Outputs) == 0 {
		t.Fatalf("%+v", a)
	}
	for name, input := range a.Inputs {
		if input.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	for _, s := range a.Runs.Steps {
		if expression.MatchString(s.Run) || strings.Contains(s.Run, "${{") {
			t.Errorf("%s: its script holds an expression; it belongs into env", s.Name)
		}
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("%s: the shell is %q", s.Name, s.Shell)
		}
	}
}
