package release

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/streamcert/streamcert/runner/files"
)

// Latest names the last released version of a pack.
const Latest = "released"

// Limits of a version: one with all packs needs less than a tenth.
const (
	mostBytes   = 64 << 20
	mostFiles   = 20_000
	mostArchive = 64 << 20 // bytes of a compressed one
)

// Source is one version of the kit.
type Source struct {
	Name  string // as people call it: a folder, a revision, "released 0.4.0"
	Files fs.FS  // with the folders spec, schemas, features and golden
}

// A MissingError reports that a pack has no release by a name.
type MissingError struct {
	Pack, Name string
	Has        []string // the versions that were released
}

func (e *MissingError) Error() string {
	if len(e.Has) == 0 {
		return fmt.Sprintf("%s has no release: spec/%s/releases holds no archive", e.Pack, e.Pack)
	}
	return fmt.Sprintf("%s has no release %s; spec/%s/releases holds %s", e.Pack, e.Name, e.Pack, strings.Join(e.Has, ", "))
}

// Opener opens versions by their names.
type Opener struct {
	Dir  string // the working copy for git, "" for the current directory
	Spec fs.FS  // the folder spec whose releases are known
}

// Open finds a version of a pack by a name: "released" for the last release, a number such as 0.4.0 for that release, the
// path of a folder or of an archive, and else a git revision. An error states what was looked for and where; it is a
// *MissingError if the pack wasn't released.
func (o Opener) Open(ctx context.Context, name, pack string) (Source, error) {
	if name == Latest || semver.IsValid("v"+name) && strings.Count(name, ".") == 2 {
		return o.released(name, pack)
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return Folder(name)
	case err == nil:
		packed, err := files.ReadFile(name, mostArchive)
		if err != nil {
			return Source{}, fmt.Errorf("reading the archive %s: %w", name, err)
		}
		files, err := unpack(bytes.NewReader(packed))
		if err != nil {
			return Source{}, fmt.Errorf("reading the archive %s: %w; expected a tar.gz that `streamcert-lab release` wrote", name, err)
		}
		return Source{Name: name, Files: files}, nil
	}
	return o.revision(ctx, name)
}

// Folder returns the version in a working copy.
func Folder(dir string) (Source, error) {
	copied, err := files.Open(dir)
	if err != nil {
		return Source{}, fmt.Errorf("reading the version in %s: %w", dir, err)
	}
	for _, part := range parts() {
		if info, err := fs.Stat(copied, part); err != nil || !info.IsDir() {
			return Source{}, fmt.Errorf("reading the version in %s: there is no folder %s in it; expected spec, schemas, features and golden", dir, part)
		}
	}
	return Source{Name: dir, Files: copied}, nil
}

func parts() []string { return []string{"spec", "schemas", "features", "golden"} }

// released opens an archive of the folder spec.
func (o Opener) released(name, pack string) (Source, error) {
	has := Versions(o.Spec, pack)
	version := name
	if name == Latest && len(has) > 0 {
		version = has[len(has)-1]
	}
	if !slices.Contains(has, version) {
		return Source{}, &MissingError{Pack: pack, Name: name, Has: has}
	}
	file := archive(pack, version)
	f, err := o.Spec.Open(file)
	if err != nil {
		return Source{}, fmt.Errorf("reading the release spec/%s: %w", file, err)
	}
	defer f.Close()
	files, err := unpack(f)
	if err != nil {
		return Source{}, fmt.Errorf("reading the release spec/%s: %w", file, err)
	}
	return Source{Name: "released " + version, Files: files}, nil
}

// Joined is a version whose folders are separate file systems, by their names, such as those that a build embeds.
type Joined map[string]fs.FS

// Open opens a file of one of the folders.
func (j Joined) Open(name string) (fs.File, error) {
	first, rest, deeper := strings.Cut(name, "/")
	fsys, there := j[first]
	if !there {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if !deeper {
		rest = "."
	}
	return fsys.Open(rest)
}
