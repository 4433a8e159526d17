package command

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/streamcert/streamcert/runner"
)

func TestVersion(t *testing.T) {
	r := streamcert(t, "", "--version")
	lines := strings.Split(strings.TrimSpace(r.Out), "\n")
	if r.Code != 0 || lines[0] != "streamcert "+Version() || !semver.IsValid("v"+Version()) {
		t.Fatalf("VERSION holds %q: %+v", Version(), r)
	}
	for _, pack := range runner.Packs() {
		has := regexp.MustCompile(`^pack ` + pack + ` \d+\.\d+\.\d+ sha256:[0-9a-f]{64}$`).MatchString
		if !slices.ContainsFunc(lines, has) {
			t.Errorf("no version and digest of %s: %s", pack, r.Out)
		}
	}
	if !slices.Contains(lines, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH) {
		t.Errorf("nothing says what it was built with: %s", r.Out)
	}
}

func TestRevision(t *testing.T) {
	settings := func(pairs ...string) (out []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	for want, in := range map[string][]debug.BuildSetting{
		"":               settings("GOOS", "linux", "vcs.modified", "true"),
		"revision abc\n": settings("vcs.revision", "abc", "vcs.modified", "false"),
		"revision abc of 2030-01-01T00:00:00Z, with changes\n": settings("vcs.revision", "abc", "vcs.time", "2030-01-01T00:00:00Z", "vcs.modified", "true"),
	} {
		if got := revision(in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
