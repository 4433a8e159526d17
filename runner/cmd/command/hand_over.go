package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// labName is the program that has the broken servers.
const labName = "streamcert-lab"

// labOnly lists the commands of the lab, each with its line in the help of every program.
var labOnly = []struct{ name, short string }{
	{"golden", "Write the golden transcripts from the reference server, or check them"},
	{"idle", "Run servers that show nothing of some subjects; nothing may pass by absence"},
	{"lint", "Check that spec, schemas, features, goldens, mutants, variants and idle servers belong together"},
	{"mutants", "Run the broken servers; each must be found out by its own requirement"},
	{"release", "Keep the version of a pack that a working copy has, for diff and its gate"},
	{"variants", "Run servers that are right in their own way; nothing may be held against any"},
}

// labCommands returns the commands of the lab, or stand-ins that run the lab.
func (a *App) labCommands() []*cobra.Command {
	if a.program.Commands != nil {
		return a.program.Commands(a)
	}
	var out []*cobra.Command
	for _, c := range labOnly {
		out = append(out, &cobra.Command{
			Use: c.name, Short: c.short, GroupID: labName, DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return a.handOver(cmd.Context(), "`"+c.name+"` is a command")
			},
		})
	}
	return out
}

// labGrace is the time for the lab to end after an interrupt.
const labGrace = 10 * time.Second

// handOver runs this call in the lab, if it lies in the folder of this program, and ends with its exit code. subject begins
// the error for a user without the lab.
func (a *App) handOver(ctx context.Context, subject string) error {
	program, err := inSameFolder(labName)
	if err != nil {
		return Usage("%s of %s, which maintainers of a suite use, and %w; from a checkout, `make lab` builds it", subject, labName, err)
	}
	a.orderly.Store(true) // as far as the lab is
	cmd := exec.CommandContext(ctx, program, a.args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, direct(a.out), direct(a.errs) // the lab hides its secrets itself
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = labGrace
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		return Code(ended.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("running %s: %w", program, err)
	}
	return nil
}

// inSameFolder finds a program in the folder of this one, also where a link leads here.
func inSameFolder(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program can't find itself: %w", err)
	}
	folders := []string{filepath.Dir(self)}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		folders = append(folders, filepath.Dir(real))
	}
	for _, folder := range slices.Compact(folders) {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(folder, name), nil
		}
	}
	return "", fmt.Errorf("there is no %s in %s", name, folders[0])
}
