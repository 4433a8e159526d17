package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/streamcert/streamcert/runner/files"
)

const (
	folder    = "releases"
	extension = ".tar.gz"
)

// archive returns the path of a release below spec.
func archive(pack, version string) string { return path.Join(pack, folder, version+extension) }

// Versions lists the released versions of a pack, the oldest first. spec is the folder of that name.
func Versions(spec fs.FS, pack string) []string {
	names, _ := fs.Glob(spec, path.Join(pack, folder, "*"+extension)) // the pattern is well formed
	var out []string
	for _, name := range names {
		if version := strings.TrimSuffix(path.Base(name), extension); semver.IsValid("v" + version) {
			out = append(out, version)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return semver.Compare("v"+a, "v"+b) })
	return out
}

// Number returns the version of a pack: its VERSION, or that of all packs in versions with a common one; "" if there is
// neither.
func Number(files fs.FS, pack string) string {
	for _, name := range []string{path.Join("spec", pack, "VERSION"), "spec/VERSION"} {
		if text, err := fs.ReadFile(files, name); err == nil {
			return strings.TrimSpace(string(text))
		}
	}
	return ""
}

// Write releases the version that a working copy has of a pack: it writes spec/<pack>/releases/<version>.tar.gz, the same
// bytes for the same files, and returns its path. A release that is there already is an error, unless it is to be replaced.
func Write(dir, pack string, replace bool) (string, error) {
	source, err := Folder(dir)
	if err != nil {
		return "", err
	}
	number := Number(source.Files, pack)
	if !semver.IsValid("v"+number) || strings.Count(number, ".") != 2 {
		return "", fmt.Errorf("releasing %s: spec/%s/VERSION holds %q, expected a version such as 0.1.0", pack, pack, number)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("releasing %s: %w", pack, err)
	}
	defer root.Close()
	below := path.Join("spec", archive(pack, number))
	name := filepath.Join(dir, filepath.FromSlash(below))
	if _, err := root.Lstat(filepath.FromSlash(below)); err == nil && !replace {
		return "", fmt.Errorf("releasing %s: %s is there already; raise spec/%s/VERSION, or replace it with --force", pack, name, pack)
	}
	data, err := bundle(source.Files, pack)
	if err != nil {
		return "", fmt.Errorf("releasing %s: %w", pack, err)
	}
	if err := files.Replace(root, below, data); err != nil {
		return "", fmt.Errorf("releasing %s: %w", pack, err)
	}
	return name, nil
}

// bundle packs the files of a pack. Nothing in it depends on when or where it is done.
func bundle(version fs.FS, pack string) ([]byte, error) {
	names := []string{"spec/README.md"}
	roots := []string{}
	for _, part := range parts() {
		roots = append(roots, path.Join(part, pack))
	}
	samples, err := Samples(version, pack)
	if err != nil {
		return nil, err
	}
	for _, root := range slices.Concat(roots, samples) {
		err := fs.WalkDir(version, root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == folder:
				return fs.SkipDir
			case d.Type()&fs.ModeSymlink != 0:
				return fmt.Errorf("%s is a link; a release holds files, so put what it leads to in its place", name)
			case d.Type().IsRegular() && !strings.HasSuffix(name, ".go"):
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	var out bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is a valid one
	t := tar.NewWriter(gz)
	for _, name := range names {
		data, err := fs.ReadFile(version, name)
		if err != nil {
			return nil, err
		}
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return nil, err
		}
		if _, err := t.Write(data); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
