package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/streamcert/streamcert/runner/packs"
)

// version prints what a report has to name so that a run can be repeated: the
// version, the digest of each suite, and what the program was built from.
func (a *app) version() error {
	var b strings.Builder
	for i, pack := range packs.Names() {
		suite, err := a.suite(pack)
		if err != nil {
			return err
		}
		if i == 0 {
			fmt.Fprintf(&b, "streamcert %s\n", suite.Version())
		}
		fmt.Fprintf(&b, "pack %s %s\n", pack, suite.Digest)
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

// revision is a line on what the program was built from, "" if that isn't built
// in.
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
