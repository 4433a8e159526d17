package command

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// archives makes a folder of releases with one archive for this machine, whose program is this test binary, and one for
// Windows. It returns the folder of the release and the name of the first archive.
func archives(t *testing.T, j *job) (folder, archive string) {
	t.Helper()
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	j.releases = "file://" + base
	version := Version()
	folder = filepath.Join(base, "v"+version)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/usr/bin/env bash\nexec '%s' \"$@\"\n", binary)
	var packed, zipped bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	files := tar.NewWriter(compressed)
	if err := files.WriteHeader(&tar.Header{Name: "streamcert", Mode: 0o755, Size: int64(len(script))}); err != nil {
		t.Fatal(err)
	}
	zips := zip.NewWriter(&zipped)
	exe, err := zips.Create("streamcert.exe")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(files, script)
	fmt.Fprint(exe, script)
	for _, close := range []func() error{files.Close, compressed.Close, zips.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	archive = fmt.Sprintf("streamcert_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	windows := fmt.Sprintf("streamcert_%s_windows_%s.zip", version, runtime.GOARCH)
	sums := fmt.Sprintf("%x  %s\n%x *%s\n", sha256.Sum256(packed.Bytes()), archive, sha256.Sum256(zipped.Bytes()), windows)
	for name, text := range map[string]string{archive: packed.String(), windows: zipped.String(), "SHA256SUMS": sums} {
		put(t, filepath.Join(folder, name), text)
	}
	return folder, archive
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// releaseJob returns a run of the action with a release in a local folder, which lists the scenarios.
func releaseJob(t *testing.T) (j *job, folder, archive string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	j = newJob(t)
	j.set(map[string]string{"pack": "aep", "arguments": "--reference\n--list"})
	folder, archive = archives(t, j)
	return j, folder, archive
}

// TestActionTakesARelease: the action downloads the release of its version and runs it; a cached release is not
// downloaded again, unless it was changed.
func TestActionTakesARelease(t *testing.T) {
	t.Parallel()
	j, folder, archive := releaseJob(t)
	if code := j.do(); code != 0 || !strings.Contains(j.log, "aep.") {
		t.Fatalf("exit code %d", code)
	}
	if got := strings.Join(j.ran, ", "); got != "actions/cache@v4, Take the released program, Certify, Write the summary, actions/upload-artifact@v4, Give the verdict" {
		t.Errorf("ran %s", got)
	}
	put(t, filepath.Join(j.dir, "streamcert-release", archive), "damaged")
	if code := j.do(); code != 0 || !strings.Contains(j.log, "downloading") {
		t.Errorf("a damaged cache: exit code %d", code)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if code := j.do(); code != 0 || strings.Contains(j.log, "downloading") {
		t.Errorf("from the cache: exit code %d", code)
	}
}

// TestActionTakesAChecksum: the caller's checksum replaces SHA256SUMS, in either case.
func TestActionTakesAChecksum(t *testing.T) {
	t.Parallel()
	j, folder, archive := releaseJob(t)
	text := contents(t, filepath.Join(folder, archive))
	put(t, filepath.Join(folder, "SHA256SUMS"), "")
	j.set(map[string]string{"checksum": fmt.Sprintf("%X", sha256.Sum256([]byte(text)))})
	if code := j.do(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestActionRefusesARelease: a program that doesn't match, is missing or isn't fetched over https is not run.
func TestActionRefusesARelease(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(j *job, folder, archive string)
		want   string
	}{
		"another archive":   {func(_ *job, folder, archive string) { put(t, filepath.Join(folder, archive), "another") }, "it was not run"},
		"another checksum":  {func(j *job, _, _ string) { j.set(map[string]string{"checksum": strings.Repeat("ab", 32)}) }, "expected " + strings.Repeat("ab", 32)},
		"no checksum":       {func(j *job, _, _ string) { j.set(map[string]string{"checksum": "abc"}) }, "64 hex digits"},
		"archive unlisted":  {func(_ *job, folder, _ string) { put(t, filepath.Join(folder, "SHA256SUMS"), "\n") }, "lists no streamcert_"},
		"unknown version":   {func(j *job, _, _ string) { j.set(map[string]string{"version": "9.9.9"}) }, "check the input version"},
		"a command":         {func(j *job, _, _ string) { j.set(map[string]string{"version": "0.6.0;touch owned"}) }, "no version such as"},
		"another system":    {func(j *job, _, _ string) { j.system = "Plan9" }, "no release for Plan9"},
		"a server in clear": {func(j *job, folder, _ string) { j.releases = inClear(t, filepath.Dir(folder)) }, "set the input build to true"},
	} {
		j, folder, archive := releaseJob(t)
		c.change(j, folder, archive)
		if code := j.do(); code != 1 || slices.Contains(j.ran, "Certify") {
			t.Errorf("%s: exit code %d, ran %q", name, code, j.ran)
		}
		got := commands(j.log)
		if len(got) != 1 || !strings.HasPrefix(got[0], "::error title=streamcert::") || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: annotated %q, want %q", name, got, c.want)
		}
	}
}

// inClear serves a folder over http.
func inClear(t *testing.T, folder string) string {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	return server.URL
}

// TestActionUnpacksForWindows: the archive for Windows is a zip.
func TestActionUnpacksForWindows(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("unzip"); err != nil {
		t.Skip("there is no unzip")
	}
	j, _, _ := releaseJob(t)
	j.system = "Windows"
	if code := j.run(readAction(t).Runs.Steps[1]); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(j.dir, "streamcert", "streamcert.exe")); err != nil {
		t.Error(err)
	}
}
