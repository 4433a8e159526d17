package lint

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/steps"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/schemas"
)

const (
	echo    = "spec/toy/1-echo.md"
	why     = "spec/toy/rationale.md"
	echoes  = "features/toy/echo/echo.feature"
	calling = "golden/toy/echo/calling.txt"
	word    = "schemas/toy/chunks/word.json"
)

func TestGoodKitIsGreen(t *testing.T) {
	got := good().run(t)
	want := Report{Requirements: 4, Scenarios: 2, Rows: 3, Mutants: 2, Untestable: 1, Sources: 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// red is a kit with one fault, and its expected problem.
type red struct {
	name  string
	fault func(*testing.T, *kit)
	want  []string
}

func edit(file, old, new string) func(*testing.T, *kit) {
	return func(t *testing.T, k *kit) { k.replace(t, file, old, new) }
}

func remove(file string) func(*testing.T, *kit) {
	return func(_ *testing.T, k *kit) { delete(k.files, file) }
}

func (c red) run(t *testing.T) {
	k := good()
	c.fault(t, k)
	if diff := cmp.Diff(c.want, lines(t, k.run(t))); diff != "" {
		t.Error(diff)
	}
}

func runAll(t *testing.T, cases []red) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, c.run)
	}
}

func TestFolders(t *testing.T) {
	runAll(t, []red{
		{"spec problem", edit(echo, "MUST send the", "has to send the"), []string{
			echo + ":6: toy.echo.same: the sentence has 0 RFC 2119 keywords, expected exactly one",
		}},
		{"no version", remove("spec/toy/VERSION"), []string{"spec/toy/VERSION: the file is missing: it holds the version of toy, such as 0.1.0"}},
		{"unknown pack in the spec", func(_ *testing.T, k *kit) { k.in.Packs = nil }, []string{
			"reference/tin/streamcert.yaml:2: packs names toy, which isn't in the list of packs",
			"runner/packs/packs.go: toy isn't in the list of packs, so nothing of it is checked; add its value to All",
		}},
		{"features without a pack", func(_ *testing.T, k *kit) { k.files["features/far/far.feature"] = "Feature: Far\n" }, []string{
			"runner/packs/packs.go: far isn't in the list of packs, so nothing of it is checked; add its value to All",
		}},
		{"pack without folders", func(_ *testing.T, k *kit) { k.in.Packs = append(k.in.Packs, Pack{Name: "far"}) }, []string{
			"features/far: open far: file does not exist",
			"schemas/far: reading schemas of pack far: open far: file does not exist",
			"spec/far: the pack far has no spec",
		}},
		{"link to nothing", edit(echo, "chunks/word.json", "chunks/song.json"), []string{
			echo + ":3: link to schemas/toy/chunks/song.json, which does not exist"}},
		{"link to a folder that is no data", edit(echo, "../../schemas/toy/chunks/word.json", "../../runner/run.go"), []string{
			echo + ":3: link to runner/run.go, expected one into spec, schemas, features or golden"}},
		{"no golden folder", remove(calling), []string{
			"golden: listing goldens: open .: file does not exist",
			echo + ":39: reading golden toy/echo/calling.txt: open toy/echo/calling.txt: file does not exist",
		}},
	})
}

func TestTags(t *testing.T) {
	runAll(t, []red{
		{"unknown id", edit(echoes, "@toy.echo.same", "@toy.echo.sane"), []string{
			echoes + ":7: @toy.echo.sane names no requirement",
			calling + `: the transcript "Calling a" is of toy.echo.same, expected toy.echo.sane`,
			calling + `: the transcript "Calling b" is of toy.echo.same, expected toy.echo.sane`,
			echo + ":5: toy.echo.same has no scenario",
		}},
		{"no id", edit(echoes, "@toy.echo.loud @should-not", "@should-not"), []string{
			echoes + `:19: the rule "It is heard" carries 0 ids of requirements, expected one`,
			echo + ":12: toy.echo.loud has no scenario",
		}},
		{"two ids", edit(echoes, "@toy.echo.loud @should-not", "@toy.echo.same @toy.echo.loud @should-not"), []string{
			echoes + `:19: the rule "It is heard" carries 2 ids of requirements, expected one`,
			echoes + `:19: the rule "It is heard" is tagged @should-not, expected @must as toy.echo.same says MUST`,
			echo + ":12: toy.echo.loud has no scenario",
		}},
		{"id on a scenario", edit(echoes, "    Scenario Outline", "    @toy.echo.same\n    Scenario Outline"), []string{
			echoes + ":10: the tag @toy.echo.same stands on a scenario, expected on a rule"}},
		{"id of a reader's requirement", edit(echoes, "@toy.echo.same @must", "@toy.echo.heard @must"), []string{
			echoes + ":7: @toy.echo.heard is for the role reader, so no scenario can prove it",
			calling + `: the transcript "Calling a" is of toy.echo.same, expected toy.echo.heard`,
			calling + `: the transcript "Calling b" is of toy.echo.same, expected toy.echo.heard`,
			echo + ":5: toy.echo.same has no scenario",
		}},
		{"rule without scenario", edit(echoes, "  @toy.echo.loud", "  @toy.echo.same @must\n  Rule: Silence\n\n  @toy.echo.loud"), []string{
			echoes + `:19: the rule "Silence" has no scenario`}},
		{"wrong level", edit(echoes, "@should-not", "@should"), []string{
			echoes + `:19: the rule "It is heard" is tagged @should, expected @should-not as toy.echo.loud says SHOULD NOT`}},
		{"no level", edit(echoes, "@should-not ", ""), []string{
			echoes + `:19: the rule "It is heard" is without a level tag, expected @should-not as toy.echo.loud says SHOULD NOT`}},
		{"two levels", edit(echoes, "@should-not", "@should-not @may"), []string{
			echoes + `:19: the rule "It is heard" is tagged @should-not and @may, expected @should-not as toy.echo.loud says SHOULD NOT`}},
		{"level on the feature", edit(echoes, "Feature:", "@must\nFeature:"), []string{
			echoes + ":2: a level tag stands on a feature, expected on a rule"}},
		{"unknown tag", edit(echoes, "@should-not", "@should-not @slow"), []string{
			echoes + ":19: @slow is no id, no level and no capability of toy"}},
		{"tag on examples", edit(echoes, "      Examples", "      @loud\n      Examples"), []string{
			echoes + ":14: @loud stands on examples, where nothing reads it"}},
		{"capability missing", edit(echoes, "@should-not @loud", "@should-not"), []string{
			echoes + `:22: the scenario "Listening" is not tagged @loud, which toy.echo.loud needs`}},
		{"no reason", edit(echoes, ":silence-has-no-bytes", ":"), []string{
			echoes + ":22: @no-transcript: gives no reason, expected @no-transcript:a-few-words",
			echoes + `:22: the scenario "Listening" has no golden/toy/echo/listening.txt`,
		}},
	})
}

func TestScenarios(t *testing.T) {
	runAll(t, []red{
		{"syntax", edit(echoes, "      Then a sound", "      Than a sound"), []string{
			echoes + ":11: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty, got ' Than a sound frame comes back'"}},
		{"not a feature", func(_ *testing.T, k *kit) { k.files[echoes] = "# nothing\n" }, []string{echoes + ":1: expected a Feature, found none"}},
		{"outside of a rule", edit(echoes, "  @toy.echo.same", "  Scenario: Alone\n    When somebody calls a word chunk of \"a\"\n"+
			"    Then a sound frame comes back\n\n  @toy.echo.same"), []string{
			echoes + `:6: the scenario "Alone" has no golden/toy/echo/alone.txt`,
			echoes + `:6: the scenario "Alone" stands outside of a rule`,
		}},
		{"no Then", edit(echoes, "      Then it says:\n        \"\"\"\n        hey\n        \"\"\"\n", ""), []string{
			echoes + `:22: the scenario "Listening" has no Then`,
			"steps: no step uses the definition ^it says:$",
		}},
		{"no fact", edit(echoes, "Then it says:\n        \"\"\"\n        hey\n        \"\"\"\n", "Then "+unspecific+"\n"), []string{
			echoes + `:22: the scenario "Listening" says no fact: expected a Then beside "` + unspecific + `"`,
			echoes + `:24: no definition matches Then "` + unspecific + `"`,
			"steps: no step uses the definition ^it says:$",
		}},
		{"no When", edit(echoes, "      When somebody calls a word chunk of \"hey\"\n", ""), []string{echoes + `:22: the scenario "Listening" has no When`}},
		{"Then before When", edit(echoes, "      When somebody calls a word chunk of \"hey\"\n", "      Then a sound frame comes back\n      When somebody calls a word chunk of \"hey\"\n"), []string{
			echoes + ":24: a When after a Then"}},
		{"misspelt first step", edit(echoes, "    Given a valley\n", "    Giben a peak\n    Given a valley\n"), []string{
			echoes + `:3: "Giben a peak" is no step; a background has no description, use a # comment`}},
		{"misspelt first step of a scenario", edit(echoes, "    Scenario: Listening\n", "    Scenario: Listening\n      Wen\n"), []string{
			echoes + `:22: "Wen" is no step; a scenario has no description, use a # comment`}},
		{"two Whens", edit(echoes, "of \"hey\"\n", "of \"hey\"\n      And somebody calls a word chunk of \"ho\"\n"), []string{
			echoes + ":24: a second When: a scenario is about one event"}},
		{"When in a background", edit(echoes, "    Given a valley\n", "    Given a valley\n    When somebody calls a word chunk of \"hey\"\n"), []string{
			echoes + ":5: a When in a background, which holds Givens only"}},
		{"title twice", edit(echoes, "| b    |", "| a    |"), []string{
			echoes + `:9: the title "Calling a" is taken by features/toy/echo/echo.feature:9`,
			calling + `: the transcript "Calling b" belongs to no row of features/toy/echo/echo.feature:9`,
		}},
		{"transcript twice", edit(echoes, "    @no-transcript:silence-has-no-bytes\n    Scenario: Listening", "    Scenario: Calling"), []string{
			echoes + ":21: the transcript golden/toy/echo/calling.txt belongs to features/toy/echo/echo.feature:9 too",
		}},
		{"no examples", edit(echoes, "        | a    |\n        | b    |\n", ""), []string{
			echoes + `:9: the scenario "Calling <word>" never runs: it has no example`,
			calling + ": no scenario writes this golden",
			`schemas/toy/frames/sound.json: no step speaks of the frame type sound, expected "sound" in one`,
			"steps: no step uses the definition ^a sound frame comes back$",
		}},
	})
}

func TestSteps(t *testing.T) {
	runAll(t, []red{
		{"no definition", edit(echoes, "Then it says:", "Then it sings:"), []string{
			echoes + `:24: no definition matches Then "it sings:"`,
			"steps: no step uses the definition ^it says:$",
		}},
		{"definition of another keyword", func(_ *testing.T, k *kit) { k.in.Packs[0].Definitions[0].Keyword = features.When }, []string{
			echoes + `:4: no definition matches Given "a valley"`,
			"steps: no step uses the definition ^a valley$",
		}},
		{"ambiguous", func(_ *testing.T, k *kit) {
			k.in.Packs[0].Definitions = append(k.in.Packs[0].Definitions, define(features.Given, `^a (?:valley|hill)$`, 0))
		}, []string{echoes + `:4: Given "a valley" matches both ^a valley$ and ^a (?:valley|hill)$`}},
		{"of another pack", func(_ *testing.T, k *kit) {
			all := k.in.Packs[0].Definitions
			k.in.Packs[0].Definitions = all[1:]
			k.in.Packs = append(k.in.Packs, Pack{Name: "far", Definitions: all[:1]})
		}, []string{
			"features/far: open far: file does not exist",
			echoes + `:4: no definition matches Given "a valley"`,
			"schemas/far: reading schemas of pack far: open far: file does not exist",
			"spec/far: the pack far has no spec",
		}},
		{"unused", func(_ *testing.T, k *kit) {
			k.in.Packs[0].Definitions = append(k.in.Packs[0].Definitions, define(features.Given, `^a hill$`, 0))
		}, []string{"steps: no step uses the definition ^a hill$"}},
		{"used as a Given only", func(_ *testing.T, k *kit) {
			k.in.Packs[0].Definitions = append(k.in.Packs[0].Definitions, define(features.When, `^a valley$`, 0))
		}, nil},
		{"not anchored", func(_ *testing.T, k *kit) { k.in.Packs[0].Definitions[0] = define(features.Given, `^a valley`, 0) }, []string{
			"steps: the definition ^a valley is not anchored with ^ and $"}},
		{"too few parameters", func(_ *testing.T, k *kit) { k.in.Packs[0].Definitions[1].Arity = 0 }, []string{
			`steps: the definition ^somebody calls a word chunk of "([^"]+)"$ takes 0 parameters, expected 1: one for each capture and one for a block`}},
		{"no parameter for the block", func(_ *testing.T, k *kit) { k.in.Packs[0].Definitions[3].Arity = 0 }, []string{
			"steps: the definition ^it says:$ takes 0 parameters, expected 1: one for each capture and one for a block"}},
	})
}

func TestSchemas(t *testing.T) {
	runAll(t, []red{
		{"unreadable", edit(word, "{", "["), []string{
			"schemas/toy: reading schemas of pack toy: toy/chunks/word.json: ':' at byte 8 of the JSON, where a comma or ] is expected"}},
		{"problem", edit(word, `"title": "T"`, `"title": ""`), []string{word + ": title is missing"}},
		{"problem with a place", edit(word, `"const": "word"`, `"const": "word", "format": "int53"`), []string{
			word + `:5: /properties/type/format: "int53" is not a format that the kit knows`}},
		{"no valid example", edit(word, `[{"type": "word"}]`, `[]`), []string{word + ": examples: there is no valid example"}},
		{"no invalid example", edit(word, `[{"name": "no type", "value": {}, "requirement": "toy.echo.same"}]`, `[]`), []string{
			word + ": x-invalid: there is no invalid example"}},
		{"of the kit", edit("schemas/lint.json", `"title": "T"`, `"title": ""`), []string{"schemas/lint.json: title is missing"}},
		{"unknown id", func(t *testing.T, k *kit) {
			k.replace(t, word, "requirement toy.echo.same", "requirement toy.echo.lost")
			k.replace(t, word, `"requirement": "toy.echo.same"`, `"requirement": "toy.echo.lost"`)
		}, []string{"schemas/toy: a schema names toy.echo.lost, which is no requirement"}},
		{"unknown id of the judge", func(_ *testing.T, k *kit) { k.in.Packs[0].Judged = []string{"toy.echo.lost"} }, []string{
			"runner/judge/toy: the judge names toy.echo.lost, which is no requirement",
			"runner/judge/toy: toy.echo.lost: no line of runner/judge/toy/ names it; name it at the check",
		}},
		{"type without scenario", func(_ *testing.T, k *kit) { k.files["schemas/toy/chunks/song.json"] = schema("chunks/song") }, []string{
			"reference/tin: no source names the chunk type song of toy: check its members, or refuse it by name",
			`schemas/toy/chunks/song.json: no step speaks of the chunk type song, expected "song chunk" in one`}},
		{"frame without scenario", func(_ *testing.T, k *kit) { k.files["schemas/toy/frames/smell.json"] = schema("frames/smell") }, []string{
			`schemas/toy/frames/smell.json: no step speaks of the frame type smell, expected "smell" in one`}},
	})
}

func TestProofs(t *testing.T) {
	set := func(i int, m Mutant) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) { k.in.Mutants[i] = m }
	}
	runAll(t, []red{
		{"requirement without scenario and mutant", edit(echo, "#### toy.echo.heard",
			"#### toy.echo.soon\n> A server SHOULD come soon.\n\n`tier: observe` · `origin: T-01`\n\nHurry.\n\n#### toy.echo.heard"), []string{
			echo + ":26: toy.echo.soon has no scenario",
			echo + ":26: toy.echo.soon is a SHOULD and has no mutant",
		}},
		{"requirement without mutant", func(_ *testing.T, k *kit) { k.in.Mutants = k.in.Mutants[:1] }, []string{
			echo + ":12: toy.echo.loud is a SHOULD NOT and has no mutant"}},
		{"mutant of nothing", set(1, Mutant{"toy", "mute", "toy.echo.lost", nil}), []string{
			`reference/mutant: mute breaks "toy.echo.lost", which is no requirement`,
			echo + ":12: toy.echo.loud is a SHOULD NOT and has no mutant",
		}},
		{"mutant that breaks nothing too", set(1, Mutant{"toy", "mute", "toy.echo.loud", []string{"toy.echo.lost"}}), []string{
			`reference/mutant: mute breaks "toy.echo.lost", which is no requirement`}},
		{"mutant of the untestable", set(1, Mutant{"toy", "mute", "toy.echo.loud", []string{"toy.echo.far"}}), []string{
			"reference/mutant: mute breaks toy.echo.far, which says that it is untestable"}},
		{"mutant that names one twice", set(1, Mutant{"toy", "mute", "toy.echo.loud", []string{"toy.echo.loud"}}), []string{
			"reference/mutant: mute names toy.echo.loud twice"}},
		{"name twice", set(1, Mutant{"toy", "deaf", "toy.echo.loud", nil}), []string{
			`reference/mutant: the name "deaf" is empty or belongs to two mutants`}},
		{"blunt mutant", set(1, Mutant{"toy", "mute", "toy.echo.loud", slices.Repeat([]string{"toy.echo.same"}, 4)}), []string{
			"reference/mutant: mute breaks 4 requirements beside its own, expected at most 3: sharpen it"}},
	})
}

func TestGoldens(t *testing.T) {
	runAll(t, []red{
		{"missing", func(_ *testing.T, k *kit) {
			delete(k.files, calling)
			k.files["golden/toy/echo/other.txt"] = "# toy.echo.same · Other\n"
		}, []string{
			echoes + `:9: the scenario "Calling <word>" has no golden/toy/echo/calling.txt`,
			"golden/toy/echo/other.txt: no scenario writes this golden",
			echo + ":39: reading golden toy/echo/calling.txt: open toy/echo/calling.txt: file does not exist",
		}},
		{"orphan", func(_ *testing.T, k *kit) { k.files["golden/toy/echo/old.txt"] = "# toy.echo.same · Old\n" }, []string{
			"golden/toy/echo/old.txt: no scenario writes this golden"}},
		{"not in the format", edit(calling, "\n\n#", "\n\n\n#"), []string{
			calling + `:3: expected "# name · title", found ""`,
			echo + `:39: golden/toy/echo/calling.txt:3: expected "# name · title", found ""`,
		}},
		{"row missing", edit(calling, "\n# toy.echo.same · Calling b\n", ""), []string{
			calling + `: the row "Calling b" of features/toy/echo/echo.feature:9 has no transcript`}},
		{"row of nothing", edit(calling, "Calling b", "Calling c"), []string{
			calling + `: the row "Calling b" of features/toy/echo/echo.feature:9 has no transcript`,
			calling + `: the transcript "Calling c" belongs to no row of features/toy/echo/echo.feature:9`,
		}},
		{"row of another requirement", edit(calling, "toy.echo.same · Calling b", "toy.echo.loud · Calling b"), []string{
			calling + `: the transcript "Calling b" is of toy.echo.loud, expected toy.echo.same`}},
	})
}

// TestEmptyTree: an empty folder has a few problems, and doesn't crash lint.
func TestEmptyTree(t *testing.T) {
	k := good()
	k.files = map[string]string{}
	if r := k.run(t); len(r.Problems) == 0 || r.Requirements != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestWriteConsole(t *testing.T) {
	r := Report{Requirements: 1, Scenarios: 2, Rows: 3, Mutants: 0, Untestable: 1, Problems: []Problem{
		{File: "a.md", Line: 3, Message: "is short"}, {File: "b", Message: "is missing"}}}
	var b bytes.Buffer
	if err := r.WriteConsole(&b); err != nil {
		t.Fatal(err)
	}
	want := "a.md:3: is short\nb: is missing\n1 requirement, 2 scenarios (3 rows), 0 mutants, 1 untestable, sources not read, 2 problems\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestWriteJSON checks the output against its schema.
func TestWriteJSON(t *testing.T) {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Report{{}, {Requirements: 1, Problems: []Problem{{File: "a", Line: 1, Message: "<b>"}}}} {
		var b bytes.Buffer
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		if got := kit.Document("lint", schemas.Strict, b.Bytes()); !got.Known || !got.OK() {
			t.Errorf("%s\n%+v", b.String(), got.Findings)
		}
	}
}

func TestFixtures(t *testing.T) {
	runAll(t, []red{
		{"a Then without a fixture", func(_ *testing.T, k *kit) { k.in.Packs[0].Fixtures = k.in.Packs[0].Fixtures[:1] },
			[]string{"steps: no fixture has seen the Then ^it says:$ fail"}},
		{"a fixture of nothing", func(_ *testing.T, k *kit) {
			k.in.Packs[0].Fixtures = append(k.in.Packs[0].Fixtures, steps.Fixture{Then: "it sings", Other: []string{"a choir"}})
		}, []string{`steps: the fixture "it sings" is of no Then`}},
		{"a fixture that differs in nothing", func(_ *testing.T, k *kit) { k.in.Packs[0].Fixtures[1].Other = nil },
			[]string{`steps: the servers of the fixture "it says:" must differ in a mutant or in a step, one of the two`}},
		{"a fixture with an unknown mutant", func(_ *testing.T, k *kit) { k.in.Packs[0].Fixtures[0].Mutant = "blind" },
			[]string{`steps: the fixture "blind: a sound frame comes back" needs the mutant blind, which is not in the catalogue`}},
	})
}

func TestVariants(t *testing.T) {
	add := func(v Variant) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) { k.in.Variants = append(k.in.Variants, v) }
	}
	runAll(t, []red{
		{"a name twice", add(Variant{"toy", "tidy", "T", nil}), []string{
			`reference/variant: the name "tidy" is empty or belongs to two variants`}},
		{"no name", add(Variant{"toy", "", "T", nil}), []string{
			`reference/variant: the name "" is empty or belongs to two variants`}},
		{"allowed by nothing", add(Variant{"toy", "free", "toy.echo.free", nil}), []string{
			`reference/variant: free is allowed by "toy.echo.free", which is neither a requirement nor a row of a rationale`}},
		{"warns of a MUST", add(Variant{"toy", "proud", "T", []string{"toy.echo.same"}}), []string{
			`reference/variant: proud warns of "toy.echo.same", which is no SHOULD that can be tested`}},
		{"warns of a MUST that a config makes a SHOULD", func(t *testing.T, k *kit) {
			k.replace(t, echo, "send the word.", "send the word, except that another one is a warning where the configuration declares `echoes`.")
			k.in.Variants = append(k.in.Variants, Variant{"toy", "proud", "T", []string{"toy.echo.same"}})
		}, nil},
		{"warns of nothing", add(Variant{"toy", "odd", "T", []string{"toy.echo.odd"}}), []string{
			`reference/variant: odd warns of "toy.echo.odd", which is no SHOULD that can be tested`}},
		{"a MAY that nobody uses", edit(echo, " · `untestable: nobody waits`", ""), []string{
			echo + ":19: toy.echo.far has no scenario",
			echo + ":19: toy.echo.far is a MAY and no variant uses it"}},
		{"a freedom that is none", edit(echo, " · `origin", " · `freedom: T, toy.echo.same` · `origin"), []string{
			echo + `:5: toy.echo.same names the freedom "toy.echo.same", which is no SHOULD, no MAY and no row of a rationale`}},
		{"an alternative that nobody uses", edit(why, "| T | 1 |\n", "| T | 1 |\n\n# Accepted alternatives\n\n| on | any of | used by |\n|---|---|---|\n| pitch | high; low | |\n"), []string{
			why + `:11: no variant is named that uses what is accepted on "pitch"`}},
		{"an alternative of a variant that isn't", edit(why, "| T | 1 |\n", "| T | 1 |\n\n# Accepted alternatives\n\n| on | any of | used by |\n|---|---|---|\n| pitch | high; low | `tidy`, `shrill` |\n"), []string{
			why + `:11: "pitch" names "shrill", which is no variant`}},
	})
}

func TestIdleServers(t *testing.T) {
	add := func(servers ...IdleServer) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) { k.in.Idle = append(k.in.Idle, servers...) }
	}
	runAll(t, []red{
		{"a name twice", add(IdleServer{"toy", "mute", []string{"toy.echo.*"}}, IdleServer{"toy", "mute", []string{"toy.echo.same"}}), []string{
			`reference/idle: the name "mute" is empty or belongs to two idle servers`}},
		{"shows everything", add(IdleServer{"toy", "loud", nil}), []string{
			`reference/idle: loud names no subject that it never shows`}},
		{"a subject that isn't", add(IdleServer{"toy", "mute", []string{"toy.song.*"}}), []string{
			`reference/idle: mute never shows "toy.song.*", which no testable requirement of pack toy is called`}},
		{"a subject that can't be tested", add(IdleServer{"toy", "mute", []string{"toy.echo.far"}}), []string{
			`reference/idle: mute never shows "toy.echo.far", which no testable requirement of pack toy is called`}},
	})
}
