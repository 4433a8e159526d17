package lint

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

const (
	// parties are the roles of the toy pack.
	parties = "| server | echoes |\n| reader | listens |\n"
	// shownCall shows the golden of the toy pack, which has a name and nothing else.
	shownCall = "<!-- wire: golden/toy/echo/calling.txt § Calling a -->\n```http\n```\n<!-- /wire -->\n"
)

// kit is a small kit without a problem; each test breaks one part.
type kit struct {
	files map[string]string // by path from the root
	in    Input
}

func good() *kit {
	k := &kit{files: map[string]string{
		"spec/toy/VERSION":      "1.2.3\n",
		"spec/toy/CHANGELOG.md": "# Changes\n\n## 1.2.3\n",
		"spec/README.md":        "[toy](toy/README.md)\n",
		"spec/toy/README.md": "[echo](1-echo.md) [why](rationale.md)\n\n# Capabilities\n\n| name | meaning |\n|---|---|\n| loud | shouts |\n\n" +
			"# Roles\n\n| role | what it is |\n|---|---|\n" + parties + "\n" +
			"# Classes\n\n| class | includes | chapters | capabilities |\n|---|---|---|---|\n| Core | | echo | |\n",
		"spec/toy/rationale.md": "# Inventory\n\n| group | rules |\n|---|---|\n| T | 1 |\n",
		"spec/toy/1-echo.md": "# Echo\n\nAs in the [schema](../../schemas/toy/chunks/word.json).\n\n" +
			"#### toy.echo.same\n> A server MUST send the word.\n\n`tier: observe` · `origin: T-01`\n\nOr it is none.\n\n" +
			"#### toy.echo.loud\n> A server SHOULD NOT be silent.\n\n`capability: loud` · `tier: observe` · `origin: T-01`\n\nListen.\n\n" +
			"#### toy.echo.far\n> A server MAY come late.\n\n`tier: observe` · `origin: T-01` · `untestable: nobody waits`\n\nMountains.\n\n" +
			"#### toy.echo.heard\n> A reader MUST listen.\n\n`role: reader` · `origin: T-01`\n\nOr else.\n\n```\ndata: {\"type\": \"sound\", \"word\": {\"type\": \"word\"}}\n```\n\n" +
			"## On the wire\n\n" + shownCall,
		"schemas/toy/pack.json": `{"discriminator": "type", "nested": {"frame": "sound", "member": "word"},
			"unknown": {"frame": "frames/sound.json", "chunk": "chunks/word.json"}, "requirements": {"frame": {}, "chunk": {}}}`,
		"schemas/toy/chunks/word.json":   schema("chunks/word"),
		"schemas/toy/frames/sound.json":  schema("frames/sound"),
		"schemas/toy/control/shout.json": strings.ReplaceAll(schema("control/shout"), `{"type": "shout"}`, `{"type": "shout", "volume": 11}`),
		"schemas/lint.json": `{"$id": "https://streamcert.github.io/streamcert/schemas/lint.json", "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "description": "D",
			"type": "object", "examples": [{}], "x-invalid": [{"name": "a number", "value": 1}]}`,
		"features/toy/echo/echo.feature": feature,
		"reference/toy/echo.go":          "// Package toy keeps toy.echo.same.\npackage toy\n\nfunc echo() {\n\t// toy.echo.same: it is the word.\n\tsay()\n}\n",
		"runner/judge/toy/echo.go":       "package toy\n\nconst same = \"toy.echo.same\"\n\nfunc check() { add(same) }\n",
		"reference/tin/streamcert.yaml":  "target: {url: http://x}\npacks: [toy]\nwithout:\n  - loud # too thin\n",
		"reference/tin/README.md":        "[the echo](echo.mjs), by [the rules](../../spec/toy/README.md)\n",
		"reference/tin/echo.mjs":         "const known = { word: {} };\nroutes['/shouts'] = ({ type, volume }) => volume;\n",
		"golden/toy/echo/calling.txt":    "# toy.echo.same · Calling a\n\n# toy.echo.same · Calling b\n",
	}}
	k.in = Input{
		Packs: []Pack{{
			Name: "toy", Served: true, Judged: []string{"toy.echo.same"},
			Definitions: []steps.Definition{
				define(features.Given, `^a valley$`, 0),
				define(features.When, `^somebody calls a word chunk of "([^"]+)"$`, 1),
				define(features.Then, `^a sound frame comes back$`, 0),
				define(features.Then, `^it says:$`, 1),
			},
			Fixtures: []steps.Fixture{{Then: "a sound frame comes back", Mutant: "deaf"}, {Then: "it says:", Other: []string{"a desert"}}},
		}},
		Mutants:  []Mutant{{"toy", "deaf", "toy.echo.same", []string{"toy.echo.loud"}}, {"toy", "mute", "toy.echo.loud", nil}},
		Variants: []Variant{{"toy", "hoarse", "toy.echo.loud", []string{"toy.echo.loud"}}, {"toy", "tidy", "T", nil}},
	}
	return k
}

const feature = `Feature: Echoes

  Background:
    Given a valley

  @toy.echo.same @must
  Rule: The same comes back

    Scenario Outline: Calling <word>
      When somebody calls a word chunk of "<word>"
      Then a sound frame comes back

      Examples:
        | word |
        | a    |
        | b    |

  @toy.echo.loud @should-not @loud
  Rule: It is heard

    @no-transcript:silence-has-no-bytes
    Scenario: Listening
      When somebody calls a word chunk of "hey"
      Then it says:
        """
        hey
        """
`

// schema returns the schema of a document of the toy pack, whose type is the last part of its name.
func schema(name string) string {
	kind := path.Base(name)
	return `{
	"$id": "https://streamcert.github.io/streamcert/schemas/toy/` + name + `.json",
	"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "description": "D",
	"$comment": "requirement toy.echo.same", "type": "object", "required": ["type"],
	"properties": {"type": {"const": "` + kind + `", "description": "The type."}},
	"examples": [{"type": "` + kind + `"}],
	"x-invalid": [{"name": "no type", "value": {}, "requirement": "toy.echo.same"}]
}`
}

func define(k features.Keyword, pattern string, arity int) steps.Definition {
	return steps.Definition{Keyword: k, Pattern: regexp.MustCompile(pattern), Arity: arity}
}

// replace makes one change to a file of the kit.
func (k *kit) replace(t *testing.T, file, old, new string) {
	t.Helper()
	text, ok := k.files[file]
	if !ok || !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q", file, old)
	}
	k.files[file] = strings.Replace(text, old, new, 1)
}

// run writes the kit down and checks it.
func (k *kit) run(t *testing.T) Report {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range k.files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, folder := range map[string]*fs.FS{
		"spec": &k.in.Spec, "schemas": &k.in.Schemas, "features": &k.in.Features, "golden": &k.in.Golden,
		"reference": &k.in.Sources.Reference, "runner/judge": &k.in.Sources.Judge,
	} {
		sub, err := fs.Sub(root, name)
		if err != nil {
			t.Fatal(err)
		}
		*folder = sub
	}
	return Run(k.in)
}

// lines returns the problems as lines, and must each name a check.
func lines(t *testing.T, r Report) []string {
	t.Helper()
	var out []string
	for _, p := range r.Problems {
		if p.Check == "" {
			t.Errorf("no check is named by %s", p)
		}
		out = append(out, p.String())
	}
	return out
}
