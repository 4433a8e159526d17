package describe

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/npmtest"
)

// TestPublicValidators: a public validator of JSON Schema compiles every bundle and file in its strict mode, accepts every valid
// example and refuses every other; a public validator of OpenAPI and AsyncAPI has no error to report.
func TestPublicValidators(t *testing.T) {
	folder := npmtest.Install(t, "public validators", "interop")
	var apis []string
	for name, text := range described(t) {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "api.json") {
			apis = append(apis, name)
		}
	}
	check := exec.CommandContext(t.Context(), "node", "check.mjs", folder)
	check.Dir = folder
	var errs bytes.Buffer
	check.Stderr = &errs
	out, err := check.Output()
	if err != nil {
		t.Errorf("the schemas: %v\n%s", err, errs.Bytes())
	}
	var counts map[string]struct{ Files, Accepted, Refused int }
	if err := json.Unmarshal(out, &counts); err != nil || len(counts) != len(apis)/2 {
		t.Errorf("the schemas of %d packs: %s, %v", len(apis)/2, out, err)
	}
	for pack, n := range counts {
		if n.Files == 0 || n.Accepted == 0 || n.Refused == 0 {
			t.Errorf("%s: %+v", pack, n)
		}
	}
	t.Logf("%s", bytes.TrimSpace(out))

	lint := exec.CommandContext(t.Context(), "node_modules/.bin/redocly", append([]string{"lint", "--extends=spec", "--format=summary"}, apis...)...)
	lint.Dir, lint.Env = folder, append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	if out, err := lint.CombinedOutput(); err != nil || bytes.Count(out, []byte(": validated in ")) != len(apis) {
		t.Errorf("the descriptions of the routes and streams: %v\n%s", err, out)
	}
}
