package runner_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
)

// certified is set for the child process in which TestCertified runs.
const certified = "STREAMCERT_TEST_MUTANT"

// TestCertified is an example of a user's test of a server. It runs only as the child of TestOfAServer, because its server
// is broken.
func TestCertified(t *testing.T) {
	name, child := os.LookupEnv(certified)
	if !child {
		t.Skip("runs only as a child of another test")
	}
	name, strict := strings.CutSuffix(name, " strict")
	ref := reference.New(certifytest.Options())
	url, stop, err := certifytest.Listen(ref, ref.Close)
	for _, m := range certifytest.Mutants(t) {
		if m.Name == name {
			stop()
			url, stop, err = m.Start()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cfg := certifytest.Config(url)
	cfg.Without = []string{"reset"}
	if name == "nothing" {
		cfg.URL = certifytest.Serve(t, http.NotFoundHandler())
	}
	runner.Test(t, cfg, func(o *runner.Options) {
		o.Strict = strict
		o.Progress = func(p runner.Progress) {
			if p.Done == p.Total {
				t.Log("scenarios played:", p.Total)
			}
		}
		o.Known = map[string]string{"helix.resume.gapless": "ticket 7"}
	})
}

// child runs TestCertified with a server and a pattern of subtests.
func child(t *testing.T, mutant, pattern string) (out string, failed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.v", "-test.run", "^TestCertified$/"+pattern)
	cmd.Env = append(os.Environ(), certified+"="+mutant)
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	failed = cmd.Run() != nil
	return b.String(), failed
}

func TestOfAServer(t *testing.T) {
	for _, c := range []struct {
		mutant, pattern string
		failed          bool
		want, without   []string
	}{
		{"", "helix/helix.resume.z", false, []string{"--- PASS: TestCertified/helix/helix.resume.zero", "scenarios played: 2\n"}, []string{"helix.resume.query", "aep"}},
		{"", "helix/helix.truncation.reset-", false, []string{"--- SKIP: TestCertified/helix/helix.truncation.reset", "not claimed: capability reset"}, nil},
		{"resume-skips-one", "helix/helix.resume.(complete|zero)", true, []string{
			"--- FAIL: TestCertified/helix/helix.resume.complete", "MUST send every stored chunk after N exactly once and then go on as the table says",
			"want   event", "go test -run '^TestCertified$/^helix$/^helix.resume.complete$'", "call -i -N", "helix/resume.html#helix.resume.complete",
			"--- PASS: TestCertified/helix/helix.resume.zero",
		}, nil},
		{"skips-numbers", "helix/helix.resume.gapless", false, []string{"--- SKIP", "known: ticket 7"}, nil},
		{"starts-at-1000", "helix/helix.resume.first-sequence", false, []string{"--- PASS", "WARN  helix.resume.first-sequence"}, nil},
		{"starts-at-1000 strict", "helix/helix.resume.first-sequence", true, []string{"WARN  helix.resume.first-sequence"}, nil},
		{"nothing", "", true, []string{"--- SKIP: TestCertified/aep", "--- SKIP: TestCertified/helix", "the server offers no pack"}, nil},
	} {
		t.Run(c.mutant+" "+c.pattern, func(t *testing.T) {
			out, failed := child(t, c.mutant, c.pattern)
			if failed != c.failed {
				t.Errorf("it failed: %v", failed)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			for _, not := range c.without {
				if strings.Contains(out, not) {
					t.Errorf("there is %q", not)
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}
