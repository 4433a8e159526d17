package certify_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
)

// TestFeaturesOfTheCallerStayUnread certifies from a folder that has other features, as projects have whose tests are
// written in Gherkin. The run doesn't read them, not even the broken one.
func TestFeaturesOfTheCallerStayUnread(t *testing.T) {
	suite := certifytest.Load(t, "helix")
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "features"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "features", "broken.feature"), []byte("no Gherkin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	defer func() { os.Stderr = stderr }()
	recordedRun(t, suite, "", "helix.text.concatenation")
	recordedRun(t, suite, "", "helix.status.*")
	os.Stderr = stderr
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	if len(said) > 0 {
		t.Errorf("standard error got %q", said)
	}
}
