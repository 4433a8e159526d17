package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listFile names in a folder the files that a site consists of, a line each.
const listFile = "site.txt"

// ErrForeign says that a folder holds files that no site is made of.
var ErrForeign = errors.New("there are files in it that no site is made of")

// Write writes the site into a folder, which it makes if there is none. A folder that holds other files is refused with
// ErrForeign unless an earlier site is in it; what the earlier site had and this one hasn't is removed. A file is replaced
// as a whole or not at all.
func (f Files) Write(dir string) error {
	before, err := earlier(dir)
	if err != nil {
		return err
	}
	names := f.Names()
	for _, name := range names {
		if err := replace(filepath.Join(dir, filepath.FromSlash(name)), f[name]); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
	}
	for _, name := range before {
		if _, stays := f[name]; !stays && filepath.IsLocal(name) {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("removing a page that is gone: %w", err)
			}
		}
	}
	if err := replace(filepath.Join(dir, listFile), []byte(strings.Join(names, "\n")+"\n")); err != nil {
		return fmt.Errorf("writing the site: %w", err)
	}
	return nil
}

// earlier lists the files of the site that a folder holds.
func earlier(dir string) ([]string, error) {
	list, err := os.ReadFile(filepath.Join(dir, listFile))
	switch {
	case err == nil:
		return strings.Fields(string(list)), nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading what an earlier site wrote: %w", err)
	}
	found, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(found) == 0:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking into the folder of the site: %w", err)
	}
	return nil, fmt.Errorf("%s: %w, such as %s", dir, ErrForeign, found[0].Name())
}

// replace writes a file beside its place and moves it there. One that is the same already stays as it is.
func replace(name string, content []byte) error {
	if there, err := os.ReadFile(name); err == nil && slices.Equal(there, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".site-*")
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(content).WriteTo(file)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
