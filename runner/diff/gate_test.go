package diff_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/diff"
)

// kit returns a small version of a pack; each test makes one change.
func kit() fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range map[string]string{
		"spec/README.md":         "[toy](toy/README.md)\n",
		"spec/toy/VERSION":       "1.2.3\n",
		"spec/toy/CHANGELOG.md":  "# Changes\n\n## 1.2.3\n\nFirst.\n",
		"spec/toy/README.md":     "[words](1-words.md) [why](rationale.md)\n\n# Capabilities\n\n| name | meaning |\n|---|---|\n| loud | shouts |\n\n# Classes\n\n| class | includes | chapters | capabilities |\n|---|---|---|---|\n| Core | | words | |\n",
		"spec/toy/rationale.md":  "# Inventory\n\n| group | rules |\n|---|---|\n| T | 3 |\n",
		"schemas/toy/pack.json":  `{"discriminator": "type", "unknown": {"frame": "frames/word.json"}, "requirements": {"frame": {}}}`,
		"golden/toy/words/a.txt": "# toy.words.all · A\n== it asks\n> GET /v1/words\n< 200\n< date: today\nid: 1\ndata: {\"type\":\"word\"}\n\n== server closes\n",
		"golden/toy/words/b.txt": "# toy.words.late · B\n== it asks\n> GET /v1/words\n< 200\n< date: today\n",
		"spec/toy/1-words.md": "# Words\n\n```http\n> GET /v1/words\n```\n\n" +
			"#### toy.words.all\n> A server MUST send every word.\n\n`tier: observe` · `origin: T-01`\n\nOr none.\n\n" +
			"#### toy.words.late\n> A server SHOULD send a word within 5 s.\n\n`tier: observe` · `origin: T-02`\n\nOr later.\n\n" +
			"#### toy.words.heard\n> A reader MUST listen.\n\n`role: reader` · `origin: T-03`\n\nOr else.\n",
		"schemas/toy/frames/word.json": `{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A word", "description": "One.",
			"$comment": "requirement toy.words.all", "type": "object", "required": ["type"], "properties": {"type": {"const": "word"}, "text": {"type": "string"}},
			"examples": [{"type": "word", "text": "a"}], "x-invalid": [{"name": "a number", "value": 1, "requirement": "toy.words.all"}]}`,
		"features/toy/words/words.feature": "Feature: Words\n\n  @toy.words.all @must\n  Rule: All\n\n    Scenario: A\n      When it asks\n      Then it gets a word\n\n" +
			"  @toy.words.late @should\n  Rule: Late\n\n    Scenario: B\n      When it asks\n      Then it waits\n",
	} {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// edit replaces text in a file of a kit.
type edit struct{ file, old, new string }

func (e edit) apply(t *testing.T, files fstest.MapFS) {
	t.Helper()
	if e.old == "" {
		files[e.file] = &fstest.MapFile{Data: []byte(e.new)}
		return
	}
	f := files[e.file]
	if f == nil || !strings.Contains(string(f.Data), e.old) {
		t.Fatalf("%s doesn't hold %q", e.file, e.old)
	}
	files[e.file] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), e.old, e.new, 1))}
}

const (
	words   = "spec/toy/1-words.md"
	feature = "features/toy/words/words.feature"
	log     = "spec/toy/CHANGELOG.md"
)

// to returns the edits that raise the version and add a section to the change log.
func to(version, section string) []edit {
	return []edit{
		{"spec/toy/VERSION", "1.2.3", version},
		{log, "## 1.2.3", "## " + version + "\n\n" + section + "\n\n## 1.2.3"},
	}
}

// TestGate: each missing condition of a change is reported, and nothing else.
func TestGate(t *testing.T) {
	prose := edit{words, "Or none.", "Or nothing."}
	must := edit{words, "SHOULD send a word", "MUST send a word"}
	scenario := edit{feature, "Then it waits", "Then it waits a little"}
	dated := []edit{{"golden/toy/words/a.txt", "< date: today\n", ""}, {"golden/toy/words/b.txt", "< date: today\n", ""}}
	reworded := edit{words, "A server MUST send every word.", "A server MUST speak every word."}
	gone := edit{words, "#### toy.words.late\n> A server SHOULD send a word within 5 s.\n\n`tier: observe` · `origin: T-02`\n\nOr later.\n\n", ""}
	reader := edit{words, "A reader MUST listen.", "A reader MUST listen and answer."}
	newPath := []edit{
		{words, "> GET /v1/words", "> GET /v2/words"}, {"golden/toy/words/a.txt", "/v1/", "/v2/"}, {"golden/toy/words/b.txt", "/v1/", "/v2/"},
	}
	with := func(e edit, more ...[]edit) []edit { return append([]edit{e}, slices.Concat(more...)...) }
	const served = "- breaking for servers: `toy.words.late`"
	for _, c := range []struct {
		name  string
		edits []edit
		want  []string // a part of each problem
	}{
		{"nothing", nil, nil},
		{"a version for nothing", to("1.2.4", "Nothing."), []string{"VERSION: nothing changed since 1.2.3"}},
		{"prose", with(prose, to("1.2.4", "Words.")), nil},
		{"prose without a version", with(prose), []string{"VERSION: the change since 1.2.3 is editorial, so the version is 1.2.4, not 1.2.3"}},
		{"prose as a minor version", with(prose, to("1.3.0", "Words.")), []string{"so the version is 1.2.4, not 1.3.0"}},
		{"an empty section", with(prose, to("1.2.4", "")), []string{"nothing stands below ## 1.2.4"}},
		{"no section", with(prose, []edit{{"spec/toy/VERSION", "1.2.3", "1.2.4"}}), []string{"CHANGELOG.md: no heading ## 1.2.4"}},
		{"the section below others", with(prose, []edit{{"spec/toy/VERSION", "1.2.3", "1.2.4"}, {log, "First.", "First.\n\n## 1.2.4\n\nWords."}}), []string{"## 1.2.4 isn't the first version"}},
		{"a new MUST", with(must, to("2.0.0", served), []edit{scenario}), nil},
		{"a new MUST as a minor version", with(must, to("1.3.0", served), []edit{scenario}), []string{"breaking for servers, so the version is 2.0.0, not 1.3.0"}},
		{"a new MUST that nothing shows", with(must, to("2.0.0", served)), []string{"toy.words.late is breaking for servers, and no scenario and no golden of it changed"}},
		{"a new MUST that the log keeps quiet", with(must, to("2.0.0", "Words."), []edit{scenario}), []string{"write: - breaking for servers: `toy.words.late`"}},
		{"a new MUST that the log calls harmless", with(must, to("2.0.0", "- additive: `toy.words.late`"), []edit{scenario}), []string{"toy.words.late is breaking for servers, and is listed as additive"}},
		{"a list with a star", with(must, to("2.0.0", "- breaking for servers: `toy.words.*`"), []edit{scenario}), []string{}},
		{"goldens alone", slices.Concat(dated, to("1.2.4", "Words.")), []string{"header `date` of a response removed · 2 lines in 2 files, and none of its requirements changed"}},
		{"goldens that the log names", slices.Concat(dated, to("1.2.4", "The `date` is gone.")), nil},
		{"goldens of a requirement that changed", slices.Concat(dated, []edit{must}, to("2.0.0", served)), nil},
		{"other words", with(reworded, to("2.0.0", "- breaking for servers: `toy.words.all`"), []edit{{feature, "Then it gets", "Then it then gets"}}), nil},
		{"other words that the log calls editorial", with(reworded, to("1.2.4", "- editorial: `toy.words.all`")), nil},
		{"an id that vanished", with(gone, to("1.3.0", "- withdrawn: `toy.words.late`"), []edit{{feature, delayedRule, ""}, {"golden/toy/words/b.txt", "toy.words.late", "toy.words.all"}}), []string{"a transcript is new", "spec/toy/1-words.md: toy.words.late vanished"}},
		{"readers on an old path", with(reader, to("2.0.0", "- breaking for readers: `toy.words.heard`")), []string{"requests still go to /v1; what breaks clients needs a path of its own, /v2"}},
		{"readers on a new path", with(reader, to("2.0.0", "- breaking for readers: `toy.words.heard`\n\nThe `/v2/words` of readers; `request line`."), newPath), []string{"golden"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := kit()
			for _, e := range c.edits {
				e.apply(t, files)
			}
			r, err := diff.Compare(read(t, "old", kit(), "toy"), read(t, "new", files, "toy"))
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Gate(); err != nil {
				t.Fatal(err)
			}
			ok := len(r.Problems) == len(c.want)
			for i := range min(len(r.Problems), len(c.want)) {
				ok = ok && strings.Contains(r.Problems[i], c.want[i])
			}
			if !ok {
				t.Errorf("got %q, want %q", r.Problems, c.want)
			}
		})
	}
}

const delayedRule = "  @toy.words.late @should\n  Rule: Late\n\n    Scenario: B\n      When it asks\n      Then it waits\n"
