package command

import (
	"io/fs"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/trace"
)

// sources returns the code that names requirements: the sources of the program, or those of a working copy. They are
// unknown for a working copy that contains only spec, schemas, features and goldens.
func (a *App) sources() trace.Sources {
	if a.dir == "" {
		return trace.Sources{Reference: reference.FS, Judge: judge.FS}
	}
	var s trace.Sources
	copied, err := files.Open(a.dir)
	if err != nil {
		return s // Files says so
	}
	folder := func(name string) fs.FS {
		if info, err := fs.Stat(copied, name); err != nil || !info.IsDir() {
			return nil
		}
		sub, _ := fs.Sub(copied, name) // the name is a valid one
		return sub
	}
	s.Reference, s.Judge = folder(trace.ReferenceFolder), folder(trace.JudgeFolder)
	s.Expectations = map[string]fs.FS{}
	for _, name := range trace.Expecting() {
		if code := folder(name); code != nil {
			s.Expectations[name] = code
		}
	}
	return s
}
