package cmdtest

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/cmd/catalogues"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Ran is the outcome of a command line.
type Ran struct {
	Code      int
	Out, Errs string
}

// Program runs a command line, as command.App.Run does.
type Program func(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int

// Run runs a command line with a text on standard input.
func (p Program) Run(t *testing.T, in string, args ...string) Ran {
	t.Helper()
	var out, errs bytes.Buffer
	code := p(t.Context(), args, strings.NewReader(in), &out, &errs)
	return Ran{code, out.String(), errs.String()}
}

// OneLine asks of a command to end with a code and one line on standard error that contains all of the words.
func (r Ran) OneLine(t *testing.T, code int, words ...string) {
	t.Helper()
	if r.Code != code {
		t.Errorf("exit code %d, want %d", r.Code, code)
	}
	if !strings.HasPrefix(r.Errs, "streamcert: ") || strings.Count(r.Errs, "\n") != 1 {
		t.Errorf("standard error is %q, want one line", r.Errs)
	}
	for _, w := range words {
		if !strings.Contains(r.Errs, w) {
			t.Errorf("%q doesn't say %q", r.Errs, w)
		}
	}
}

// Write writes a text to a file of that name in a new folder, and returns its path.
func Write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Repository is the folder of all folders, from the package of either program.
const Repository = "../../.."

// WorkingCopy writes the data folders down and returns where. Its goldens, most of the files, are links to those of the
// repository where the file system has such: a test may add some, and edits none of them.
func WorkingCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, fsys := range map[string]fs.FS{"spec": spec.FS, "schemas": schemas.FS, "features": features.FS} {
		if err := os.CopyFS(filepath.Join(dir, name), fsys); err != nil {
			t.Fatal(err)
		}
	}
	err := fs.WalkDir(golden.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		file := filepath.Join("golden", filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(dir, file), 0o755)
		case os.Link(filepath.Join(Repository, file), filepath.Join(dir, file)) == nil:
			return nil
		}
		text, err := fs.ReadFile(golden.FS, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, file), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Mutant makes the server of the first pack that has a mutant of this name.
func Mutant(t *testing.T, name string) servers.Server {
	t.Helper()
	all := catalogues.All()
	for _, p := range all {
		for _, m := range append(all.Mutants(p.Name), all.CampaignOnly(p.Name)...) {
			if m.Of.Name == name {
				return m.New(servers.Settings{Heartbeat: time.Second})
			}
		}
	}
	t.Fatalf("there is no mutant %s", name)
	return nil
}

// Broken serves a mutant and returns its URL.
func Broken(t *testing.T, name string) string { return Serve(t, Mutant(t, name)) }

// Serve serves until the test ends and returns the URL.
func Serve(t *testing.T, s servers.Server) string {
	t.Helper()
	at := httptest.NewServer(s)
	t.Cleanup(func() { s.Close(); at.Close() })
	return at.URL
}
