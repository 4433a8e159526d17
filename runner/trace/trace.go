package trace

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Sources are the folders of code that name requirements, each rooted at its folder.
type Sources struct {
	Reference fs.FS // reference
	Judge     fs.FS // runner/judge, with a folder for each pack

	// Expectations are the folders of code that states what a server must send: those of the constant Expecting, by name, each
	// with a folder for each pack. The program doesn't carry them.
	Expectations map[string]fs.FS
}

// Known reports whether both folders are set.
func (s Sources) Known() bool { return s.Reference != nil && s.Judge != nil }

// Where the folders are in the kit.
const (
	ReferenceFolder = "reference"
	JudgeFolder     = "runner/judge"
)

// Expecting lists the folders of Sources.Expectations.
func Expecting() []string { return []string{"runner/model", "steps", "runner/campaign"} }

// Line is a line of code.
type Line struct {
	File string // from the root of the kit
	Line int    // from 1
	Text string // without its indentation
}

func (p Line) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Mention is an id in a comment.
type Mention struct {
	ID   string
	File string // from the root of the kit
	Line int    // from 1
}

// Index lists the requirement ids that the sources mention. The zero value is empty.
type Index struct {
	Files    int       // Go files that were read
	Mentions []Mention // every id in a comment

	reference, judged, expected map[string][]Line
}

// Reference lists the lines of the reference that keep a requirement, by file and line.
func (x Index) Reference(id string) []Line { return x.reference[id] }

// Judge lists the lines of the judge of the requirement's pack that check it, by file and line.
func (x Index) Judge(id string) []Line { return x.judged[id] }

// Expected lists the lines of the model, the steps and the campaigns of the requirement's pack that name it, in this order.
func (x Index) Expected(id string) []Line { return x.expected[id] }

// Read parses the sources, tests left out, and finds the ids of the packs in them. Without sources the index is empty.
// Errors: a file that can't be read, and a scanner.ErrorList for one that isn't Go.
func Read(s Sources, packs []string) (Index, error) {
	x := Index{reference: map[string][]Line{}, judged: map[string][]Line{}, expected: map[string][]Line{}}
	if !s.Known() || len(packs) == 0 {
		return x, nil
	}
	ids := pattern(packs)
	reference, err := parse(s.Reference, ReferenceFolder, ".")
	if err != nil {
		return x, err
	}
	for _, f := range reference {
		f.comments(ids, func(m Mention, p Line) { x.note(m, p, x.reference) })
	}
	x.Files = len(reference)
	for _, pack := range packs {
		files, err := parse(s.Judge, JudgeFolder, pack)
		if err != nil {
			return x, err
		}
		x.Files += len(files)
		x.judge(files, ids)
		for _, folder := range Expecting() {
			if err := x.expect(s.Expectations[folder], folder, pack, ids); err != nil {
				return x, err
			}
		}
	}
	for _, lines := range []map[string][]Line{x.reference, x.judged} {
		for id, list := range lines {
			slices.SortFunc(list, func(a, b Line) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
			lines[id] = slices.Compact(list)
		}
	}
	return x, nil
}

// expect finds the ids in the strings of a pack's folder; none without the folder.
func (x *Index) expect(fsys fs.FS, folder, pack string, ids *regexp.Regexp) error {
	if fsys == nil {
		return nil
	}
	files, err := parse(fsys, folder, pack)
	if err != nil {
		return err
	}
	for _, f := range files {
		ast.Inspect(f.ast, func(node ast.Node) bool {
			text, is := node.(*ast.BasicLit)
			if !is || text.Kind != token.STRING {
				return true
			}
			for _, id := range ids.FindAllString(text.Value, -1) {
				if p := f.sourceLine(f.line(text.Pos())); !slices.Contains(x.expected[id], p) {
					x.expected[id] = append(x.expected[id], p)
				}
			}
			return true
		})
	}
	return nil
}

// note takes in an id of a comment, and the line that the comment is about, if it is about one.
func (x *Index) note(m Mention, about Line, lines map[string][]Line) {
	x.Mentions = append(x.Mentions, m)
	if about.Line > 0 {
		lines[m.ID] = append(lines[m.ID], about)
	}
}

// pattern matches the ids of some packs.
func pattern(packs []string) *regexp.Regexp {
	quoted := make([]string, 0, len(packs))
	for _, p := range packs {
		quoted = append(quoted, regexp.QuoteMeta(p))
	}
	const part = `\.[a-z0-9]+(?:-[a-z0-9]+)*`
	return regexp.MustCompile(`\b(?:` + strings.Join(quoted, "|") + `)` + part + part)
}

// file is one parsed file.
type file struct {
	name  string // from the root of the kit
	lines []string
	set   *token.FileSet
	ast   *ast.File
}

// altered are the folders of servers that are broken, or right in another way, on purpose.
func altered(name string) bool { return name == "mutant" || name == "variant" || name == "alter" }

// parse reads the Go files below a folder; none if it is not there.
func parse(fsys fs.FS, folder, below string) ([]file, error) {
	var out []file
	if _, err := fs.Stat(fsys, below); err != nil {
		return nil, nil
	}
	err := fs.WalkDir(fsys, below, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (altered(name) || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		f := file{name: path.Join(folder, name), lines: strings.Split(string(text), "\n"), set: token.NewFileSet()}
		f.ast, err = parser.ParseFile(f.set, f.name, text, parser.ParseComments|parser.SkipObjectResolution)
		out = append(out, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the sources: %w", err)
	}
	return out, nil
}

// line gives the line of a position, from 1.
func (f file) line(at token.Pos) int { return f.set.Position(at).Line }

func (f file) sourceLine(line int) Line {
	return Line{File: f.name, Line: line, Text: strings.TrimSpace(f.lines[line-1])}
}

// comments finds every id in a comment, with the line of code that the comment is about: its line, or the first one
// below it. A comment above the package clause or at the end of a block is about no line, and its position is empty.
func (f file) comments(ids *regexp.Regexp, visit func(Mention, Line)) {
	for _, group := range f.ast.Comments {
		below := f.below(f.line(group.End()))
		for _, c := range group.List {
			from, to := f.set.Position(c.Pos()), f.set.Position(c.End())
			about := below
			if strings.TrimSpace(f.lines[from.Line-1][:from.Column-1]+f.lines[to.Line-1][to.Column-1:]) != "" {
				about = to.Line
			}
			var place Line
			if c.Pos() > f.ast.Package && about > 0 {
				place = f.sourceLine(about)
			}
			for i, text := range strings.Split(c.Text, "\n") {
				for _, id := range ids.FindAllString(text, -1) {
					visit(Mention{ID: id, File: f.name, Line: from.Line + i}, place)
				}
			}
		}
	}
}

// below gives the first line of code after a line; 0 if the block ends before there is one.
func (f file) below(line int) int {
	for n := line + 1; n <= len(f.lines); n++ {
		switch text := strings.TrimSpace(f.lines[n-1]); {
		case strings.HasPrefix(text, "}"):
			return 0
		case text != "" && !strings.HasPrefix(text, "//"):
			return n
		}
	}
	return 0
}
