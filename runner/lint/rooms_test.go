package lint

import (
	"strings"
	"testing"
)

// drop removes every file below a folder.
func drop(folder string) func(*testing.T, *kit) {
	return func(_ *testing.T, k *kit) {
		for name := range k.files {
			if strings.HasPrefix(name, folder+"/") {
				delete(k.files, name)
			}
		}
	}
}

// TestHalfBuilt: a missing part of a pack is one problem, with the right position.
func TestHalfBuilt(t *testing.T) {
	unserved := func(_ *testing.T, k *kit) {
		k.in.Packs[0].Served, k.in.Mutants, k.in.Variants, k.in.Packs[0].Fixtures[0].Mutant = false, nil, nil, "deaf"
	}
	runAll(t, []red{
		{"no servers", unserved, []string{
			"runner/cmd/command/servers.go: toy isn't in the list of servers, so nothing shows that its rules can be kept and broken; add its line to Servers",
		}},
		{"no reference", drop("reference/toy"), []string{
			"reference/toy: toy has no reference server; write one, and name each rule at the line that keeps it",
		}},
		{"no mutant", func(_ *testing.T, k *kit) { k.in.Mutants = nil }, []string{
			"reference/mutant/toy: toy has no mutant: expected one for each MUST and SHOULD",
		}},
		{"no message", func(t *testing.T, k *kit) {
			drop("schemas/toy")(t, k)
			k.files["schemas/toy/common.json"] = schema("common")
			k.files["schemas/toy/pack.json"] = `{"discriminator": "type", "unknown": {"frame": "common.json"}}`
		}, []string{
			"schemas/toy: toy has no schema of a message; write one for each type, in a folder beside pack.json",
			"spec/toy/1-echo.md:3: link to schemas/toy/chunks/word.json, which does not exist",
		}},
		{"no golden", func(_ *testing.T, k *kit) {
			delete(k.files, calling)
			k.files["golden/FORMAT.md"] = "words"
		}, []string{
			"golden/toy: toy has no golden; when its reference passes, write them with `streamcert-lab golden --dir .`",
		}},
		{"no judge that lists anything", func(_ *testing.T, k *kit) { k.in.Packs[0].Judged = nil }, []string{
			"runner/judge/toy: the judge of toy names no requirement; list them in Judged of its value",
		}},
	})
}
