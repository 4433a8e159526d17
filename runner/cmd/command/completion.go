package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/spec"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print what makes a shell complete commands, flags, requirements and mutants",
		Long: "Print a script for bash, zsh, fish or powershell. Load it where your shell reads its configuration:\n\n" +
			"  bash        source <(streamcert completion bash)\n" +
			"  zsh         source <(streamcert completion zsh)\n" +
			"  fish        streamcert completion fish | source\n" +
			"  powershell  streamcert completion powershell | Out-String | Invoke-Expression",
		Args:      Arguments("a SHELL"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			write := map[string]func() error{
				"bash":       func() error { return root.GenBashCompletionV2(a.out, true) },
				"zsh":        func() error { return root.GenZshCompletion(a.out) },
				"fish":       func() error { return root.GenFishCompletion(a.out, true) },
				"powershell": func() error { return root.GenPowerShellCompletionWithDesc(a.out) },
			}[args[0]]
			if write == nil {
				return Usage("completion: there is no script for %q%s; expected one of %s", args[0], Suggest(args[0], shells), strings.Join(shells, ", "))
			}
			if err := write(); err != nil {
				return fmt.Errorf("writing the completion: %w", err)
			}
			return nil
		},
	}
}

// completion returns the words that a shell offers for flags and arguments.
type completion struct{ *App }

// register adds the completions to the flags and arguments of every command.
func (a completion) register(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		for flag, words := range a.words(cmd) {
			if cmd.Flags().Lookup(flag) == nil {
				continue
			}
			// The only errors are a flag that isn't there, and one that is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(flag, completing(words))
		}
		if cmd.Name() == "explain" {
			cmd.ValidArgsFunction = completing(func() []string { return a.requirements(false) })
		}
	}
}

// words returns, by the name of a command's flag, a function that lists the valid values of the flag.
func (a completion) words(cmd *cobra.Command) map[string]func() []string {
	only := func() []string { return a.requirements(true) }
	switch cmd.Name() {
	case "mutants":
		only = func() []string { return append(a.mutantNames(), a.requirements(true)...) }
	case "variants":
		only = a.variantNames
	case "idle":
		only = a.idleNames
	}
	formats := []string{"console", "json"}
	if cmd.Name() == "steps" {
		formats = append(formats, "js")
	}
	return map[string]func() []string{
		"only": only, "pack": a.packNames, "mutant": a.mutantNames, "variant": a.variantNames, "require": a.classes,
		"format": func() []string { return formats },
	}
}

// completing offers the words that complete the typed text, and no files.
func completing(words func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		out := slices.DeleteFunc(words(), func(word string) bool { return !strings.HasPrefix(word, typed) })
		slices.Sort(out)
		return slices.Compact(out), cobra.ShellCompDirectiveNoFileComp
	}
}

// book returns the spec, nil if it can't be read: a completion can't report errors.
func (a completion) book() *spec.Book {
	files, err := a.Files()
	if err != nil {
		return nil
	}
	book, _, err := spec.Load(files.Spec)
	if err != nil {
		return nil
	}
	return book
}

// requirements returns the ids of those in force, or of those that a run can prove.
func (a completion) requirements(testable bool) []string {
	var out []string
	if book := a.book(); book != nil {
		for _, q := range book.Requirements {
			if q.Withdrawn == "" && (q.Testable() || !testable) {
				out = append(out, q.ID)
			}
		}
	}
	return out
}

func (a completion) classes() []string {
	var out []string
	if book := a.book(); book != nil {
		for _, pack := range book.Packs() {
			for _, class := range book.Classes(pack) {
				out = append(out, class.ID())
			}
		}
	}
	return out
}

func (a completion) packNames() []string { return append(a.packs.Names(), EveryPack) }

func (a completion) mutantNames() []string {
	return a.altered(func(of listed.Servers) []string {
		var out []string
		for _, m := range of.Mutants {
			out = append(out, m.Name)
		}
		return out
	})
}

func (a completion) idleNames() []string {
	return a.altered(func(of listed.Servers) []string { return of.Idle })
}

func (a completion) variantNames() []string {
	return a.altered(func(of listed.Servers) []string {
		var out []string
		for _, v := range of.Variants {
			out = append(out, v.Name)
		}
		return out
	})
}

// altered collects names of the altered servers of every pack.
func (a completion) altered(names func(listed.Servers) []string) []string {
	var out []string
	for _, p := range a.servers {
		if of, err := a.servers.Altered(p.Name); err == nil { // a completion can't report errors
			out = append(out, names(of)...)
		}
	}
	return out
}
