package golden

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kind classifies a problem of a golden, or the change that an update made.
type Kind string

const (
	Missing  Kind = "missing"  // a scenario has no golden
	Orphan   Kind = "orphan"   // a golden has no scenario
	Drift    Kind = "drift"    // the golden differs from the reference's current behaviour
	Unparsed Kind = "unparsed" // the golden isn't in the format
	Added    Kind = "added"    // WriteAll wrote a new file
	Updated  Kind = "updated"  // WriteAll wrote over an older one
)

// Change is a file that WriteAll wrote. Name is slash-separated, as <pack>/<chapter>/<scenario>.txt. Diff is the readable
// difference from before, and empty for a new file. Requirements are those of its transcripts.
type Change struct {
	Name         string
	Kind         Kind     // Added or Updated
	Requirements []string // sorted, without doubles
	Diff         string
}

// Problem is a finding of Check. Message is one line, Diff the drift for people.
type Problem struct {
	Name         string
	Kind         Kind     // Unparsed, Orphan or Drift
	Requirements []string // sorted, without doubles
	Message      string
	Diff         string // "" unless Kind is Drift
}

// Requirement returns the id of the requirement that a transcript's name begins with: its first three parts.
func Requirement(name string) string {
	parts := strings.SplitN(name, ".", 4)
	return strings.Join(parts[:min(3, len(parts))], ".")
}

// Requirements returns the ids of a file's transcripts, sorted.
func (f File) Requirements() []string {
	var ids []string
	for _, t := range f.Transcripts {
		ids = append(ids, Requirement(t.Name))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Group is the transcripts of one requirement.
type Group[T any] struct {
	Requirement string
	Items       []T // in the order in which they were found
}

// ByRequirement groups changes by the requirements of their transcripts; a change of two requirements is in both.
func ByRequirement(changes []Change) []Group[Change] {
	return group(changes, func(c Change) []string { return c.Requirements })
}

// ProblemsByRequirement groups problems. An orphan that doesn't parse belongs to no requirement, the empty one.
func ProblemsByRequirement(problems []Problem) []Group[Problem] {
	return group(problems, func(p Problem) []string { return p.Requirements })
}

func group[T any](items []T, ids func(T) []string) []Group[T] {
	byID := map[string][]T{}
	for _, item := range items {
		of := ids(item)
		if len(of) == 0 {
			of = []string{""}
		}
		for _, id := range of {
			byID[id] = append(byID[id], item)
		}
	}
	var groups []Group[T]
	for _, id := range sortedKeys(byID) {
		groups = append(groups, Group[T]{id, byID[id]})
	}
	return groups
}

// Read reads one golden of a file system that is rooted at golden/. Errors name it as golden/<name>.
func Read(fsys fs.FS, name string) (File, error) {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return File{}, fmt.Errorf("reading golden %s: %w", name, err)
	}
	return Parse("golden/"+name, b)
}

// Names lists the goldens of a file system that is rooted at golden/, without the samples under testdata.
func Names(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".txt"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing goldens: %w", err)
	}
	return names, nil
}

// Keep returns fresh with the alternatives that people wrote into the golden old, where fresh has none and
// the exchange is still the same one of the same transcript.
func Keep(old, fresh File) File {
	type place struct {
		name, title string
		at          int // index among the exchanges of the transcript
		heading     string
	}
	was := map[place]Exchange{}
	for _, t := range old.Transcripts {
		for i, e := range t.Exchanges {
			was[place{t.Name, t.Title, i, e.Heading}] = e
		}
	}
	out := File{Transcripts: slices.Clone(fresh.Transcripts)}
	for i, t := range out.Transcripts {
		out.Transcripts[i].Exchanges = slices.Clone(t.Exchanges)
		for k, e := range t.Exchanges {
			kept := &out.Transcripts[i].Exchanges[k]
			before := was[place{t.Name, t.Title, k, e.Heading}]
			if len(e.Also) == 0 && before.Status == e.Status {
				kept.Also = before.Also
			}
			if len(e.Alternatives) == 0 {
				kept.Alternatives = before.Alternatives
			}
		}
	}
	return out
}

// Check compares the goldens of a file system that is rooted at golden/ with the expected files of the same names: no
// golden missing, orphaned, out of format or drifted. Problems are sorted by name.
func Check(fsys fs.FS, files map[string]File) []Problem {
	var problems []Problem
	names, err := Names(fsys)
	if err != nil {
		problems = append(problems, Problem{Name: ".", Kind: Unparsed, Message: err.Error()})
	}
	for _, name := range names {
		old, err := Read(fsys, name)
		fresh, wanted := files[name]
		switch {
		case err != nil:
			problems = append(problems, Problem{name, Unparsed, fresh.Requirements(), err.Error(), ""})
		case !wanted:
			problems = append(problems, Problem{name, Orphan, old.Requirements(), "no scenario writes golden/" + name, ""})
		default:
			if diff := Diff(old, fresh); diff != "" {
				problems = append(problems, Problem{name, Drift, fresh.Requirements(), "golden/" + name + " is not what the reference does", diff})
			}
		}
	}
	for _, name := range sortedKeys(files) {
		if !slices.Contains(names, name) {
			problems = append(problems, Problem{name, Missing, files[name].Requirements(), "golden/" + name + " is missing", ""})
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Name, b.Name) })
	return problems
}

// Diff compares two files transcript by transcript, as Equal compares transcripts; "" if they are equal. Each difference is
// headed by the transcript's name and title.
func Diff(want, got File) string {
	var b strings.Builder
	for i := range max(len(want.Transcripts), len(got.Transcripts)) {
		var w, g Transcript
		var diff string
		switch {
		case i >= len(want.Transcripts):
			g = got.Transcripts[i]
			diff = lineDiff(nil, splitText(Format(File{[]Transcript{withoutChoices(g)}})))
			w = g
		case i >= len(got.Transcripts):
			w = want.Transcripts[i]
			diff = lineDiff(splitText(Format(File{[]Transcript{withoutChoices(w)}})), nil)
		default:
			w = want.Transcripts[i]
			diff = Equal(w, got.Transcripts[i])
		}
		if diff != "" {
			fmt.Fprintf(&b, "# %s · %s\n%s", w.Name, w.Title, diff)
		}
	}
	return b.String()
}

// WriteAll writes files into dir by their names (<pack>/<chapter>/<scenario>.txt) and returns the changed ones, sorted by
// name; unchanged and other files aren't touched. Alternatives in the previous goldens are retained. It reads everything
// before it writes anything, so that a golden which can't be read or written changes none; each file is replaced as a
// complete. Nothing is read or written through a link that leads out of dir.
func WriteAll(dir string, files map[string]File) (changed []Change, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("writing goldens: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("writing goldens: %w", err)
	}
	defer root.Close()
	var staged []stagedFile
	defer func() {
		for _, s := range staged {
			err = errors.Join(err, s.discard())
		}
	}()
	for _, name := range sortedKeys(files) {
		change, text, err := plan(root, name, files[name])
		if err != nil {
			return nil, err
		}
		if text != nil {
			staged = append(staged, stagedFile{root: root, change: change, text: text, path: filepath.FromSlash(name)})
		}
	}
	for i := range staged {
		if err := staged[i].stage(); err != nil {
			return nil, err
		}
	}
	for i := range staged {
		if err := staged[i].commit(); err != nil {
			return changed, err
		}
		changed = append(changed, staged[i].change)
	}
	return changed, nil
}

// plan returns the change of one golden and its new text; text is nil if the golden has that text.
func plan(root *os.Root, name string, f File) (change Change, text []byte, err error) {
	if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) || !strings.HasSuffix(name, ".txt") {
		return change, nil, fmt.Errorf("writing golden %q: expected a name like <pack>/resume/after-cursor.txt", name)
	}
	change = Change{Name: name, Kind: Added, Requirements: f.Requirements()}
	var before []byte
	info, err := root.Stat(filepath.FromSlash(name))
	if err == nil && !info.Mode().IsRegular() {
		return change, nil, fmt.Errorf("updating golden %s: expected a regular file in its place", name)
	}
	if err == nil {
		before, err = root.ReadFile(filepath.FromSlash(name))
	}
	switch {
	case err == nil:
		old, err := Parse("golden/"+name, before)
		if err != nil {
			return change, nil, fmt.Errorf("updating golden (mend or remove it first): %w", err)
		}
		f = Keep(old, f)
		change.Kind, change.Diff = Updated, Diff(old, f)
	case !errors.Is(err, fs.ErrNotExist):
		return change, nil, fmt.Errorf("updating golden %s: %w", name, err)
	}
	text = Format(f)
	if err := writable(name, f, text); err != nil {
		return change, nil, err
	}
	if change.Kind == Updated && bytes.Equal(before, text) {
		return change, nil, nil
	}
	return change, text, nil
}

// writable rejects a file whose text doesn't parse back to it.
func writable(name string, f File, text []byte) error {
	for _, t := range f.Transcripts {
		for _, e := range t.Exchanges {
			for _, r := range append([]Alternative{e.response()}, e.Alternatives...) {
				if r.End != "" && !isEnd(r.End) {
					return fmt.Errorf("writing golden %s: %q is no end of an exchange", name, r.End)
				}
			}
		}
	}
	if _, err := Parse("golden/"+name, text); err != nil {
		return fmt.Errorf("writing golden %s: not a transcript: %w", name, err)
	}
	return nil
}

// stagedFile is a complete golden under a temporary name, until it is renamed.
type stagedFile struct {
	root      *os.Root // of the goldens
	change    Change
	text      []byte // complete
	path      string // from root
	temporary string // "" before it was written, and once it was renamed
}

func (s *stagedFile) stage() error {
	if err := s.root.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return fmt.Errorf("writing golden %s: %w", s.change.Name, err)
	}
	temporary := filepath.Join(filepath.Dir(s.path), ".golden-"+filepath.Base(s.path))
	// One that is left of a program that was killed, or a link that waits for this name.
	if err := s.root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("writing golden %s: %w", s.change.Name, err)
	}
	f, err := s.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("writing golden %s: %w", s.change.Name, err)
	}
	s.temporary = temporary
	_, err = f.Write(s.text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing golden %s: %w", s.change.Name, err)
	}
	return nil
}

func (s *stagedFile) commit() error {
	if err := s.root.Rename(s.temporary, s.path); err != nil {
		return fmt.Errorf("writing golden %s: %w", s.change.Name, err)
	}
	s.temporary = ""
	return nil
}

func (s *stagedFile) discard() error {
	if s.temporary == "" {
		return nil
	}
	if err := s.root.Remove(s.temporary); err != nil {
		return fmt.Errorf("removing what was not written: %w", err)
	}
	return nil
}
