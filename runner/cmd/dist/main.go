package main

import (
	"errors"
	"fmt"
	"io"
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

func main() { os.Exit(run(os.Args[1:], ".", os.Stdout, os.Stderr)) }

// run runs one command in the root of a checkout, and returns the exit code: 2 for
// a wrong call, 1 for any other error.
func run(args []string, root string, out, errs io.Writer) int {
	commands := map[string]func(*release, io.Writer) error{
		"archives": (*release).archives, "npm": (*release).npm, "notes": (*release).notes,
	}
	if len(args) != 1 || commands[args[0]] == nil {
		fmt.Fprintln(errs, "usage: go run ./runner/cmd/dist archives|npm|notes")
		return 2
	}
	r, err := newRelease(root)
	if err == nil {
		err = commands[args[0]](r, out)
	}
	if err != nil {
		fmt.Fprintln(errs, "dist:", err)
		return 1
	}
	return 0
}

// release is a version that is being packed.
type release struct {
	root    string // of the checkout
	version string // without a leading v
}

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
