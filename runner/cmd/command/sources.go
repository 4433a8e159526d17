package command

import (
	"os"
	"path/filepath"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/trace"
)

// sources are the code that names requirements: what the program was built from, or that of a working copy. They are
// unknown if the working copy has none, as where somebody has only its spec, schemas, features and goldens.
func (a *App) sources() trace.Sources {
	if a.dir == "" {
		return trace.Sources{Reference: reference.FS, Judge: judge.FS}
	}
	var s trace.Sources
	if dir := filepath.Join(a.dir, trace.ReferenceFolder); isFolder(dir) {
		s.Reference = os.DirFS(dir)
	}
	if dir := filepath.Join(a.dir, filepath.FromSlash(trace.JudgeFolder)); isFolder(dir) {
		s.Judge = os.DirFS(dir)
	}
	return s
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
