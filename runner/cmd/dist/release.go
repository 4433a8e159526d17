package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"
)

const (
	module      = "github.com/streamcert/streamcert"
	program     = module + "/runner/cmd/streamcert"
	repository  = "https://" + module
	image       = "ghcr.io/streamcert/streamcert"
	license     = "Apache-2.0"
	versionFile = "runner/cmd/command/VERSION"
)

// release is a version that is being packed.
type release struct {
	root    string // of the checkout
	version string // a semantic version, without a leading v
}

// newRelease reads the version from versionFile. It fails if root isn't the root of a checkout.
func newRelease(root string) (*release, error) {
	text, err := os.ReadFile(filepath.Join(root, versionFile))
	if err != nil {
		return nil, fmt.Errorf("reading the version (run it from the root of the checkout): %w", err)
	}
	version := strings.TrimSpace(string(text))
	if !semver.IsValid("v" + version) {
		return nil, fmt.Errorf("%s holds %q, expected a version such as 0.6.0", versionFile, version)
	}
	return &release{root: root, version: version}, nil
}

// path returns the path of a file of the checkout.
func (r *release) path(elem ...string) string {
	return filepath.Join(append([]string{r.root}, elem...)...)
}

// binary is the program for one system.
type binary struct {
	os, arch string // as Go names them
	path     string
}

// name returns the file name of the program on its system.
func (b binary) name() string {
	if b.os == "windows" {
		return "streamcert.exe"
	}
	return "streamcert"
}

var system = regexp.MustCompile(`^([a-z0-9]+)_([a-z0-9]+)$`)

// binaries returns the built programs, in the order of their folders' names.
func (r *release) binaries() ([]binary, error) {
	folders, err := os.ReadDir(r.path("dist", "bin"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for the binaries: %w", err)
	}
	var out []binary
	for _, f := range folders {
		m := system.FindStringSubmatch(f.Name())
		if m == nil {
			return nil, fmt.Errorf("looking for the binaries: dist/bin/%s: expected a folder named <os>_<arch>; remove it", f.Name())
		}
		b := binary{os: m[1], arch: m[2]}
		b.path = r.path("dist", "bin", f.Name(), b.name())
		out = append(out, b)
	}
	if len(out) == 0 {
		return nil, errors.New("dist/bin holds no binary; `make dist` builds them")
	}
	return out, nil
}
