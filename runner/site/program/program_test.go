package program_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/streamcert/streamcert/runner/site/program"
)

// TestBuilt: a build has either the complete program or none.
func TestBuilt(t *testing.T) {
	built, err := program.Built()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"judge.wasm.gz", "wasm_exec.js"} {
		if info, err := fs.Stat(built, name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v; `make judge` builds it", name, err)
		}
	}
}
