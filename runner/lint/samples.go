package lint

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/streamcert/streamcert/runner/files/yaml"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
)

// sampleConfig is the file that makes a folder of the reference a sample: a server in another language, to be copied.
const sampleConfig = "streamcert.yaml"

// claims contains the packs that a sample's config lists, and the capabilities that it leaves out.
type claims struct {
	Packs   []ast.Node `yaml:"packs"`
	Without []ast.Node `yaml:"without"`
}

// link matches one of Markdown that stays in its folder.
var link = regexp.MustCompile(`\]\(([a-zA-Z0-9_-][^)#:/]*)[)#]`)

// samples: the names in a sample's config exist, its README links to existing files, and its sources name every chunk type,
// or every event of a pack without chunks, and the members of the control calls that it accepts. Only a run can prove that
// a sample satisfies its claims.
func samples(t *tree) {
	if t.book == nil || t.in.Sources.Reference == nil {
		return
	}
	files, err := fs.Glob(t.in.Sources.Reference, "*/"+sampleConfig)
	if err != nil {
		t.report("sample", trace.ReferenceFolder, 0, "%s", oneLine(err))
	}
	for _, file := range files {
		sample{t, path.Dir(file)}.check()
	}
}

// sample is the folder of one.
type sample struct {
	*tree
	folder string // below the reference
}

// check does all checks of the sample. A config that can't be read ends them.
func (t sample) check() {
	config := path.Join(trace.ReferenceFolder, t.folder, sampleConfig)
	text, err := fs.ReadFile(t.in.Sources.Reference, path.Join(t.folder, sampleConfig))
	if err != nil {
		t.report("sample", config, 0, "%s", oneLine(err))
		return
	}
	var says claims
	if err := yaml.Decode(text, &says); err != nil {
		var at *yaml.Error
		errors.As(err, &at)
		t.report("sample", config, at.Line, "%s", at.Message)
		return
	}
	var of []*pack
	for _, n := range says.Packs {
		i := slices.IndexFunc(t.packs, func(p *pack) bool { return p.Name == scalar(n) })
		if i < 0 {
			t.report("sample", config, n.GetToken().Position.Line, "packs names %s, which isn't in the list of packs", scalar(n))
			continue
		}
		of = append(of, t.packs[i])
	}
	if len(of) == len(says.Packs) {
		t.capabilities(config, of, says.Without)
	}
	if text, ok := t.sources(); ok {
		t.types(text, of)
		t.calls(text, of)
	}
	t.links()
}

// capabilities: the capabilities that a sample leaves out exist in one of its packs.
func (t sample) capabilities(config string, of []*pack, without []ast.Node) {
	known := map[string]bool{}
	for _, p := range of {
		for _, c := range t.book.Capabilities(p.Name) {
			known[c.Name] = true
		}
	}
	for _, n := range without {
		if !known[scalar(n)] {
			t.report("sample", config, n.GetToken().Position.Line, "without names %s, which is no capability of a pack that packs names", scalar(n))
		}
	}
}

// sources returns all that the sources of a sample say.
func (t sample) sources() (string, bool) {
	var text strings.Builder
	err := fs.WalkDir(t.in.Sources.Reference, t.folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == path.Join(t.folder, sampleConfig) || path.Ext(name) == ".md" {
			return err
		}
		b, err := fs.ReadFile(t.in.Sources.Reference, name)
		text.Write(b)
		return err
	})
	if err != nil {
		t.report("sample", path.Join(trace.ReferenceFolder, t.folder), 0, "%s", oneLine(err))
	}
	return text.String(), err == nil
}

// names reports whether a text has a word, or the end of a path.
func names(text, word string) bool {
	begin := `\b`
	if strings.HasPrefix(word, "/") {
		begin = ""
	}
	return regexp.MustCompile(begin + regexp.QuoteMeta(word) + `\b`).MatchString(text)
}

// types: a chunk type that no source names is relayed unchecked. In packs without chunks the server makes all frames, and
// one that no source names is never sent.
func (t sample) types(text string, of []*pack) {
	for _, p := range of {
		if p.schemas == nil {
			continue
		}
		types, problem := p.schemas.Types(), "no source names the chunk type %s of %s: check its members, or refuse it by name"
		if p.schemas.Nested() == "" {
			types, problem = p.schemas.FrameTypes(), "no source names the event %s of %s: send it, or say why it is never sent"
		}
		for _, name := range types {
			if !names(text, name) {
				t.report("sample", path.Join(trace.ReferenceFolder, t.folder), 0, problem, name, p.Name)
			}
		}
	}
}

// calls: the sources name every member that the schemas show of the body, and of the answer, of a control call
// whose route they have. A route is called as the schema of its body.
func (t sample) calls(text string, of []*pack) {
	for _, p := range of {
		if p.schemas == nil {
			continue
		}
		for _, name := range p.schemas.Names() {
			call, ok := strings.CutPrefix(name, "control/")
			call = strings.TrimSuffix(call, "-answer")
			if !ok || !names(text, "/"+call) && !names(text, "/"+call+"s") {
				continue
			}
			for _, member := range membersOf(p.schemas.Examples(name)) {
				if !names(text, member) {
					t.report("sample", path.Join(trace.ReferenceFolder, t.folder), 0,
						"no source names the member %s of schemas/%s/%s.json, and there is a route /%s", member, p.Name, name, call)
				}
			}
		}
	}
}

// membersOf lists the members of the objects among examples, sorted.
func membersOf(examples []schemas.Example) []string {
	all := map[string]bool{}
	for _, x := range examples {
		var object map[string]json.RawMessage
		_ = json.Unmarshal(x.Value, &object) // other values have no members
		for name := range object {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// links: the files in the README of a sample exist.
func (t sample) links() {
	readme := path.Join(t.folder, "README.md")
	text, err := fs.ReadFile(t.in.Sources.Reference, readme)
	if err != nil {
		t.report("sample", path.Join(trace.ReferenceFolder, t.folder), 0, "there is no README.md that says what the sample does")
		return
	}
	line := 0
	for row := range strings.Lines(string(text)) {
		line++
		for _, m := range link.FindAllStringSubmatch(row, -1) {
			if _, err := fs.Stat(t.in.Sources.Reference, path.Join(t.folder, m[1])); err != nil {
				t.report("sample", path.Join(trace.ReferenceFolder, readme), line, "link to %s, which does not exist", m[1])
			}
		}
	}
}

// scalar returns the text of a node of YAML.
func scalar(n ast.Node) string { return n.GetToken().Value }
