package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMutantsWritesTheMatrix(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	r := streamcert(t, "", "mutants", "--only", "sends-end-twice", "--out", dir, "--format", "json")
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.errs)
	}
	var onScreen, inFile bytes.Buffer
	b, err := os.ReadFile(filepath.Join(dir, mutantsFile))
	if err != nil || json.Compact(&inFile, b) != nil || json.Compact(&onScreen, []byte(r.out)) != nil || inFile.String() != onScreen.String() {
		t.Errorf("the file differs from what was printed (%v):\n%s\n%s", err, b, r.out)
	}
	page, err := os.ReadFile(filepath.Join(dir, matrixFile))
	if err != nil || !strings.Contains(string(page), "sends-end-twice × helix.lifecycle.one-terminal: killed") {
		t.Errorf("the page doesn't show the kill: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestMutantsRefusesAFolderThatIsAFile(t *testing.T) {
	file := write(t, "file", "")
	streamcert(t, "", "mutants", "--only", "sends-end-twice", "--out", file).oneLine(t, 3, "making the folder")
}
