package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

//go:embed init.tmpl
var initText string

type initialise struct {
	app   *app
	packs []string
	force bool
}

func newInit(a *app) *cobra.Command {
	i := &initialise{app: a}
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a config with everything that it can say, explained",
		Long: "Write a config for the protocols that the server speaks, with every key, its default, and the capabilities that a\n" +
			"server may lack. FILE is " + defaultConfig + " unless it is given; one that is there is left alone.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return arguments("FILE")(cmd, args)
			}
			return nil
		},
		RunE: i.run,
	}
	cmd.Flags().StringArrayVar(&i.packs, "pack", nil, "`PROTOCOL` that the server speaks; may be given again; all if not given")
	cmd.Flags().BoolVar(&i.force, "force", false, "write over a FILE that is there")
	return cmd
}

func (i *initialise) run(_ *cobra.Command, args []string) error {
	file := defaultConfig
	if len(args) > 0 {
		file = args[0]
	}
	files, err := i.app.files()
	if err != nil {
		return err
	}
	book, _, err := spec.Load(files.Spec)
	if err != nil {
		return misused(fmt.Errorf("reading the spec: %w", err))
	}
	for _, name := range i.packs {
		if !slices.Contains(book.Packs(), name) {
			return usage("--pack: there is no pack %q%s; the packs are %s", name, suggest(name, book.Packs()), strings.Join(book.Packs(), ", "))
		}
	}
	text, err := starter(book, i.packs)
	if err != nil {
		return err
	}
	if err := i.write(file, text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(i.app.out, "wrote %s; set target.url in it, then see what the server offers: streamcert probe --config %s\n",
		report.OneLine(file), report.Shell(file))
	return err
}

// write makes the file, and writes over one only if it is told to.
func (i *initialise) write(file string, text []byte) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usage("init: %s is a folder; expected the name of a file", file)
	}
	if i.force {
		if err := report.Replace(file, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return usage("writing the config: %w", err)
		}
		return nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, os.ErrExist):
		return usage("init: %s is there already and was left alone; name another file, or write over it with --force", file)
	case err != nil:
		return usage("writing the config: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing the config: %w", err)
	}
	return nil
}

// starterPack is a protocol with the lines of its capabilities.
type starterPack struct {
	Name         string
	Capabilities []string
}

// starterData is what the template is filled with.
type starterData struct {
	Asked bool
	Packs []starterPack
}

// Names are those of the packs.
func (d starterData) Names() []string {
	var out []string
	for _, p := range d.Packs {
		out = append(out, p.Name)
	}
	return out
}

// Has says whether a pack was asked for.
func (d starterData) Has(pack string) bool { return slices.Contains(d.Names(), pack) }

// starter is the config for some packs, all of them when none is named.
func starter(book *spec.Book, packs []string) ([]byte, error) {
	data := starterData{Asked: len(packs) > 0}
	for _, name := range book.Packs() {
		if !data.Asked || slices.Contains(packs, name) {
			data.Packs = append(data.Packs, starterPack{name, lacking(book, name)})
		}
	}
	t, err := template.New("config").Funcs(template.FuncMap{
		"join": func(words []string) string { return strings.Join(words, ", ") },
	}).Parse(initText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the config: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("filling in the config: %w", err)
	}
	return b.Bytes(), nil
}

// lacking is a line for each capability of a pack: what it is, and what there is
// to lose.
func lacking(book *spec.Book, pack string) []string {
	wide := 0
	for _, c := range book.Capabilities(pack) {
		wide = max(wide, len(c.Name))
	}
	var out []string
	for _, c := range book.Capabilities(pack) {
		out = append(out, fmt.Sprintf("%-*s # %s; %s", wide, c.Name, c.Meaning, stake(book, pack, c.Name)))
	}
	return out
}

// stake says what depends on a capability: requirements, classes, and a
// capability that all of its requirements need too.
func stake(book *spec.Book, pack, name string) string {
	n := 0
	var with []string
	for _, q := range book.Pack(pack) {
		if !q.Testable() || !slices.Contains(q.Capabilities, name) {
			continue
		}
		if n++; n == 1 {
			with = slices.Clone(q.Capabilities)
		}
		with = slices.DeleteFunc(with, func(c string) bool { return c == name || !slices.Contains(q.Capabilities, c) })
	}
	if n == 0 {
		return "no requirement in this version"
	}
	text := fmt.Sprintf("%d requirement%s", n, map[bool]string{false: "s"}[n == 1])
	if len(with) > 0 {
		text += ", all with " + strings.Join(with, " and ")
	}
	var classes []string
	for _, class := range book.Classes(pack) {
		if slices.Contains(class.Capabilities, name) {
			classes = append(classes, class.Name)
		}
	}
	if len(classes) > 0 {
		text += "; for " + strings.Join(classes, ", ")
	}
	return text
}
