package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/runner/report"
)

func newDerived(a *app) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "derived",
		Short: "Write what a working copy has of the altered servers and of numbers, or check it",
		Long: "Write into the working copy what is derived from the suite: runner/cmd/servers/<pack>/altered.json, which lets\n" +
			"streamcert name the broken servers without having them, the index of requirements in spec/<pack>/appendix.md, the numbers\n" +
			"and the version that README.md and the action cite, and the run that spec/samples.md shows, if there are such files.",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.derive(cmd.Context(), check) },
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit code 1 if a file is missing or different")
	return cmd
}

// derive writes each derived file that differs, or names it.
func (a *app) derive(ctx context.Context, check bool) error {
	a.InWorkingCopy()
	derived, err := a.derived(a.WorkingCopy())
	if err != nil {
		return err
	}
	if !check { // no two runs take the same time
		sample, err := a.sample(ctx)
		if err != nil {
			return err
		}
		if sample != nil {
			derived = append(derived, *sample)
		}
	}
	copied, err := files.Open(a.WorkingCopy())
	if err != nil {
		return command.Misused(err)
	}
	root, err := os.OpenRoot(a.WorkingCopy())
	if err != nil {
		return command.Misused(err)
	}
	defer root.Close()
	different := 0
	for _, d := range derived {
		now, err := fs.ReadFile(copied, d.name)
		switch {
		case err == nil && bytes.Equal(now, d.text):
			continue
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("reading what is derived: %w", err)
		}
		different++
		if check {
			fmt.Fprintf(a.Out(), "%s is not what the suite says; run `make readme`\n", report.OneLine(filepath.Join(a.WorkingCopy(), filepath.FromSlash(d.name))))
			continue
		}
		if err := files.Replace(root, d.name, d.text); err != nil {
			return command.Misused(err)
		}
		fmt.Fprintln(a.Out(), report.OneLine(filepath.Join(a.WorkingCopy(), filepath.FromSlash(d.name))))
	}
	if fmt.Fprintf(a.Out(), "%d derived files, %d different\n", len(derived), different); check && different > 0 {
		return command.Code(command.Broken)
	}
	return nil
}

// derivedFile is a file of a working copy with its expected content.
type derivedFile struct {
	name string // slash-separated, from the root of the copy
	text []byte
}

// derived lists the files of a working copy that follow from the suite.
func (a *app) derived(dir string) ([]derivedFile, error) {
	var out []derivedFile
	for _, name := range a.Packs().Names() {
		text, err := listing(a.serversOf(name))
		if err != nil {
			return nil, err
		}
		out = append(out, derivedFile{path.Join("runner/cmd/servers", name, "altered.json"), text})
	}
	indexes, err := a.indexes(dir)
	if err != nil {
		return nil, err
	}
	out = append(out, indexes...)
	readme, err := a.readme(dir)
	if err != nil || readme == nil {
		return out, err
	}
	out = append(out, derivedFile{readmeFile, readme})
	switch text, err := readCopied(dir, actionPage); {
	case err == nil:
		out = append(out, derivedFile{actionPage, cited(text)})
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading the page of the action: %w", err)
	}
	return out, nil
}

// serversOf returns the list of the altered servers of a pack, as streamcert embeds it.
func (a *app) serversOf(pack string) listed.Servers {
	out := listed.Servers{Mutants: []listed.Mutant{}, Variants: []listed.Variant{}, Idle: []string{}}
	for _, m := range entries(a.altered.Mutants(pack)) {
		out.Mutants = append(out.Mutants, listed.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also})
	}
	for _, v := range entries(a.altered.Variants(pack)) {
		out.Variants = append(out.Variants, listed.Variant{Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns})
	}
	for _, i := range entries(a.altered.Idle(pack)) {
		out.Idle = append(out.Idle, i.Name)
	}
	return out
}

// listing writes the servers of a pack as a JSON document with a server a line, so that a change shows as lines.
func listing(of listed.Servers) ([]byte, error) {
	var b bytes.Buffer
	line := func(before string, v any) error {
		text, err := json.Marshal(v)
		b.WriteString(before)
		b.Write(text)
		return err
	}
	b.WriteString("{\"mutants\": [")
	var errs []error
	for i, m := range of.Mutants {
		errs = append(errs, line(separator(i), m))
	}
	b.WriteString("\n], \"variants\": [")
	for i, v := range of.Variants {
		errs = append(errs, line(separator(i), v))
	}
	errs = append(errs, line("\n], \"idle\": ", of.Idle))
	b.WriteString("}\n")
	return b.Bytes(), errors.Join(errs...)
}

func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}
