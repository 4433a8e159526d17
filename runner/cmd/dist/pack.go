package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// packedAt is the time of every packed file, as in npm: zip can't represent a time before 1980.
var packedAt = time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)

// entry is a file of an archive.
type entry struct {
	name string
	mode fs.FileMode // permission bits
	data []byte
}

// file reads an entry.
func file(name string, mode fs.FileMode, path string) (entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return entry{}, fmt.Errorf("packing %s: %w", name, err)
	}
	return entry{name, mode, data}, nil
}

// tarball returns a gzipped tar archive of entries, in their order.
func tarball(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: packedAt, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("packing %s: %w", e.name, err)
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, fmt.Errorf("packing %s: %w", e.name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipped returns a zip archive of entries, in their order.
func zipped(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: packedAt}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(e.data)
		}
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", e.name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// write writes a complete file, and reports its name and size.
func (r *release) write(out io.Writer, name string, data []byte) error {
	if err := os.WriteFile(r.path(name), data, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err := fmt.Fprintln(out, name, len(data))
	return err
}
