package command

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/config"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

//go:embed init.tmpl
var initText string

type initialise struct {
	app   *App
	packs []string // names; nil for all
	force bool     // the file may be replaced
}

func newInit(a *App) *cobra.Command {
	i := &initialise{app: a}
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a config",
		Long: "Write a config with every key, its default, and the capabilities that a server may lack. With --pack the config has\n" +
			"the keys that most servers of that protocol need. FILE is " + defaultConfig + " unless it is given; a FILE that exists\n" +
			"is left alone.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Arguments("FILE")(cmd, args)
			}
			return nil
		},
		RunE: i.run,
	}
	cmd.Flags().StringArrayVar(&i.packs, "pack", nil, "`PROTOCOL` that the server speaks; may be given again; without it the config has every key")
	cmd.Flags().BoolVar(&i.force, "force", false, "write over a FILE that is there")
	starterFlags(cmd, a.packs.Sections())
	return cmd
}

func (i *initialise) run(cmd *cobra.Command, args []string) error {
	file := defaultConfig
	if len(args) > 0 {
		file = args[0]
	}
	files, err := i.app.Files()
	if err != nil {
		return err
	}
	book, _, err := spec.Load(files.Spec)
	if err != nil {
		return Misused(fmt.Errorf("reading the spec: %w", err))
	}
	for _, name := range i.packs {
		if !slices.Contains(book.Packs(), name) {
			return Usage("--pack: there is no pack %q%s; the packs are %s", name, Suggest(name, book.Packs()), strings.Join(book.Packs(), ", "))
		}
	}
	sections := i.app.packs.Sections()
	text, err := chosenStarter(cmd, sections, i.packs)
	if err == nil && text == nil {
		text, err = starter(book, sections, i.packs)
	}
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

// write makes the file, and writes over one only with --force.
func (i *initialise) write(file string, text []byte) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return Usage("init: %s is a folder; expected the name of a file", file)
	}
	if i.force {
		if err := report.Replace(file, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return Usage("writing the config: %w", err)
		}
		return nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, os.ErrExist):
		return Usage("init: %s is there already and was left alone; name another file, or write over it with --force", file)
	case err != nil:
		return Usage("writing the config: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing the config: %w", err)
	}
	return nil
}

// starter returns the config for some packs; with none it has every key.
func starter(book *spec.Book, sections []target.Section, named []string) ([]byte, error) {
	s := &starterFile{book: book, packs: book.Packs(), on: map[string]string{"target.url": "http://127.0.0.1:8080"}}
	if len(named) > 0 {
		s.packs = slices.DeleteFunc(book.Packs(), func(name string) bool { return !slices.Contains(named, name) })
		s.on["packs"] = "[" + strings.Join(s.packs, ", ") + "]"
	}
	format := target.Format{Sections: slices.DeleteFunc(sections, func(section target.Section) bool {
		return !slices.Contains(s.packs, section.Name)
	})}
	keys, short := format.Keys(), len(named) > 0
	if short {
		keys = selectKeys(keys, slices.Concat(shortKeys, s.packs))
	}
	t, err := template.New("config").Funcs(template.FuncMap{"comment": comment, "lines": s.lines}).Parse(initText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the config: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"Editor": schemas.EditorLine, "Keys": keys, "Short": short}); err != nil {
		return nil, fmt.Errorf("filling in the config: %w", err)
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n'), nil
}

// starterFile generates the config of init for some packs.
type starterFile struct {
	book  *spec.Book
	packs []string          // names, in the order of the book
	on    map[string]string // values of the keys that aren't off, by path
}

// wide limits the characters of a line of a config.
const wide = 124

// comment returns the documentation of a key as comment lines.
func comment(k *config.Key) []string { return wrapped("# ", sentence(k.Doc)) }

// sentence begins with a capital and ends with a full stop.
func sentence(doc string) string {
	first, size := utf8.DecodeRuneInString(doc)
	return string(unicode.ToUpper(first)) + doc[size:] + "."
}

// wrapped breaks a text into lines that begin with a mark.
func wrapped(mark, text string) []string {
	var out []string
	line := mark
	for word := range strings.FieldsSeq(text) {
		if len(line) > len(mark) && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > wide {
			out, line = append(out, line), mark
		}
		if line != mark {
			line += " "
		}
		line += word
	}
	return append(out, line)
}

// lines returns the lines of the file for a key and the keys below it.
func (s *starterFile) lines(k *config.Key) []string {
	shown, on := s.on[k.Path]
	switch {
	case k.Path == "without":
		return append([]string{"#without:"}, s.without()...)
	case k.Path == "packs" && !on:
		return []string{"#packs: [" + strings.Join(s.packs, ", ") + "]"}
	case k.Kind == config.Headers:
		return []string{"#" + k.Name + ":", "#  " + k.Shown()}
	case k.Kind != config.Section && on:
		return []string{k.Name + ": " + shown}
	case k.Kind != config.Section:
		return []string{"#" + k.Name + ": " + k.Shown()}
	}
	return s.section(k)
}

// section returns the lines of a section, its comments in one column. A section that has a key that is on is on itself.
func (s *starterFile) section(k *config.Key) []string {
	off, column := "#", 0
	var keys, marks []string
	for _, key := range k.Keys {
		value, on := s.on[key.Path]
		mark := "#"
		if on {
			off, mark = "", ""
		} else if value = key.Shown(); key.Kind == config.Headers || key.Kind == config.Environment {
			name, text, _ := strings.Cut(value, ": ")
			value = "{" + name + ": " + quoted(text) + "}"
		}
		marks, keys = append(marks, mark), append(keys, mark+"  "+key.Name+": "+value)
		column = max(column, utf8.RuneCountInString(keys[len(keys)-1]))
	}
	out := []string{off + k.Name + ":"}
	for i, key := range k.Keys {
		line := fmt.Sprintf("%-*s # %s", column, keys[i], key.Doc)
		if utf8.RuneCountInString(line) <= wide {
			out = append(out, line)
			continue
		}
		out = append(append(out, wrapped(marks[i]+"  # ", key.Doc)...), keys[i])
	}
	return out
}

// quoted returns a text in quotes if a list in braces would end in it.
func quoted(text string) string {
	if strings.ContainsAny(text, "{}[], ") {
		return strconv.Quote(text)
	}
	return text
}

// without returns the capabilities that a server may lack, pack by pack.
func (s *starterFile) without() []string {
	var out []string
	for _, pack := range s.packs {
		if len(s.packs) > 1 {
			out = append(out, "#  # "+pack)
		}
		for _, c := range lacking(s.book, pack) {
			out = append(out, "#  - "+c)
		}
	}
	return out
}

// lacking returns a line for each capability of a pack: its meaning, and what depends on it.
func lacking(book *spec.Book, pack string) []string {
	column := 0
	for _, c := range book.Capabilities(pack) {
		column = max(column, len(c.Name))
	}
	var out []string
	for _, c := range book.Capabilities(pack) {
		out = append(out, fmt.Sprintf("%-*s # %s; %s", column, c.Name, c.Meaning, stake(book, pack, c.Name)))
	}
	return out
}

// stake describes what depends on a capability: requirements, classes, and a capability that all of its requirements also
// need.
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
	return text + classesWith(book, pack, name)
}

// classesWith names the classes that a capability is needed for, or, where these are fewer, the others.
func classesWith(book *spec.Book, pack, capability string) string {
	var with, without []string
	for _, class := range book.Classes(pack) {
		if slices.Contains(class.Capabilities, capability) {
			with = append(with, class.Name)
		} else {
			without = append(without, class.Name)
		}
	}
	switch {
	case len(with) == 0:
		return ""
	case len(without) > 0 && len(without) < len(with):
		return "; for all classes but " + strings.Join(without, ", ")
	}
	return "; for " + strings.Join(with, ", ")
}
