package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/streamcert/streamcert/runner/files"
)

// memory collects the files of a version. It is a zip that isn't compressed, since that is a file system.
type memory struct {
	out   bytes.Buffer
	zip   *zip.Writer
	files int
	bytes int64
}

func newMemory() *memory {
	m := &memory{}
	m.zip = zip.NewWriter(&m.out)
	return m
}

// add takes in a file of a size. The error states when the version is too large.
func (m *memory) add(name string, size int64, from io.Reader) error {
	if m.files++; m.files > mostFiles {
		return fmt.Errorf("it holds more than %d files", mostFiles)
	}
	if m.bytes += size; size < 0 || m.bytes > mostBytes {
		return fmt.Errorf("its files hold more than %d MiB", mostBytes>>20)
	}
	if size > files.MostBytes { // as in a working copy
		return fmt.Errorf("%s: %w", name, &files.TooLargeError{Most: files.MostBytes})
	}
	f, err := m.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, from, size)
	return err
}

func (m *memory) fs() (fs.FS, error) {
	if err := m.zip.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(m.out.Bytes()), int64(m.out.Len()))
}

// unpack reads a tar.gz into memory.
func unpack(r io.Reader) (fs.FS, error) {
	gz, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	m := newMemory()
	t := tar.NewReader(io.LimitReader(gz, mostBytes))
	for entries := 0; ; entries++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if entries > 2*mostFiles { // with folders, and skipped files
			return nil, fmt.Errorf("it holds more than %d entries", 2*mostFiles)
		}
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) {
			continue
		}
		if err := m.add(h.Name, h.Size, t); err != nil {
			return nil, err
		}
	}
	// The checksum of a gzip file is at its end, after the data that tar reads.
	if _, err := io.Copy(io.Discard, io.LimitReader(gz, mostBytes)); err != nil {
		return nil, err
	}
	return m.fs()
}
