package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const repositoryRoot = "../../.."

// committed is a file that git has.
type committed string

func (f committed) Path() string { return string(f) }
func (f committed) Lstat() (os.FileInfo, error) {
	return os.Lstat(filepath.Join(repositoryRoot, string(f)))
}
func (f committed) Open() (io.ReadCloser, error) {
	return os.Open(filepath.Join(repositoryRoot, string(f)))
}

// moduleZip returns the module as a Go proxy serves it, of the files that git has.
func moduleZip(t *testing.T, version string) []byte {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "git", "-C", repositoryRoot, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("only git knows which files the module has: %v", err)
	}
	var files []modzip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		files = append(files, committed(name))
	}
	checked, err := modzip.CheckFiles(files)
	if err == nil {
		err = checked.Err()
	}
	if err != nil || len(checked.Omitted) > 0 {
		t.Fatalf("what a zip of the module doesn't take: %v, %v", err, checked.Omitted)
	}
	var b bytes.Buffer
	if err := modzip.Create(&b, gomodule.Version{Path: module, Version: version}, files); err != nil {
		t.Fatal(err)
	}
	t.Logf("the module has %d files, %d bytes zipped", len(files), b.Len())
	return b.Bytes()
}

// embedded lists the files of the module that the program embeds.
func embedded(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs(repositoryRoot)
	if err != nil {
		t.Fatal(err)
	}
	const format = `{{range .EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`
	list, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", format, "../streamcert").Output()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(list)) {
		if name, ours := strings.CutPrefix(filepath.ToSlash(strings.TrimSpace(line)), filepath.ToSlash(root)+"/"); ours {
			out = append(out, name)
		}
	}
	return out
}

// TestGoInstall: the module has no replacements, which `go install` refuses, and its zip is complete: the program builds
// from it alone, and prints the version.
func TestGoInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	mod, err := modfile.Parse("go.mod", read(t, repositoryRoot, "go.mod"), nil)
	if err != nil || len(mod.Replace)+len(mod.Exclude) > 0 {
		t.Fatalf("%v, replace %v, exclude %v", err, mod.Replace, mod.Exclude)
	}
	version := strings.TrimSpace(string(read(t, repositoryRoot, versionFile)))
	data := moduleZip(t, "v"+version)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := embedded(t)
	if len(files) == 0 {
		t.Error("the program embeds nothing of this checkout")
	}
	for _, name := range files {
		// A release has the playground, which a compiler made; `go install` leaves it out.
		if strings.HasPrefix(name, "runner/site/program/built/") {
			continue
		}
		if _, err := z.Open(module + "@v" + version + "/" + name); err != nil {
			t.Errorf("the program embeds %s, which git doesn't have: %v", name, err)
		}
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, z); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "streamcert.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", name, "."+strings.TrimPrefix(program, module))
	build.Dir, build.Env = filepath.Join(folder, module+"@v"+version), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program of the module's zip: %v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), name, "--version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "streamcert "+version+"\n") {
		t.Errorf("%v: %s", err, out)
	}
}
