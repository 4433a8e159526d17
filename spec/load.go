package spec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// loader collects the documents of a specification and what is wrong with them.
type loader struct {
	fsys      fs.FS
	documents map[string]*document
	book      *Book
	problems  []Problem
}

// Load reads a specification rooted at fsys: README.md, and a folder for each pack with its VERSION and CHANGELOG.md. The
// error is about reading files only; everything wrong with the text is a Problem, sorted by file and line, and
// leaves the remainder of the book usable.
func Load(fsys fs.FS) (*Book, []Problem, error) {
	l := &loader{fsys: fsys, documents: map[string]*document{}, book: &Book{byID: map[string]int{}}}
	packs, err := l.read()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range packs {
		l.pack(name)
	}
	l.index()
	for _, file := range l.files() {
		d := l.documents[file]
		_, isChapter := chapterOf(file)
		l.problems = append(l.problems, d.shouting(isChapter)...)
		l.links(d)
		l.mentions(d)
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return l.book, l.problems, nil
}

// read parses every Markdown file and returns the names of the packs.
func (l *loader) read() ([]string, error) {
	files, err := fs.Glob(l.fsys, "*.md")
	if err != nil {
		return nil, fmt.Errorf("reading specification: %w", err)
	}
	inPacks, err := fs.Glob(l.fsys, "*/*.md")
	if err != nil {
		return nil, fmt.Errorf("reading specification: %w", err)
	}
	var packs []string
	for _, file := range append(files, inPacks...) {
		source, err := fs.ReadFile(l.fsys, file)
		if err != nil {
			return nil, fmt.Errorf("reading specification: %w", err)
		}
		if line := exceedsDepth(source); line > 0 {
			return nil, fmt.Errorf("reading specification: %s:%d: quotes and lists are nested deeper than %d levels", file, line, mostLevels)
		}
		l.documents[file] = parseDocument(file, source)
		if dir := path.Dir(file); dir != "." && !slices.Contains(packs, dir) {
			packs = append(packs, dir)
		}
	}
	if len(packs) == 0 {
		return nil, errors.New("reading specification: no pack, expected a folder with Markdown files")
	}
	slices.Sort(packs)
	return packs, nil
}

func (l *loader) report(file string, line int, format string, args ...any) {
	l.problems = append(l.problems, Problem{file, line, fmt.Sprintf(format, args...)})
}

// files lists the documents in the order in which problems and links are wanted.
func (l *loader) files() []string {
	var files []string
	for file := range l.documents {
		files = append(files, file)
	}
	slices.Sort(files)
	return files
}

// version reads the version of a pack and checks that it is one and has a heading in the pack's change log.
func (l *loader) version(pack string) string {
	file, log := path.Join(pack, versionFile), path.Join(pack, changesFile)
	text, err := fs.ReadFile(l.fsys, file)
	if err != nil {
		l.report(file, 0, "the file is missing: it holds the version of %s, such as 0.1.0", pack)
		return ""
	}
	version := strings.TrimSpace(string(text))
	parts := strings.Split(version, ".")
	valid := len(parts) == 3
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		valid = valid && err == nil && n >= 0 && strconv.Itoa(n) == part
	}
	if !valid {
		l.report(file, 1, "%q is no version: expected major.minor.patch", version)
	}
	d, ok := l.documents[log]
	if !ok {
		l.report(log, 0, "the file is missing: it says what each version of %s changed", pack)
		return version
	}
	if _, ok := d.tables(version); !ok {
		l.report(log, 0, "no heading for version %s", version)
	}
	return version
}

// chapterOf gives the chapter that a file contains: <pack>/7-resume.md contains resume. ok is false for files that hold
// no requirements.
func chapterOf(file string) (Chapter, bool) {
	dir, base := path.Split(file)
	if dir == "" || base == indexFile || base == rationaleFile || base == changesFile {
		return Chapter{}, false
	}
	name := strings.TrimSuffix(base, ".md")
	c := Chapter{Name: name, File: file}
	if digits, rest, found := strings.Cut(name, "-"); found {
		if n, err := strconv.Atoi(digits); err == nil {
			c.Number, c.Name = n, rest
		}
	}
	return c, true
}

func (l *loader) pack(name string) {
	p := pack{name: name, version: l.version(name)}
	for _, file := range l.files() {
		if c, ok := chapterOf(file); ok && path.Dir(file) == name {
			c.Title = l.documents[file].title()
			p.chapters = append(p.chapters, c)
		}
	}
	slices.SortFunc(p.chapters, func(a, b Chapter) int {
		if (a.Number == 0) != (b.Number == 0) { // numbered first
			return cmp.Compare(b.Number, a.Number)
		}
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Name, b.Name))
	})

	index, ok := l.documents[path.Join(name, indexFile)]
	if ok {
		p.routes = readRoutes(index)
		var problems []Problem
		p.roles, problems = readRoles(index)
		l.problems = append(l.problems, problems...)
		p.capabilities, problems = readCapabilities(index)
		l.problems = append(l.problems, problems...)
		p.classes, problems = readClasses(index, &p)
		l.problems = append(l.problems, problems...)
	} else {
		l.report(path.Join(name, indexFile), 0, "the file is missing: it holds the index, the capabilities and the classes of %s", name)
	}

	var requirements []Requirement
	for _, c := range p.chapters {
		parser := chapterParser{doc: l.documents[c.File], pack: name, chapter: c.Name, capabilities: p.capabilities}
		parser.parse()
		requirements = append(requirements, l.coin(parser.requirements)...)
		l.problems = append(l.problems, parser.problems...)
	}
	p.fill(requirements)
	l.rationale(name, requirements)
	l.book.packs = append(l.book.packs, p)
}

// coin enters requirements into the book and returns those whose id was free.
func (l *loader) coin(requirements []Requirement) []Requirement {
	var coined []Requirement
	for _, r := range requirements {
		if first, taken := l.book.Get(r.ID); taken {
			l.report(r.File, r.Line, "%s is coined twice, first at %s:%d", r.ID, first.File, first.Line)
			continue
		}
		l.book.byID[r.ID] = len(l.book.Requirements)
		l.book.Requirements = append(l.book.Requirements, r)
		coined = append(coined, r)
	}
	return coined
}

func (l *loader) rationale(name string, requirements []Requirement) {
	file := path.Join(name, rationaleFile)
	d, ok := l.documents[file]
	if !ok {
		l.report(file, 0, "the file is missing: it says where every rule of the inventory went")
		return
	}
	ra, problems := readRationale(d)
	l.problems = append(l.problems, problems...)
	l.problems = append(l.problems, ra.check(requirements)...)
}
