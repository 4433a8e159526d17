package command

import (
	"io/fs"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Files returns the data folders: embedded, or those of --dir.
func (a *App) Files() (pack.Files, error) {
	if a.dir == "" {
		return pack.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS, Sources: sources(a.dir)}, nil
	}
	copied, err := files.Open(a.dir)
	if err != nil {
		return pack.Files{}, Usage("--dir: opening the working copy: %w; expected a folder with spec, schemas, features and golden", err)
	}
	open := func(name string) (fs.FS, error) {
		if info, err := fs.Stat(copied, name); err != nil || !info.IsDir() {
			return nil, Usage("--dir %s: there is no folder %s in it; expected a working copy with spec, schemas, features and golden", a.dir, name)
		}
		return fs.Sub(copied, name)
	}
	data := pack.Files{Sources: sources(a.dir)}
	for _, part := range []struct {
		name string
		into *fs.FS
	}{{"spec", &data.Spec}, {"schemas", &data.Schemas}, {"features", &data.Features}, {"golden", &data.Golden}} {
		fsys, err := open(part.name)
		if err != nil {
			return data, err
		}
		*part.into = fsys
	}
	return data, nil
}

// sources returns the code that names requirements: the sources of the program, or those of the working copy in dir. They are
// unknown for a working copy that contains only spec, schemas, features and goldens.
func sources(dir string) trace.Sources {
	if dir == "" {
		return trace.Sources{Reference: reference.FS, Judge: judge.FS}
	}
	var s trace.Sources
	copied, err := files.Open(dir)
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
