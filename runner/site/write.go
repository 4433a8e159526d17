package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/files"
)

// listFile names in a folder the files that a site consists of, a line each.
const listFile = "site.txt"

// ErrOtherFiles reports that a folder contains files that aren't a site's.
var ErrOtherFiles = errors.New("there are files in it that no site is made of")

// ofSite matches the names of a site's files: other lines in a list of files to remove are ignored.
var ofSite = regexp.MustCompile(`^(([a-z0-9-]+/){0,2}[a-z0-9_-]+\.html|assets/[a-z0-9_-]+\.(js|css)|schemas/([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.json)$`)

// Write writes the site into a folder, which it makes if there is none. A folder with other files is refused with
// ErrForeign unless an earlier site is in it; files of the earlier site that this one lacks are removed. A file is replaced
// completely or not at all, and never through a link that leads out of the folder.
func (f Files) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of the site: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the site: %w", err)
	}
	defer root.Close()
	there, err := files.Open(dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the site: %w", err)
	}
	before, err := earlier(dir, there)
	if err != nil {
		return err
	}
	replace := func(name string, content []byte) error {
		if now, err := fs.ReadFile(there, name); err == nil && slices.Equal(now, content) {
			return nil
		}
		if err := files.Replace(root, name, content); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
		return nil
	}
	names := f.Names()
	for _, name := range names {
		if err := replace(name, f[name]); err != nil {
			return err
		}
	}
	for _, name := range before {
		if _, stays := f[name]; !stays && ofSite.MatchString(name) {
			if err := root.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("removing a page that is gone: %w", err)
			}
		}
	}
	return replace(listFile, []byte(strings.Join(names, "\n")+"\n"))
}

// earlier lists the site's files in a folder.
func earlier(dir string, there fs.FS) ([]string, error) {
	list, err := fs.ReadFile(there, listFile)
	switch {
	case err == nil:
		return strings.Fields(string(list)), nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading what an earlier site wrote: %w", err)
	}
	found, err := fs.ReadDir(there, ".")
	switch {
	case err != nil:
		return nil, fmt.Errorf("looking into the folder of the site: %w", err)
	case len(found) == 0:
		return nil, nil
	}
	return nil, fmt.Errorf("%s: %w, such as %s", dir, ErrOtherFiles, found[0].Name())
}
