package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MostBytes bounds each file of a folder: the largest of a working copy, the archive of a release, has a quarter of it.
const MostBytes = 1 << 20

// A TooLargeError reports that more bytes came than may.
type TooLargeError struct{ Most int64 }

func (e *TooLargeError) Error() string { return fmt.Sprintf("it is larger than %s", size(e.Most)) }

func size(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// An IrregularError reports that a path isn't a regular file.
type IrregularError struct{ Is string } // a folder, a pipe, a socket, a device

func (e *IrregularError) Error() string { return "it is a " + e.Is + "; expected a regular file" }

// regular rejects everything but a regular file: opening a pipe waits for its other end, and a device may never end.
func regular(mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return &IrregularError{"folder"}
	case mode&fs.ModeNamedPipe != 0:
		return &IrregularError{"pipe"}
	case mode&fs.ModeSocket != 0:
		return &IrregularError{"socket"}
	}
	return &IrregularError{"device"}
}

// All reads r to its end. The error is a *TooLargeError if that comes after more than most bytes.
func All(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &TooLargeError{most}
	}
	return text, err
}

// ReadFile reads a regular file of at most a number of bytes; a link to one is followed. The error is an *fs.PathError, which
// wraps an *IrregularError or a *TooLargeError where the file is refused.
func ReadFile(name string, most int64) ([]byte, error) {
	return read(name, most, os.Stat, func() (*os.File, error) { return os.Open(name) })
}

// read reads a file that stat describes and open opens, if it may be read.
func read(name string, most int64, stat func(string) (fs.FileInfo, error), open func() (*os.File, error)) ([]byte, error) {
	refused := func(err error) ([]byte, error) { return nil, &fs.PathError{Op: "read", Path: name, Err: err} }
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(info.Mode()); err != nil {
		return refused(err)
	}
	if info.Size() > most {
		return refused(&TooLargeError{most})
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	text, err := All(f, most)
	if err = errors.Join(err, f.Close()); err != nil {
		return refused(err)
	}
	return text, nil
}
