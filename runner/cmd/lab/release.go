package lab

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/release"
)

func newRelease(a *app) *cobra.Command {
	var protocol string
	var replace, fresh bool
	cmd := &cobra.Command{
		Use:   "release",
		Short: "Keep the version of a pack that a working copy has, for diff and its gate",
		Long: "Write spec/<pack>/releases/<version>.tar.gz: the spec, schemas, features and goldens of the pack, and the sample\n" +
			"servers that are certified for it. The version is that of spec/<pack>/VERSION. A release is written once.\n\n" +
			"Exit codes: 0 when it was written, 2 for a mistake in the call or in the working copy.",
		Args: command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if protocol != command.EveryPack && !slices.Contains(a.Packs().Names(), protocol) {
				return command.Usage("there is no pack %q%s", protocol, command.Suggest(protocol, a.Packs().Names()))
			}
			a.InWorkingCopy()
			dir := a.WorkingCopy()
			for _, name := range a.Packs().Names() {
				if protocol != command.EveryPack && protocol != name {
					continue
				}
				if fresh && released(dir, name) {
					continue
				}
				file, err := release.Write(dir, name, replace)
				if err != nil {
					return command.Misused(err)
				}
				fmt.Fprintln(a.Out(), file)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&replace, "force", false, "replace a release that is there already")
	cmd.Flags().BoolVar(&fresh, "new", false, "pass over packs whose version was released already")
	command.PackFlag(cmd, &protocol)
	return cmd
}

// released reports whether the version that a working copy has of a pack was released.
func released(dir, pack string) bool {
	copied, err := files.Open(dir)
	if err != nil {
		return false // writing the release reports it
	}
	spec, err := fs.Sub(copied, "spec")
	return err == nil && slices.Contains(release.Versions(spec, pack), release.Number(copied, pack))
}
