package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/streamcert/streamcert/runner/observe"
)

// keep opens the capture. The returned function closes it; its argument reports whether the capture is to be stored.
func (o *observing) keep(ctx context.Context, options *observe.Options) (done func(bool) error, err error) {
	if o.save == "" {
		return func(bool) error { return nil }, nil
	}
	info, err := os.Stat(o.save)
	switch {
	case err == nil && info.IsDir():
		return nil, Usage("--save: %s is a folder, expected a file", o.save)
	case err == nil && (!info.Mode().IsRegular() || isDevice(o.save)):
		return o.keepInto(ctx, options)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, Usage("--save: making the capture: %w", err)
	}
	mode := fs.FileMode(0o600) // data of a server may be private
	if err == nil {
		mode = info.Mode().Perm()
	}
	return o.addFile(options, linked(o.save), mode)
}

// isDevice reports whether a name stands for an open file, such as that of standard output. A rename over it would not
// reach its reader.
func isDevice(name string) bool {
	name, err := filepath.Abs(name)
	return err == nil && (strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/"))
}

// mostLinks bounds a chain of links.
const mostLinks = 40

// linked returns the file that a name leads to, which may not be there yet.
func linked(name string) string {
	for range mostLinks {
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return name
}

// keepInto writes into a device, a pipe or a socket as the stream comes. A pipe is
// opened once it has a reader.
func (o *observing) keepInto(ctx context.Context, options *observe.Options) (func(bool) error, error) {
	type opened struct {
		file *os.File
		err  error
	}
	ready := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(o.save, os.O_WRONLY, 0)
		ready <- opened{f, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("--save: waiting for a reader of %s: %w", o.save, context.Cause(ctx))
	case it := <-ready:
		if it.err != nil {
			return nil, Usage("--save: opening the capture: %w", it.err)
		}
		options.Save = it.file
		return func(bool) error { return o.failed(it.file.Close()) }, nil
	}
}

// addFile writes a file that gets its name when it is complete.
func (o *observing) addFile(options *observe.Options, name string, mode fs.FileMode) (func(bool) error, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return nil, Usage("--save: making the capture: %w", err)
	}
	options.Save = f
	return func(whole bool) error {
		err := f.Chmod(mode)
		err = errors.Join(err, f.Close())
		if whole && err == nil {
			err = os.Rename(f.Name(), name)
		}
		if !whole || err != nil {
			err = errors.Join(err, os.Remove(f.Name())) // no half of a capture stays
		}
		return o.failed(err)
	}, nil
}

func (o *observing) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing the capture %s: %w", o.save, err)
}
