package command

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
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
	With                           map[string]string
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

// job runs the steps of an action as a runner does: each in a new shell, with the files that the runner gives.
type job struct {
	t        *testing.T
	dir      string
	releases string // the base URL of releases, "" for the real one
	system   string // as RUNNER_OS has it
	inputs   map[string]string
	outputs  map[string]string // by step and name, such as steps.certify.outputs.status
	ran      []string
	log      string
}

func newJob(t *testing.T) *job {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the steps are for bash")
	}
	system := map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS]
	j := &job{t: t, dir: t.TempDir(), system: system, inputs: map[string]string{}, outputs: map[string]string{}}
	if err := os.Mkdir(filepath.Join(j.dir, "workspace"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, input := range readAction(t).Inputs {
		j.inputs[name] = input.Default
	}
	j.set(map[string]string{"config": ""})
	return j
}

func (j *job) set(inputs map[string]string) {
	j.t.Helper()
	for name, value := range inputs {
		if _, known := j.inputs[name]; !known {
			j.t.Fatalf("%s is no input", name)
		}
		j.inputs[name] = value
	}
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
		switch name {
		case "runner.temp":
			return j.dir
		case "runner.os", "runner.arch":
			return name
		case "github.action_path":
			folder, err := filepath.Abs(actionFolder)
			if err != nil {
				j.t.Fatal(err)
			}
			return folder
		}
		j.t.Errorf("nothing sets %s", name)
		return ""
	})
}

var comparison = regexp.MustCompile(`^inputs\.([a-z]+) (==|!=) '([a-z]*)'$`)

// isTrue evaluates the conditions that the steps have: always(), or inputs compared with a text.
func (j *job) isTrue(condition string) bool {
	if condition == "" || condition == "always()" {
		return true
	}
	all := true
	for part := range strings.SplitSeq(condition, " && ") {
		m := comparison.FindStringSubmatch(part)
		if m == nil {
			j.t.Fatalf("unknown condition %q", condition)
		}
		value, known := j.inputs[m[1]]
		if !known {
			j.t.Errorf("%s is no input", m[1])
		}
		all = all && (value == m[3]) == (m[2] == "==")
	}
	return all
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
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+j.dir, "RUNNER_OS="+j.system, "RUNNER_ARCH="+runnerArch(), "GITHUB_OUTPUT="+output,
		"GITHUB_STEP_SUMMARY="+filepath.Join(j.dir, "summary"), "CERTIFY_RELEASES="+j.releases, programEnv+"=1")
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+j.value(value))
	}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	printed := out.String() + errs.String() // a runner reads both at once; this order hides least from it
	if err != nil && cmd.ProcessState == nil {
		j.t.Fatalf("%s: %v", s.Name, err)
	}
	j.ran = append(j.ran, s.Name)
	j.log += printed
	j.t.Logf("%s: %s", s.Name, printed)
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

func runnerArch() string { return map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH] }

// do runs the action and returns the exit code of its last step.
func (j *job) do() int {
	j.t.Helper()
	j.ran, j.log = nil, ""
	code := 0
	for _, s := range readAction(j.t).Runs.Steps {
		if !j.isTrue(s.If) || code != 0 && s.If != "always()" {
			continue
		}
		for _, value := range s.With {
			j.value(value)
		}
		if s.Uses != "" {
			j.ran = append(j.ran, s.Uses)
			continue
		}
		if c := j.run(s); c != 0 {
			code = c
		}
	}
	return code
}

// commands lists the workflow commands that a runner finds in a log: lines that begin with :: after spaces, and text after
// ##[ anywhere, unless a token stops them.
func commands(log string) []string {
	stopped := ""
	var out []string
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
		switch token, stops := strings.CutPrefix(line, "::stop-commands::"); {
		case stopped != "" && line == "::"+stopped+"::":
			stopped = ""
		case stopped != "":
		case stops:
			stopped = token
		case strings.HasPrefix(line, "::") && name != line, strings.Contains(line, "##["):
			out = append(out, line)
		}
	}
	return out
}

// withBinary runs the action with this test binary as the program.
func withBinary(t *testing.T, inputs map[string]string) (*job, int) {
	t.Helper()
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t)
	j.set(map[string]string{"binary": binary})
	j.set(inputs)
	return j, j.do()
}

// TestActionCertifies: with a binary, the action certifies, writes the summary, stores the reports for the upload,
// annotates failures, and returns the verdict of the run.
func TestActionCertifies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arguments, pack, require string
		code                     int
		annotated                string
	}{
		{"--reference\n--effort\nquick\n--only\naep.http.*", "aep", "", 0, ""},
		{"--effort=quick\n--only=helix.resume.complete\n--target\n" + cmdtest.Broken(t, "resume-skips-one"), "helix", "", 1, "::error title=helix.resume.complete::"},
		{"--reference\n--only=aep.http.*", "aep", "Actions", 2, ""},
	} {
		j, code := withBinary(t, map[string]string{"pack": c.pack, "arguments": c.arguments, "require": c.require})
		if code != c.code || j.outputs["steps.certify.outputs.status"] != fmt.Sprint(c.code) {
			t.Errorf("%s, require %q: exit code %d, status %q, want %d", c.arguments, c.require, code, j.outputs["steps.certify.outputs.status"], c.code)
		}
		if got := commands(j.log); (len(got) > 0) != (c.annotated != "") || len(got) > 0 && !strings.HasPrefix(got[0], c.annotated) {
			t.Errorf("%s: annotated %q, want %q", c.arguments, got, c.annotated)
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
		if got := strings.Join(j.ran, ", "); got != "Take a program of the caller's, Certify, Write the summary, actions/upload-artifact@v4, Give the verdict" {
			t.Errorf("%s: ran %s", c.arguments, got)
		}
	}
}

// TestActionCertifiesEachPack: classes come one a line by id or name, or several on a line.
func TestActionCertifiesEachPack(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("whole packs")
	}
	for _, c := range []struct {
		pack, require string
		code          int
	}{
		{"helix", "recovery\r\n\nRuntime\n", 0},
		{"helix-ui", "UI stream\nui-resume", 0},
		{"aep", "Core Actions", 0},
		{"aep", "core\ndurable", 1},
		{"merlin", "v1\nV2", 0},
	} {
		j, code := withBinary(t, map[string]string{"pack": c.pack, "arguments": "--reference\n--effort=quick", "require": c.require})
		if code != c.code {
			t.Errorf("%s, require %q: exit code %d, want %d\n%s", c.pack, c.require, code, c.code, j.log)
		}
	}
}

// TestActionKeepsLines: a line of the arguments is one argument, whatever is in it.
func TestActionKeepsLines(t *testing.T) {
	t.Parallel()
	j, code := withBinary(t, map[string]string{"pack": "aep", "arguments": "--reference\n--only=aep.http.*\n--out=two  words"})
	if _, err := os.Stat(filepath.Join(j.dir, "workspace", "two  words", "report.html")); err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

// TestActionRunsNoInput: text of an argument that a shell would run or expand reaches the program unchanged.
func TestActionRunsNoInput(t *testing.T) {
	t.Parallel()
	for _, hostile := range []string{"$(touch owned)", "`touch owned`", "; touch owned", "' ; touch owned ; '", "--only=x\" && touch owned && \"", "*"} {
		for _, input := range []string{"arguments", "require", "config", "pack", "binary"} {
			j, code := withBinary(t, map[string]string{"arguments": "--reference\n--list", input: hostile})
			if _, err := os.Stat(filepath.Join(j.dir, "workspace", "owned")); err == nil {
				t.Errorf("%s: %s was run", input, hostile)
			}
			if code == 0 {
				t.Errorf("%s: %s was taken", input, hostile)
			}
		}
	}
}

// TestActionObeysNoServer: output of a server is in the log, and no line of it is a command to the runner.
func TestActionObeysNoServer(t *testing.T) {
	t.Parallel()
	broken, err := url.Parse(cmdtest.Broken(t, "resume-skips-one"))
	if err != nil {
		t.Fatal(err)
	}
	const hostile = "::add-mask::e\n##[add-mask]e\n"
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(broken) }, FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			if r.Request.Header.Get("Last-Event-ID") == "" {
				return nil
			}
			r.StatusCode, r.ContentLength = http.StatusInternalServerError, -1
			r.Header = http.Header{"Content-Type": {"text/plain"}}
			err := r.Body.Close()
			r.Body = io.NopCloser(strings.NewReader(hostile))
			return err
		},
	})
	defer server.Close()
	j, code := withBinary(t, map[string]string{"pack": "helix", "arguments": "--effort=quick\n--only=helix.resume.complete\n--target=" + server.URL})
	if code != 1 || !strings.Contains(j.log, " ::add-mask::") || !strings.Contains(j.log, "##[add-mask]") {
		t.Errorf("exit code %d, and the log doesn't show what the server sent", code)
	}
	got := commands(j.log)
	if len(got) != 1 || !strings.HasPrefix(got[0], "::error title=helix.resume.complete::") {
		t.Errorf("the runner obeys %q", got)
	}
}

// TestActionObeysNoFault: nor is a line of an error, which goes to standard error.
func TestActionObeysNoFault(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "##[add-mask]e", http.StatusInternalServerError)
	}))
	defer server.Close()
	j, code := withBinary(t, map[string]string{"pack": "helix", "arguments": "--only=helix.resume.complete\n--target=" + server.URL})
	if code != 3 || !strings.Contains(j.log, "##[add-mask]e") {
		t.Errorf("exit code %d, and the log doesn't show what the server sent", code)
	}
	if got := commands(j.log); len(got) != 1 || !strings.HasPrefix(got[0], "::error title=streamcert::preflight") {
		t.Errorf("the runner obeys %q", got)
	}
}

// TestActionBuilds: the action builds the program from its version on request.
func TestActionBuilds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	j := newJob(t)
	j.set(map[string]string{"pack": "aep", "arguments": "--reference\n--list", "build": "true"})
	if code := j.do(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if got := strings.Join(j.ran, ", "); got != "actions/setup-go@v5, Build the program, Certify, Write the summary, actions/upload-artifact@v4, Give the verdict" {
		t.Errorf("ran %s", got)
	}
}

// TestActionIsDescribed: every input and output has a description, and no step puts an input into its script, where it
// could be a command.
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
	if got, want := a.Inputs["version"].Default, Version(); got != want {
		t.Errorf("the input version is %s by default, and the program is %s", got, want)
	}
}
