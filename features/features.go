package features

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"
)

// FS contains every feature file, rooted at this folder: <pack>/resume/….feature.
//
//go:embed */*/*.feature
var FS embed.FS

// Scenario is a scenario or a scenario outline of a feature file.
type Scenario struct {
	Pack, Chapter string
	File          string // path below the features folder
	Line          int    // 1-based line of the Scenario keyword
	Rule          string // title of its rule
	RuleLine      int
	Title         string // as written, with the <placeholders> of an outline
	Tags          []string
	Requirement   string   // the first id tag of its rule, "" when there is none
	IDs           []string // every id tag of its rule; a campaign checks several
	Rows          []Row    // one for a scenario without examples, one per example of an outline
	Steps         []Step   // of the scenario and of every background before it
	NoTranscript  string   // why it has no golden transcript, "" when it has one
	Campaign      bool     // it plays random programs, as many as the effort of the run allows
	Probe         bool     // it begins before all others and ends after them
}

// Row is one run of a scenario.
type Row struct {
	Title string // expanded
	Steps []Step // expanded

	source []byte // see Source
}

// Step is one step.
type Step struct {
	Keyword Keyword
	Text    string
	Line    int
	Table   bool // has a data table
	Doc     bool // has a doc string
	// Content is the doc string of a step of a row, "" for none.
	Content string
}

// Keyword is the role of a step in its scenario, And and But resolved.
type Keyword int

// The keywords.
const (
	Given Keyword = iota
	When
	Then
)

func (k Keyword) String() string { return [...]string{"Given", "When", "Then"}[k] }

// Location returns the scenario's file and line, the form that selects it.
func (s Scenario) Location() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Slug names the scenario's golden file: its title in lower case with hyphens.
func (s Scenario) Slug() string {
	title := placeholder.ReplaceAllString(s.Title, "")
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(title), "-"), "-")
}

// GoldenPath returns the path of the scenario's transcript below golden/.
func (s Scenario) GoldenPath() string {
	return path.Join(s.Pack, s.Chapter, s.Slug()+".txt")
}

var (
	placeholder = regexp.MustCompile(`<[^>]*>`)
	notWord     = regexp.MustCompile(`[^a-z0-9]+`)
	idTag       = regexp.MustCompile(`^@([a-z0-9-]+\.[a-z0-9-]+\.[a-z0-9-]+)$`)
)

// campaigns is the folder of scenarios that play random programs.
const campaigns = "campaigns"

// Outlasts is the step at which a probe waits until every other scenario of the run has ended.
const Outlasts = "every other scenario of the run has ended"

// noTranscript begins the tag that excuses a scenario from a transcript; the
// reason follows it, with hyphens for spaces.
const noTranscript = "@no-transcript:"

// Load reads every feature file of a pack in the order of their paths. A file
// that can't be parsed is a *ParseError.
func Load(fsys fs.FS, pack string) ([]Scenario, error) {
	var files []string
	err := fs.WalkDir(fsys, pack, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".feature") {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the features of pack %s: %w", pack, err)
	}
	slices.Sort(files)
	var out []Scenario
	for _, file := range files {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("reading features/%s: %w", file, err)
		}
		ss, err := parse(pack, file, src)
		if err != nil {
			return nil, err
		}
		out = append(out, ss...)
	}
	return out, nil
}

// maxLine bounds a line in bytes. The Gherkin parser reads by bufio.Scanner and
// panics on a line that doesn't fit its buffer of 64 KiB.
const maxLine = 32 << 10

func parse(pack, file string, src []byte) ([]Scenario, error) {
	for i, line := range bytes.Split(src, []byte{'\n'}) {
		if len(line) > maxLine {
			return nil, &ParseError{file, i + 1, fmt.Sprintf("the line is longer than %d bytes", maxLine)}
		}
	}
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(src), newID)
	if err != nil {
		return nil, parseError(file, err)
	}
	if doc.Feature == nil {
		return nil, &ParseError{file, 1, "expected a Feature, found none"}
	}
	r := reader{pack: pack, file: file, excerpts: excerptsOf(src, doc.Feature), byID: map[string]int{}}
	r.feature(doc.Feature)
	for _, p := range gherkin.Pickles(*doc, file, newID) {
		r.row(p)
	}
	return r.out, nil
}

// ParseError is a mistake in a feature file. Error returns one line: features/file:line: the mistake and the expected text.
type ParseError struct {
	File    string // path below the features folder
	Line    int    // 1-based
	Message string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("features/%s:%d: %s", e.File, e.Line, e.Message)
}

// reported matches one mistake in an error of the Gherkin parser: (line:column): message.
var reported = regexp.MustCompile(`(?m)^\((\d+):\d+\): (.*)$`)

// parseError makes one line of the parser's report: its first mistake, since the
// others often follow from it.
func parseError(file string, err error) *ParseError {
	m := reported.FindStringSubmatch(err.Error())
	if m == nil {
		return &ParseError{file, 1, strings.Join(strings.Fields(err.Error()), " ")}
	}
	line, err := strconv.Atoi(m[1])
	if err != nil { // more digits than a file has lines
		line = 1
	}
	return &ParseError{file, line, strings.TrimSpace(m[2])}
}

type reader struct {
	pack, file string
	excerpts   map[string][]byte // by the AST id of an example, or of a scenario without
	byID       map[string]int    // AST id of a scenario → index in out
	out        []Scenario
}

func tagNames(tags []*messages.Tag) []string {
	var out []string
	for _, t := range tags {
		out = append(out, t.Name)
	}
	return out
}

func (r *reader) feature(f *messages.Feature) {
	var background []*messages.Step
	tags := tagNames(f.Tags)
	for _, c := range f.Children {
		switch {
		case c.Background != nil:
			background = append(background, c.Background.Steps...)
		case c.Scenario != nil:
			r.scenario(c.Scenario, nil, tags, background)
		case c.Rule != nil:
			inner := slices.Clone(background)
			ruleTags := append(slices.Clone(tags), tagNames(c.Rule.Tags)...)
			for _, rc := range c.Rule.Children {
				if rc.Background != nil {
					inner = append(inner, rc.Background.Steps...)
				}
				if rc.Scenario != nil {
					r.scenario(rc.Scenario, c.Rule, ruleTags, inner)
				}
			}
		}
	}
}

func (r *reader) scenario(sc *messages.Scenario, rule *messages.Rule, inherited []string, background []*messages.Step) {
	s := Scenario{
		Pack: r.pack, Chapter: path.Base(path.Dir(r.file)), File: r.file, Line: int(sc.Location.Line), Title: sc.Name,
		Tags: append(slices.Clone(inherited), tagNames(sc.Tags)...),
	}
	s.Campaign = s.Chapter == campaigns
	if rule != nil {
		s.Rule, s.RuleLine = rule.Name, int(rule.Location.Line)
	}
	for _, t := range s.Tags {
		if m := idTag.FindStringSubmatch(t); m != nil {
			s.IDs = append(s.IDs, m[1])
			s.Requirement = s.IDs[0]
		}
		if reason, ok := strings.CutPrefix(t, noTranscript); ok {
			s.NoTranscript = strings.ReplaceAll(reason, "-", " ")
		}
	}
	all := append(slices.Clone(background), sc.Steps...)
	kind := Given
	for _, st := range all {
		kind = resolve(st.KeywordType, kind)
		s.Steps = append(s.Steps, Step{
			Keyword: kind, Text: st.Text, Line: int(st.Location.Line), Table: st.DataTable != nil, Doc: st.DocString != nil,
		})
	}
	s.Probe = slices.ContainsFunc(s.Steps, func(st Step) bool { return st.Text == Outlasts })
	r.byID[sc.Id] = len(r.out)
	r.out = append(r.out, s)
}

func resolve(t messages.StepKeywordType, before Keyword) Keyword {
	switch t {
	case messages.StepKeywordType_CONTEXT:
		return Given
	case messages.StepKeywordType_ACTION:
		return When
	case messages.StepKeywordType_OUTCOME:
		return Then
	}
	return before
}

func (r *reader) row(p *messages.Pickle) {
	i, ok := r.byID[p.AstNodeIds[0]]
	if !ok {
		return
	}
	row := Row{Title: p.Name, source: r.excerpts[p.AstNodeIds[len(p.AstNodeIds)-1]]}
	for j, st := range p.Steps {
		step := r.out[i].Steps[j]
		step.Text = st.Text
		if st.Argument != nil && st.Argument.DocString != nil {
			step.Content = st.Argument.DocString.Content
		}
		row.Steps = append(row.Steps, step)
	}
	r.out[i].Rows = append(r.out[i].Rows, row)
}
