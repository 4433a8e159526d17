package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Latest names the last released version of a pack.
const Latest = "released"

// mostBytes bounds what an archive may hold: a version of all packs is less than a tenth of it.
const mostBytes = 256 << 20

// Source is one version of the kit.
type Source struct {
	Name  string // as people call it: a folder, a revision, "released 0.4.0"
	Files fs.FS  // with the folders spec, schemas, features and golden
}

// A MissingError says that a pack has no release by a name.
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
	Dir  string // the working copy in which git is asked, "" for the current directory
	Spec fs.FS  // the folder spec whose releases are known
}

// Open finds a version of a pack by a name: "released" for the last release, a number such as 0.4.0 for that release, the
// path of a folder or of an archive, and else a git revision. An error says what was looked for and where; it is a
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
		f, err := os.Open(name)
		if err != nil {
			return Source{}, fmt.Errorf("reading the archive %s: %w", name, err)
		}
		defer f.Close()
		files, err := unpack(f)
		if err != nil {
			return Source{}, fmt.Errorf("reading the archive %s: %w; expected a tar.gz that `streamcert-lab release` wrote", name, err)
		}
		return Source{Name: name, Files: files}, nil
	}
	return o.revision(ctx, name)
}

// Folder is the version in a working copy.
func Folder(dir string) (Source, error) {
	for _, part := range parts() {
		if info, err := os.Stat(filepath.Join(dir, part)); err != nil || !info.IsDir() {
			return Source{}, fmt.Errorf("reading the version in %s: there is no folder %s in it; expected spec, schemas, features and golden", dir, part)
		}
	}
	return Source{Name: dir, Files: os.DirFS(dir)}, nil
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

// revision reads a git revision, which stays in the repository: nothing is checked out.
func (o Opener) revision(ctx context.Context, name string) (Source, error) {
	if strings.HasPrefix(name, "-") {
		return Source{}, fmt.Errorf("%q is neither a folder, a version nor a git revision", name)
	}
	var out, errs bytes.Buffer
	// The samples are in the archive too: the suite of a later version certifies them.
	cmd := exec.CommandContext(ctx, "git", slices.Concat([]string{"archive", "--format=zip", "-0", name, "--"}, parts(), []string{"reference"})...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.Dir, &out, &errs
	if err := cmd.Run(); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if errors.Is(err, exec.ErrNotFound) {
			said = "there is no program git on the PATH"
		}
		return Source{}, fmt.Errorf("%q is neither a folder nor a released version, and git can't read it as a revision: %s", name, said)
	}
	files, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		return Source{}, fmt.Errorf("reading the git revision %s: %w", name, err)
	}
	return Source{Name: name, Files: files}, nil
}

// unpack reads a tar.gz into memory. What comes out is a zip that isn't compressed, since that is a file system.
func unpack(r io.Reader) (fs.FS, error) {
	gz, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	t := tar.NewReader(io.LimitReader(gz, mostBytes))
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) {
			continue
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: h.Name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(f, t); err != nil {
			return nil, err
		}
	}
	// The sum of a gzip file stands at its end, behind what tar reads.
	if _, err := io.Copy(io.Discard, io.LimitReader(gz, mostBytes)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
}

// Joined is a version whose folders are file systems of their own, by their names, such as those that a build embeds.
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
