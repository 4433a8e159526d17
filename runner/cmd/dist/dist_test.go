package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text replaces a binary whose modules aren't needed.
const text = "a program\n"

// self returns the program of this test: a binary with modules.
func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return string(read(t, name))
}

// checkout returns the root of a checkout of version 1.2.3 whose binaries are all the same program.
func checkout(t *testing.T, program string, systems ...string) string {
	t.Helper()
	root := t.TempDir()
	put(t, root, versionFile, "1.2.3\n")
	put(t, root, "LICENSE", "the licence\n")
	put(t, root, "README.md", "# streamcert\n")
	put(t, root, "schemas/config.json", "{}\n")
	put(t, root, "spec/toy/VERSION", "0.4.0\n")
	put(t, root, changeLog, "# Changes\n\n## 2.0.0\n\nLater.\n\n## 1.2.3 (2030-01-02)\n\n### Added\n\n- This.\n\n## 1.2.2\n\nEarlier.\n")
	for _, system := range systems {
		name := "streamcert"
		if strings.HasPrefix(system, "windows") {
			name += ".exe"
		}
		put(t, root, "dist/bin/"+system+"/"+name, program)
	}
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// packed runs a command, and returns its output.
func packed(t *testing.T, root, command string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run([]string{command}, root, &out, &errs); code != 0 {
		t.Fatalf("%s: exit code %d: %s", command, code, errs.String())
	}
	return out.String()
}

// layout lists the files of an archive: mode, name and time.
func layout(t *testing.T, name string) []string {
	t.Helper()
	data := read(t, name)
	var out []string
	add := func(info fs.FileInfo, name string) {
		out = append(out, fmt.Sprintf("%s %s %s", info.Mode(), name, info.ModTime().UTC().Format("2006-01-02")))
	}
	if strings.HasSuffix(name, ".zip") {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			add(f.FileInfo(), f.Name)
		}
		return out
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("%s: the header has the name %q and the time %s", name, z.Name, z.ModTime)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.FileInfo(), h.Name)
	}
}

// TestArchives: each system has an archive with the program, the licence and the README at its top, and SHA256SUMS lists
// every file next to it in the form that sha256sum reads.
func TestArchives(t *testing.T) {
	root := checkout(t, self(t), "linux_amd64", "windows_arm64")
	packed(t, root, "archives")
	dist := filepath.Join(root, "dist")
	const linux, windows = "streamcert_1.2.3_linux_amd64.tar.gz", "streamcert_1.2.3_windows_arm64.zip"
	for name, program := range map[string]string{linux: "streamcert", windows: "streamcert.exe"} {
		want := []string{"-rwxr-xr-x " + program + " 1985-10-26", "-rw-r--r-- LICENSE 1985-10-26", "-rw-r--r-- README.md 1985-10-26"}
		if diff := cmp.Diff(want, layout(t, filepath.Join(dist, name))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	want := ""
	for _, name := range []string{"streamcert.schema.json", "streamcert_1.2.3.cdx.json", linux, "streamcert_1.2.3_schemas.tar.gz", windows} {
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(read(t, dist, name)), name)
	}
	if diff := cmp.Diff(want, string(read(t, dist, "SHA256SUMS"))); diff != "" {
		t.Errorf("SHA256SUMS (-want +got):\n%s", diff)
	}
}

// TestPackages: npm finds in each package the contents of its manifest, only on its platform, at the version of the
// wrapper.
func TestPackages(t *testing.T) {
	root := checkout(t, text, "linux_arm64", "windows_amd64")
	packed(t, root, "npm")
	for name, file := range map[string]string{
		"streamcert-1.2.3.tgz": "bin/streamcert.js", "streamcert-linux-arm64-1.2.3.tgz": "bin/streamcert", "streamcert-win32-x64-1.2.3.tgz": "bin/streamcert.exe",
	} {
		want := []string{"-rw-r--r-- package/package.json 1985-10-26", "-rw-r--r-- package/LICENSE 1985-10-26",
			"-rwxr-xr-x package/" + file + " 1985-10-26", "-rw-r--r-- package/README.md 1985-10-26"}
		if diff := cmp.Diff(want, layout(t, filepath.Join(root, "dist", "npm", name))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	folder := unpacked(t, filepath.Join(root, "dist", "npm", "streamcert-1.2.3.tgz"))
	var m map[string]any
	if err := json.Unmarshal(read(t, folder, "package.json"), &m); err != nil {
		t.Fatal(err)
	}
	every := map[string]any{}
	for _, name := range []string{"darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-arm64", "win32-x64"} {
		every["@streamcert/"+name] = "1.2.3"
	}
	if diff := cmp.Diff(every, m["optionalDependencies"]); diff != "" {
		t.Errorf("optionalDependencies (-want +got):\n%s", diff)
	}
	if m["scripts"] != nil || m["license"] != license || m["version"] != "1.2.3" {
		t.Errorf("the wrapper's manifest is %v", m)
	}
	folder = unpacked(t, filepath.Join(root, "dist", "npm", "streamcert-linux-arm64-1.2.3.tgz"))
	if err := json.Unmarshal(read(t, folder, "package.json"), &m); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %v %v %v", m["name"], m["version"], m["os"], m["cpu"]); got != "@streamcert/linux-arm64 1.2.3 [linux] [arm64]" {
		t.Errorf("the platform's manifest is %v", m)
	}
}

// TestPackingIsRepeatable: the same binaries give the same bytes, in another folder and whatever the modes and times on the disk.
func TestPackingIsRepeatable(t *testing.T) {
	bytesOf := func(mode fs.FileMode) map[string]string {
		root := checkout(t, self(t), "darwin_amd64", "windows_amd64")
		for _, name := range []string{"dist/bin/darwin_amd64/streamcert", "LICENSE"} {
			if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
				t.Fatal(err)
			}
		}
		packed(t, root, "archives")
		packed(t, root, "npm")
		out := map[string]string{}
		err := filepath.WalkDir(filepath.Join(root, "dist"), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(root, name)
			out[rel] = fmt.Sprintf("%x", sha256.Sum256(read(t, name)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := bytesOf(0o600)
	if len(first) != 11 {
		t.Fatalf("dist holds %v", first)
	}
	if diff := cmp.Diff(first, bytesOf(0o755)); diff != "" {
		t.Errorf("the first time and the second (-first +second):\n%s", diff)
	}
}

// TestMaterials: the SBOM lists every module of the binary, the program that they are of, and the standard library.
func TestMaterials(t *testing.T) {
	root := checkout(t, self(t), "linux_amd64", "linux_arm64")
	packed(t, root, "archives")
	var doc bom
	if err := json.Unmarshal(read(t, root, "dist", "streamcert_1.2.3.cdx.json"), &doc); err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, c := range doc.Components {
		times[c.PURL]++
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) == 0 {
		t.Fatal("this test knows none of its modules")
	}
	want := map[string]int{"pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"): 1}
	for _, m := range info.Deps {
		want["pkg:golang/"+m.Path+"@"+m.Version] = 1
	}
	if diff := cmp.Diff(want, times); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	main := doc.Metadata.Component
	if main.PURL != "pkg:golang/"+module+"@v1.2.3" || len(doc.Dependencies) != 1 || len(doc.Dependencies[0].On) != len(want) || doc.Dependencies[0].Ref != main.Ref {
		t.Errorf("of %+v: %+v", main, doc.Dependencies)
	}
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(doc.Serial) {
		t.Errorf("the serial number is %s", doc.Serial)
	}
}

// TestNotes: the text of a release has its entry of the change log and no other, each way to get it, and the checksums where
// archives are.
func TestNotes(t *testing.T) {
	root := checkout(t, self(t), "linux_amd64")
	notes := packed(t, root, "notes")
	for _, part := range []string{
		"# streamcert 1.2.3\n\n### Added\n\n- This.\n\n## Get it", "npx streamcert@1.2.3 certify", "/v1.2.3/streamcert_1.2.3_linux_amd64.tar.gz\n", "/v1.2.3/SHA256SUMS |",
		"ghcr.io/streamcert/streamcert:1.2.3 certify", "go install github.com/streamcert/streamcert/runner/cmd/streamcert@v1.2.3\n", "| toy | 0.4.0 |\n",
	} {
		if !strings.Contains(notes, part) {
			t.Errorf("the text lacks %q:\n%s", part, notes)
		}
	}
	if strings.Contains(notes, "Later") || strings.Contains(notes, "Earlier") || strings.Contains(notes, "Checksums") {
		t.Errorf("the text has more than its version's:\n%s", notes)
	}
	packed(t, root, "archives")
	if notes := packed(t, root, "notes"); !strings.Contains(notes, "## Checksums\n\n```\n"+string(read(t, root, sums))+"```\n") {
		t.Errorf("the text lacks the checksums:\n%s", notes)
	}
}

// TestMistakes: an error names the file of the mistake and a remedy, with an exit code that isn't 0, and nothing is
// written.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		spoil func(root string)
		code  int
		want  string
	}{
		"no command": {nil, func(string) {}, 2, "usage: "},
		"unknown":    {[]string{"pack"}, func(string) {}, 2, "usage: "},
		"version":    {[]string{"archives"}, func(root string) { put(t, root, versionFile, "six\n") }, 1, `VERSION holds "six"`},
		"binaries":   {[]string{"archives"}, func(root string) { os.RemoveAll(filepath.Join(root, "dist")) }, 1, "`make dist` builds them"},
		"folder":     {[]string{"npm"}, func(root string) { put(t, root, "dist/bin/notes.txt", "") }, 1, "dist/bin/notes.txt"},
		"platform":   {[]string{"npm"}, func(root string) { put(t, root, "dist/bin/plan9_amd64/streamcert", "") }, 1, "plan9/amd64"},
		"no program": {[]string{"archives"}, func(root string) { put(t, root, "dist/bin/linux_amd64/streamcert", "text") }, 1, "linux_amd64"},
		"licence":    {[]string{"archives"}, func(root string) { os.Remove(filepath.Join(root, "LICENSE")) }, 1, "packing LICENSE"},
		"changes":    {[]string{"notes"}, func(root string) { put(t, root, changeLog, "## 1.2.30\n\nText.\n") }, 1, `no text under "## 1.2.3"`},
		"old sums":   {[]string{"notes"}, func(root string) { put(t, root, sums, "00  streamcert_1.2.2.cdx.json\n") }, 1, "run `make dist`"},
	} {
		root := checkout(t, text, "linux_amd64")
		c.spoil(root)
		var out, errs bytes.Buffer
		if code := run(c.args, root, &out, &errs); code != c.code || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q", name, code, errs.String(), out.String())
		}
	}
}
