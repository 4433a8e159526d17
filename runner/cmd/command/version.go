package command

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// versionFile contains the version of the program, such as 0.6.0, and a newline.
// Releases, packages and images read the same file. Packs have
// other versions.
//
//go:embed VERSION
var versionFile string

// Version returns the version of the program, without a leading v.
func Version() string { return strings.TrimSpace(versionFile) }

// version prints the data that identify a run: the version of the program, the version and the digest of each suite, and
// the revision of the source.
func (a *App) version() error {
	var b strings.Builder
	fmt.Fprintf(&b, "streamcert %s\n", Version())
	for _, pack := range a.packs.Names() {
		suite, err := a.Suite(pack)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "pack %s %s %s\n", pack, suite.Version(), suite.Digest)
	}
	fmt.Fprintf(&b, "%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		b.WriteString(revision(info.Settings))
	}
	if _, err := io.WriteString(a.out, b.String()); err != nil {
		return fmt.Errorf("writing the version: %w", err)
	}
	return nil
}

// revision returns a line on the revision of the source, "" if the build doesn't contain it.
func revision(settings []debug.BuildSetting) string {
	at := map[string]string{}
	for _, s := range settings {
		at[s.Key] = s.Value
	}
	if at["vcs.revision"] == "" {
		return ""
	}
	line := "revision " + at["vcs.revision"]
	if at["vcs.time"] != "" {
		line += " of " + at["vcs.time"]
	}
	if at["vcs.modified"] == "true" {
		line += ", with changes"
	}
	return line + "\n"
}
