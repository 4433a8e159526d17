package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"testing"
)

// FuzzUnpack: no archive panics, and the result contains only valid names.
func FuzzUnpack(f *testing.F) {
	for _, name := range []string{"spec/helix/VERSION", "../outside", "/root", "a//b", ""} {
		var out bytes.Buffer
		gz := gzip.NewWriter(&out)
		t := tar.NewWriter(gz)
		_ = t.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 3, Mode: 0o644})
		_, _ = t.Write([]byte("0.1"))
		_ = t.Close()
		_ = gz.Close()
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		files, err := unpack(bytes.NewReader(archive))
		if err != nil {
			return
		}
		_ = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if err == nil && !fs.ValidPath(name) {
				t.Errorf("the archive holds %q", name)
			}
			return err
		})
	})
}
