package describe

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublicValidators: a public validator of JSON Schema compiles every bundle and file in its strict mode, accepts every valid
// example and refuses every other; a public validator of OpenAPI and AsyncAPI has no error to report.
func TestPublicValidators(t *testing.T) {
	folder := installed(t)
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

// installed returns a folder with the validators. Without npm, Node or a registry the test is skipped, or fails where they
// are required.
func installed(t *testing.T) string {
	t.Helper()
	lack := t.Skipf
	if os.Getenv("STREAMCERT_REQUIRE_NPM") != "" {
		lack = t.Fatalf
	}
	if testing.Short() {
		t.Skip("installs packages")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			lack("public validators: there is no %s on the PATH; install Node 20 or newer with npm", program)
		}
	}
	folder := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "check.mjs"} {
		text, err := os.ReadFile(filepath.Join("interop", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		lack("public validators: installing them failed, perhaps for want of a network: %v\n%s", err, out)
	}
	return folder
}
