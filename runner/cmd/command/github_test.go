package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const githubFolder = "../../../.github"

// workflow is one of GitHub, as far as the tests read it.
type workflow struct {
	Name        string
	On          any
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn      string `yaml:"runs-on"`
		Permissions map[string]string
		Timeout     int `yaml:"timeout-minutes"`
		Steps       []workflowStep
	}
}

type workflowStep struct {
	Name, If, Uses, Run string
	With, Env           map[string]any
}

// problems lists mistakes in a workflow: no permissions, an expression in a script, an action that isn't pinned to a
// version, an input that the action of this repository doesn't have, or a target that the Makefile doesn't have.
func (w workflow) problems(inputs, targets []string) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if w.Name == "" || w.On == nil || len(w.Jobs) == 0 {
		say("no name, on or jobs")
	}
	if len(w.Permissions) == 0 {
		say("no permissions")
	}
	for name, job := range w.Jobs {
		if job.RunsOn == "" || len(job.Steps) == 0 {
			say("%s: no runs-on or steps", name)
		}
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "${{") {
				say("%s: a script holds an expression; it belongs into env", s.Name)
			}
			if (s.Uses == "") == (s.Run == "") {
				say("%s: expected one of uses and run", s.Name)
			}
			if s.Uses != "" && !pinned.MatchString(s.Uses) {
				say("%s: expected a major version of an action, or this repository's", s.Uses)
			}
			if strings.Contains(s.Uses, ".github/actions/certify") {
				for input := range s.With {
					if !slices.Contains(inputs, input) {
						say("%s: the action has no input %s", s.Name, input)
					}
				}
			}
			for _, call := range making.FindAllStringSubmatch(s.Run, -1) {
				for _, target := range strings.Fields(call[1]) {
					if !strings.HasPrefix(target, "-") && !slices.Contains(targets, target) {
						say("%s: the Makefile has no target %s", s.Name, target)
					}
				}
			}
		}
	}
	return out
}

var (
	pinned  = regexp.MustCompile(`^(actions/[a-z-]+@v\d+|\./\.github/actions/certify|streamcert/streamcert/\.github/actions/certify@v\d+\.\d+\.\d+)$`)
	making  = regexp.MustCompile(`\bmake((?: -*[a-z][a-z-]*)+)`)
	aTarget = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// known lists the inputs of the action and the targets of the Makefile.
func known(t *testing.T) (inputs, targets []string) {
	t.Helper()
	for _, m := range aTarget.FindAllStringSubmatch(contents(t, "../../../Makefile"), -1) {
		targets = append(targets, m[1])
	}
	return slices.Collect(maps.Keys(readAction(t).Inputs)), targets
}

func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(githubFolder, "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	inputs, targets := known(t)
	for _, file := range files {
		var w workflow
		if err := yaml.Unmarshal([]byte(contents(t, file)), &w); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, problem := range w.problems(inputs, targets) {
			t.Errorf("%s: %s", filepath.Base(file), problem)
		}
		for name, job := range w.Jobs {
			if job.Timeout == 0 {
				t.Errorf("%s: %s has no timeout-minutes", filepath.Base(file), name)
			}
		}
	}
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestWorkflowSamples: each workflow in the text of the action parses, gives inputs that exist, and cites
// the version of the program.
func TestWorkflowSamples(t *testing.T) {
	inputs, targets := known(t)
	for file, want := range map[string]int{".github/actions/certify/README.md": 2} {
		n := 0
		for _, m := range yamlBlock.FindAllStringSubmatch(contents(t, filepath.Join("../../..", file)), -1) {
			if !strings.Contains(m[1], "steps:") {
				continue
			}
			n++
			var w workflow
			if err := yaml.Unmarshal([]byte(m[1]), &w); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			for _, problem := range w.problems(inputs, targets) {
				t.Errorf("%s: %s", file, problem)
			}
			for _, cited := range regexp.MustCompile(`streamcert/\S*@(\S+)`).FindAllStringSubmatch(m[1], -1) {
				if cited[1] != "v"+Version() {
					t.Errorf("%s cites %s, expected v%s", file, cited[1], Version())
				}
			}
		}
		if n != want {
			t.Errorf("%s has %d workflows, expected %d", file, n, want)
		}
	}
}

// TestWorkflowProblemsAreSeen: the check of workflows must be able to fail.
func TestWorkflowProblemsAreSeen(t *testing.T) {
	var w workflow
	text := "jobs: {a: {steps: [{uses: actions/checkout@main}, {run: 'echo ${{ github.ref }}; make --silent lint nonsense'}, {}, {uses: ./.github/actions/certify, with: {nonsense: 1}}]}}"
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(w.problems([]string{"config"}, []string{"lint"}), "\n")
	for _, want := range []string{"no name, on or jobs", "no permissions", "a: no runs-on", "holds an expression", "one of uses and run", "a major version", "no input nonsense", "no target nonsense"} {
		if !strings.Contains(got, want) {
			t.Errorf("no problem %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "\n") != 7 {
		t.Errorf("other problems:\n%s", got)
	}
}

// TestIssueForms: each form has a description, and a required field.
func TestIssueForms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(githubFolder, "ISSUE_TEMPLATE", "*.yml"))
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, filepath.Join(githubFolder, "dependabot.yml")) {
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID    string
				Attributes  struct{ Label string }
				Validations struct{ Required bool }
			}
		}
		if err := yaml.Unmarshal([]byte(contents(t, file)), &form); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if base := filepath.Base(file); base == "config.yml" || base == "dependabot.yml" {
			continue
		}
		required := 0
		ids := map[string]bool{}
		for _, field := range form.Body {
			if field.Type == "" || field.Attributes.Label == "" || field.ID == "" || ids[field.ID] {
				t.Errorf("%s: a field lacks its type, its label or an id of its own: %+v", file, field)
			}
			ids[field.ID] = true
			if field.Validations.Required {
				required++
			}
		}
		if form.Name == "" || form.Description == "" || required == 0 {
			t.Errorf("%s: no name, description or required field", file)
		}
	}
}

// TestDependencyFolders: dependabot's folders exist.
func TestDependencyFolders(t *testing.T) {
	var d struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	if err := yaml.Unmarshal([]byte(contents(t, filepath.Join(githubFolder, "dependabot.yml"))), &d); err != nil {
		t.Fatal(err)
	}
	manifest := map[string]string{"gomod": "go.mod", "npm": "package.json"}
	for _, u := range d.Updates {
		for _, folder := range append(u.Directories, u.Directory) {
			if folder == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join("../../..", folder, manifest[u.Ecosystem])); err != nil {
				t.Errorf("%s: %v", u.Ecosystem, err)
			}
		}
	}
}
