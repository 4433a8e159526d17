package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/describe"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

const sums = "dist/SHA256SUMS"

// archives packs each binary with the licence and the README, and writes the SBOM, the schemas and the schema of configs next
// to them.
// SHA256SUMS lists them all.
func (r *release) archives(out io.Writer) error {
	binaries, err := r.binaries()
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, b := range binaries {
		name, data, err := r.archive(b)
		if err != nil {
			return err
		}
		files[name] = data
	}
	if files["streamcert_"+r.version+".cdx.json"], err = r.sbom(binaries); err != nil {
		return err
	}
	if files["streamcert.schema.json"], err = os.ReadFile(r.path("schemas", "config.json")); err != nil {
		return fmt.Errorf("copying the schema of configs: %w", err)
	}
	if files["streamcert_"+r.version+"_schemas.tar.gz"], err = r.schemas(); err != nil {
		return err
	}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := r.write(out, "dist/"+name, files[name]); err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	return r.write(out, sums, []byte(list.String()))
}

// schemas returns the archive with the schemas and the descriptions of every pack.
func (r *release) schemas() ([]byte, error) {
	described, err := describe.All(spec.FS, schemas.FS)
	if err != nil {
		return nil, err
	}
	license, err := file("LICENSE", 0o644, r.path("LICENSE"))
	if err != nil {
		return nil, err
	}
	entries := []entry{license}
	for _, name := range slices.Sorted(maps.Keys(described)) {
		entries = append(entries, entry{name, 0o644, described[name]})
	}
	return tarball(entries)
}

// archive returns the name and the bytes of the archive of a binary: zip for
// Windows, a gzipped tar for others.
func (r *release) archive(b binary) (string, []byte, error) {
	var entries []entry
	for _, e := range []struct {
		name string
		mode os.FileMode
		path string
	}{{b.name(), 0o755, b.path}, {"LICENSE", 0o644, r.path("LICENSE")}, {"README.md", 0o644, r.path("README.md")}} {
		read, err := file(e.name, e.mode, e.path)
		if err != nil {
			return "", nil, err
		}
		entries = append(entries, read)
	}
	pack, end := tarball, ".tar.gz"
	if b.os == "windows" {
		pack, end = zipped, ".zip"
	}
	data, err := pack(entries)
	return fmt.Sprintf("streamcert_%s_%s_%s%s", r.version, b.os, b.arch, end), data, err
}
