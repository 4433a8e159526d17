package command

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestCompletionScripts(t *testing.T) {
	for _, shell := range shells {
		r := streamcert(t, "", "completion", shell)
		if r.Code != 0 || r.Errs != "" || !strings.Contains(r.Out, "streamcert") || strings.Count(r.Out, "\n") < 50 {
			t.Errorf("%s: %d, %d bytes, %s", shell, r.Code, len(r.Out), r.Errs)
		}
		if path, err := exec.LookPath(shell); err == nil && shell != "powershell" {
			cmd := exec.Command(path, "-n")
			cmd.Stdin = strings.NewReader(r.Out)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s can't read its script: %v\n%s", shell, err, out)
			}
		}
	}
	streamcert(t, "", "completion", "fsh").OneLine(t, misuse, "fsh", "did you mean fish?", "powershell")
	streamcert(t, "", "completion").OneLine(t, misuse, "SHELL")
}

// completed asks as a shell does.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	r := streamcert(t, "", append([]string{cobra.ShellCompRequestCmd}, args...)...)
	lines := strings.Split(strings.TrimSpace(r.Out), "\n")
	if r.Code != 0 || !slices.Contains(lines, ":4") {
		t.Fatalf("%v: %+v", args, r)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, ":") })
}

func TestCompletionOffers(t *testing.T) {
	for line, want := range map[string][]string{
		"certify --only helix.resume.after-c": {"helix.resume.after-cursor"},
		"certify --pack he":                   {"helix", "helix-ui"},
		"certify --pack a":                    {"aep", "all"},
		"certify --require reco":              {"recovery"},
		"certify --require ui-":               {"ui-resume", "ui-stream"},
		"certify --format j":                  {"json"},
		"steps --format j":                    {"js", "json"},
		"serve --mutant inclusive-r":          {"inclusive-resume"},
		"serve --variant discards-what-was":   {"discards-what-was-staged"},
		"explain helix.resume.after-c":        {"helix.resume.after-cursor"},
		"init --pack he":                      {"helix", "helix-ui"},
		"completion fi":                       {"fish"},
		"certify --only nothing.begins.so":    {},
		"certify --dir nowhere --only helix.": {},
	} {
		if got := completed(t, strings.Fields(line)...); !slices.Equal(got, want) {
			t.Errorf("%s: offered %q, want %q", line, got, want)
		}
	}
	for _, id := range completed(t, "certify", "--only", "helix.") {
		if !strings.HasPrefix(id, "helix.") {
			t.Errorf("%q doesn't go on what was typed", id)
		}
	}
}

// TestHelpLoadsNothing: help must come at once, so it may read neither suite nor
// working copy.
func TestHelpLoadsNothing(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{{"--help"}, {"certify", "--help"}, {"completion", "bash"}} {
		if r := streamcert(t, "", append(args, "--dir", empty)...); r.Code != 0 {
			t.Errorf("%v reads what it doesn't need: %+v", args, r)
		}
	}
	if entries, err := os.ReadDir(empty); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
}
