package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// folder is a directory as a file system. It opens the directory for each call, so that nothing has to be closed.
type folder string

// Open returns a folder as a file system of regular files of at most [MostBytes] and of folders. A link in it that leads
// out of it, a pipe and a device are listed, and opening one is an error. dir itself may be a link.
func Open(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return folder(dir), root.Close()
}

// Open opens a regular file or a folder.
func (d folder) Open(name string) (fs.File, error) {
	refused := func(err error) (fs.File, error) { return nil, &fs.PathError{Op: "open", Path: name, Err: err} }
	if !fs.ValidPath(name) {
		return refused(fs.ErrInvalid)
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return refused(err)
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil {
		return refused(cause(err))
	}
	if !info.IsDir() {
		if err := regular(info.Mode()); err != nil {
			return refused(err)
		}
		if info.Size() > MostBytes {
			return refused(&TooLargeError{MostBytes})
		}
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return refused(cause(err))
	}
	return f, nil
}

// ReadFile reads a regular file, which may grow meanwhile.
func (d folder) ReadFile(name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := All(f, MostBytes)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return text, nil
}

// cause takes the name out of an error, because the caller adds it.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Replace writes a file below root by its slash-separated name, and makes its parent folders. The file is replaced
// completely or not at all; a link of this name is replaced, and one on the way that leads out of root is an error.
func Replace(root *os.Root, name string, content []byte) error {
	local := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return err
	}
	fresh := filepath.FromSlash(path.Join(path.Dir(name), "."+path.Base(name)+".new"))
	// One that is left of a program that was killed, or a link that waits for this name.
	if err := root.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(fresh, local)
	}
	if err != nil {
		return errors.Join(err, root.Remove(fresh))
	}
	return nil
}
