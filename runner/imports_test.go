package runner_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const (
	module = "github.com/streamcert/streamcert"
	root   = ".." // of the module, from this package
)

// source is one Go file of the module.
type source struct {
	name    string // slash-separated, from the root of the module
	text    []byte
	set     *token.FileSet
	file    *ast.File
	imports []string // as written; packages of the module by their folder, as "./schemas"
}

func (s source) dir() string  { return path.Dir(s.name) }
func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// readSources parses every Go file below a folder.
func readSources(fsys fs.FS) ([]source, error) {
	var out []source
	set := token.NewFileSet()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		s := source{name: name, set: set}
		if s.text, err = fs.ReadFile(fsys, name); err != nil {
			return err
		}
		if s.file, err = parser.ParseFile(s.set, name, s.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		for _, i := range s.file.Imports {
			of := strings.Trim(i.Path.Value, "`\"")
			if rest, own := strings.CutPrefix(of, module); own {
				of = "." + rest
			}
			s.imports = append(s.imports, of)
		}
		out = append(out, s)
		return nil
	})
	return out, err
}

// importRules lists, by the folder of a package, the packages that it may import in addition to the standard library; a
// folder that isn't listed follows the nearest one above it. A name that ends in /... includes everything below it, and
// <pack> is the last part of a folder that isn't listed itself, or the part before it: each pack has one.
func importRules() map[string][]string {
	godog := []string{"github.com/cucumber/godog/...", "github.com/cucumber/messages/go/v34"}
	sentences := []string{"./steps", "./features", "./runner/record", "./runner/target", "./runner/wire", "./golden", "./schemas/..."}
	campaigns := []string{"./runner/campaign", "./runner/shrink", "./runner/model", "./runner/model/<pack>/...", "./runner/record", "./runner/target/...", "./runner/wire", "./runner/frame"}
	kit := []string{
		"./spec", "./schemas", "./features", "./golden", "./runner/judge", "./runner/record", "./runner/wire", "./runner/target", "./runner/report", "./runner/redact", "./runner/pack", "./runner/campaign",
	}
	altered := []string{"./reference", "./reference/<pack>/...", "./reference/runtime", "./reference/store", "./reference/alter", "./reference/alter/<pack>"}
	return map[string][]string{
		"spec":             {"github.com/yuin/goldmark/..."},
		"schemas":          {"./schemas/jsontext", "github.com/santhosh-tekuri/jsonschema/v5/..."},
		"schemas/jsontext": {},
		"features":         {"github.com/cucumber/gherkin/go/v42", "github.com/cucumber/messages/go/v34"},
		"golden":           {"./schemas/jsontext", "github.com/google/go-cmp/..."},
		"steps":            slices.Concat(godog, []string{"./features", "./runner/campaign", "./runner/record", "./runner/target", "./schemas/..."}),

		// The player of the packs' sentences in tests serves their worlds on a socket.
		"steps/<pack>": slices.Concat(sentences, []string{"./steps/<pack>/...", "./runner/campaign", "./runner/campaign/<pack>/...", "./runner/model/<pack>/...", "./runner/target/<pack>",
			"./runner/target/interop", "./runner/client", "./runner/patch", "./runner/frame"}),
		"steps/stepstest": {"./steps", "./features", "./runner/target"},

		"runner/wire":              {},
		"runner/httpserver":        {},
		"runner/httpclient":        {},
		"runner/provider":          {"./runner/httpserver", "./schemas", "github.com/santhosh-tekuri/jsonschema/v5"},
		"runner/crosscheck":        {"./runner/record", "./runner/target"},
		"runner/redact":            {},
		"runner/npmtest":           {"./runner/files"},
		"runner/similar":           {"github.com/agnivade/levenshtein"},
		"runner/files":             {},
		"runner/files/yaml":        {"github.com/goccy/go-yaml/..."},
		"runner/record":            {"./runner/wire"},
		"runner/judge":             {"./runner/wire", "./runner/record", "./schemas/...", "./spec", "./runner/judge/...", "./runner/frame", "./runner/fold", "./runner/patch"},
		"runner/frame":             {"./runner/judge", "./schemas/jsontext"},
		"runner/fold":              {"./runner/frame", "./runner/judge", "./runner/patch"},
		"runner/target":            {"./runner/httpclient", "./runner/wire", "./runner/provider", "./runner/record", "./runner/redact", "./golden", "./schemas", "./runner/target/config", "./runner/target/connection", "./runner/files", "golang.org/x/time/rate"},
		"runner/target/config":     {"./runner/files/...", "github.com/goccy/go-yaml/ast", "./runner/similar", "golang.org/x/net/..."},
		"runner/target/<pack>":     {"./runner/target", "./runner/provider", "./runner/record"},
		"runner/target/connection": {"./runner/httpclient"},
		"runner/target/transcript": {"./runner/target", "./runner/provider", "./runner/record", "./runner/wire", "./golden"},
		// The only place that knows the off-the-shelf client, and the package that its interface is made of.
		"runner/target/interop":        {"./runner/target", "github.com/r3labs/sse/v2", "gopkg.in/cenkalti/backoff.v1"},
		"runner/report":                {"./runner/record", "./runner/redact", "./runner/wire", "./runner/files", "./spec", "./schemas", "./golden", "github.com/fatih/color"},
		"runner/report/progress":       {"github.com/schollz/progressbar/v3"},
		"runner/report/script":         {"./runner/record", "./runner/redact", "./runner/report"},
		"runner/launch":                {"./runner/redact", "./runner/target", "golang.org/x/sys/windows"},
		"runner/baseline":              {"./runner/files/...", "./runner/record", "./runner/report", "./spec", "github.com/goccy/go-yaml/ast"},
		"runner/compare":               {"./runner/files", "./runner/report"},
		"runner/trace":                 {},
		"runner/campaign":              {"./runner/model", "./runner/record", "./runner/target"},
		"runner/campaign/campaigntest": {"./runner/campaign", "./runner/judge", "./runner/record", "./runner/target", "./schemas", "./reference/restart"},
		"runner/model":                 {},
		"runner/model/modeltest":       {"github.com/google/go-cmp/..."},
		"runner/model/<pack>":          {"./runner/model", "./runner/model/<pack>/...", "./schemas", "./runner/frame", "./runner/patch", "github.com/anishathalye/porcupine", "github.com/santhosh-tekuri/jsonschema/v5"},
		"runner/campaign/<pack>":       campaigns,
		// What draws a program and what plays it meet in the program.
		"runner/campaign/<pack>/program": {"./runner/campaign"},
		"runner/campaign/<pack>/data":    slices.Concat(campaigns, []string{"./runner/campaign/<pack>/program"}),
		"runner/campaign/<pack>/draw":    slices.Concat(campaigns, []string{"./runner/campaign/<pack>/program", "./runner/campaign/<pack>/data"}),
		"runner/campaign/<pack>/play":    slices.Concat(campaigns, []string{"./runner/campaign/<pack>/program", "./runner/campaign/<pack>/data", "./runner/campaign/<pack>/play/..."}),
		"runner/patch":                   {},
		"runner/view": {"./runner/wire", "./runner/report", "./runner/patch", "./runner/judge", "./runner/frame", "./runner/fold", "github.com/rivo/uniseg",
			"github.com/fatih/color"},
		"runner/pack": {"./runner/crosscheck", "./runner/trace", "./spec", "./schemas", "./features", "./golden", "./steps", "./runner/judge", "./runner/record", "./runner/target", "./runner/wire"},
		// The packages below may also import the judge of their pack.
		"runner/pack/<pack>": {"./features", "./golden", "./runner/model/<pack>/...", "./runner/crosscheck", "./runner/pack", "./runner/frame", "./runner/judge", "./runner/judge/<pack>",
			"./runner/record", "./runner/target/...", "./runner/wire", "./steps/<pack>"},
		"runner/packs": {"./runner/pack/...", "./runner/target"},

		"runner/certify":          slices.Concat(kit, godog, []string{"./steps", "./runner/crosscheck", "./runner/report/script", "./runner/similar", "./runner/target/transcript"}),
		"runner/judges":           {"./runner/judge/..."},
		"runner/recording":        {"./runner/judge", "./runner/record", "./runner/wire", "./schemas", "./spec"},
		"runner/check":            slices.Concat(kit, []string{"./runner/recording"}),
		"runner/observe":          slices.Concat(kit, []string{"./runner/client"}),
		"runner/client":           {"./runner/httpclient", "./runner/wire", "./runner/redact", "./runner/report", "./runner/shrink"},
		"runner/shrink":           {},
		"runner/probe":            kit,
		"runner/explain":          slices.Concat(kit, []string{"./runner/trace", "./runner/prove/listed", "./runner/similar"}),
		"runner/prove":            slices.Concat(kit, []string{"./runner/certify", "./runner/prove/generated", "./runner/prove/killreport", "./runner/similar"}),
		"runner/prove/generated":  slices.Concat(kit, []string{"./runner/prove/killreport"}),
		"runner/prove/killreport": kit,
		"runner/prove/listed":     nil,
		"runner/site":             slices.Concat(kit, []string{"./runner/describe", "./runner/explain", "./runner/prove/listed", "./runner/trace", "./runner/vocabulary", "./runner/site/...", "./runner/files", "github.com/yuin/goldmark/..."}),
		"runner/site/diagram":     {},
		"runner/site/program":     {},
		"runner/site/playground":  {"./runner/judges", "./runner/recording", "./runner/judge", "./runner/wire", "./schemas", "./spec"},
		"runner/release":          {"./runner/files/...", "golang.org/x/mod/semver"},
		"runner/describe":         {"./spec", "./schemas"},
		"runner/diff":             slices.Concat(kit, []string{"./runner/release", "./schemas/...", "golang.org/x/mod/semver"}),
		"runner/excerpt":          {"./golden"},
		"runner/vocabulary":       {"./features", "./steps"},
		"runner/lint": {"./runner/files/yaml", "./runner/report", "github.com/goccy/go-yaml/ast", "./runner/excerpt", "./runner/trace", "./spec", "./schemas", "./features", "./golden", "./steps",
			"github.com/cucumber/gherkin/go/v42", "github.com/cucumber/messages/go/v34"},
		"runner/certify/hostile": {},
		// For tests only: it serves the servers that they certify.
		"runner/certify/certifytest": slices.Concat(kit, []string{"./runner/packs", "./runner/certify", "./runner/provider", "./runner/prove", "./reference/..."}),

		// The package that Go users import.
		"runner": slices.Concat(kit, []string{"./runner/packs", "./runner/certify"}),
		"runner/cmd": slices.Concat(kit, []string{"./runner/...", "./reference/...", "github.com/spf13/cobra", "github.com/spf13/pflag",
			"github.com/fatih/color", "github.com/schollz/progressbar/v3/...", "github.com/goccy/go-yaml/...", "golang.org/x/net/...", "golang.org/x/term", "golang.org/x/mod/semver"}),

		"reference":         {"./schemas/...", "./reference/...", "github.com/evanphx/json-patch/v5"},
		"reference/model":   {},
		"reference/runtime": {"./schemas", "./reference/model", "./reference/runtime/...", "github.com/santhosh-tekuri/jsonschema/v5"},
		"reference/alter":   {"./reference/..."},
		// The only place that knows the client of Redis.
		"reference/store/redis": {"./reference/store", "github.com/gomodule/redigo/redis"},
		"reference/mutant":      {"./reference/..."},
		// What joins the mutants of a pack imports what lists them, and that imports edit; no import leads back.
		"reference/mutant/<pack>/edit":         slices.Concat(altered, []string{"./reference/mutant"}),
		"reference/mutant/<pack>/stream":       slices.Concat(altered, []string{"./reference/mutant/<pack>/edit"}),
		"reference/mutant/<pack>/run":          slices.Concat(altered, []string{"./reference/mutant/<pack>/edit"}),
		"reference/mutant/<pack>/campaignonly": slices.Concat(altered, []string{"./reference/mutant/<pack>/edit", "./reference/mutant/<pack>/campaignonly/..."}),

		"reference/variant": {"./reference/..."},
		"reference/idle":    {"./reference/..."},
	}
}

// forbidden lists the packages of the standard library that a package must not import.
func forbidden(dir string) []string {
	if (dir == "steps" || strings.HasPrefix(dir, "steps/")) && dir != "steps/stepstest" {
		return []string{"net/http", "net", "os/exec"}
	}
	return nil
}

// allowance finds the rule of a folder.
func allowance(dir string) ([]string, bool) {
	rules := importRules()
	for at := dir; at != "."; at = path.Dir(at) {
		if allowed, ok := rules[at]; ok {
			return allowed, true
		}
		above := path.Dir(at)
		for _, of := range []struct{ pack, folder string }{{path.Base(at), above + "/<pack>"}, {path.Base(above), path.Dir(above) + "/<pack>/" + path.Base(at)}} {
			allowed, ok := rules[of.folder]
			if !ok {
				continue
			}
			own := make([]string, 0, len(allowed))
			for _, pattern := range allowed {
				own = append(own, strings.ReplaceAll(pattern, "<pack>", of.pack))
			}
			return own, true
		}
	}
	return nil, false
}

func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, deep := strings.CutSuffix(p, "/...")
		return name == prefix || deep && strings.HasPrefix(name, prefix+"/")
	})
}

// isStandard: only paths of the standard library have no dot in their first part.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

// importOffenders lists imports that break the rules. Tests may combine packages that the kit separates.
func importOffenders(sources []source) []string {
	var out []string
	for _, s := range sources {
		if s.isTest() {
			continue
		}
		allowed, known := allowance(s.dir())
		if !known {
			out = append(out, s.name+": no rule says what its package may import")
			continue
		}
		for _, name := range s.imports {
			own := name == "./"+s.dir()
			if own || isStandard(name) && !covers(forbidden(s.dir()), name) || covers(allowed, name) {
				continue
			}
			out = append(out, fmt.Sprintf("%s: must not import %s", s.name, name))
		}
	}
	return out
}

func TestImports(t *testing.T) {
	for _, offender := range importOffenders(moduleSources(t)) {
		t.Error(offender)
	}
}

// TestImportsSeesOffences: the check above must be able to fail.
func TestImportsSeesOffences(t *testing.T) {
	file := func(imports ...string) *fstest.MapFile {
		text := "package p\n"
		for _, i := range imports {
			text += fmt.Sprintf("import _ %q\n", i)
		}
		return &fstest.MapFile{Data: []byte(text)}
	}
	sources, err := readSources(fstest.MapFS{
		"steps/a.go":                     file("net/http", module+"/reference", module+"/features", "fmt"),
		"steps/a_test.go":                file(module + "/reference"),
		"steps/toy/run/a.go":             file("net/http", module+"/steps/toy/world", module+"/steps/other/world"),
		"runner/campaign/toy/play/a.go":  file(module+"/runner/campaign/toy/draw", module+"/runner/campaign/toy/program"),
		"steps/toy/a.go":                 file("net/http", module+"/steps", module+"/steps/other", module+"/runner/model/toy"),
		"runner/pack/toy/a.go":           file(module+"/steps/toy", module+"/runner/judge/toy", module+"/runner/judge/other"),
		"reference/a.go":                 file(module+"/spec", module+"/schemas", module+"/reference/store"),
		"reference/mutant/a.go":          file(module+"/schemas", module+"/reference"),
		"reference/mutant/toy/a.go":      file(module + "/reference/mutant/toy/run"),
		"reference/mutant/toy/run/a.go":  file(module+"/reference/alter/toy", module+"/reference/mutant/toy/edit", module+"/reference/mutant/toy"),
		"reference/mutant/toy/edit/a.go": file(module+"/reference/mutant", module+"/reference/mutant/toy/run"),
		"runner/a.go":                    file(module + "/reference"),
		"runner/lint/a.go":               file(module+"/reference/mutant", module+"/steps"),
		"runner/cmd/streamcert/a.go":     file(module + "/reference/mutant"),
		"runner/target/a.go":             file("github.com/r3labs/sse/v2"),
		"runner/target/interop/a.go":     file("github.com/r3labs/sse/v2"),
		"spec/a.go":                      file("github.com/goccy/go-yaml", "github.com/yuin/goldmark/ast"),
		"util/a.go":                      file(),
		"spec/testdata/a.go":             file(module + "/reference"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"reference/a.go: must not import ./spec",
		"reference/mutant/a.go: must not import ./schemas",
		"reference/mutant/toy/edit/a.go: must not import ./reference/mutant/toy/run",
		"reference/mutant/toy/run/a.go: must not import ./reference/mutant/toy",
		"runner/a.go: must not import ./reference",
		"runner/campaign/toy/play/a.go: must not import ./runner/campaign/toy/draw",
		"runner/lint/a.go: must not import ./reference/mutant",
		"runner/pack/toy/a.go: must not import ./runner/judge/other",
		"runner/target/a.go: must not import github.com/r3labs/sse/v2",
		"spec/a.go: must not import github.com/goccy/go-yaml",
		"steps/a.go: must not import net/http",
		"steps/a.go: must not import ./reference",
		"steps/toy/a.go: must not import net/http",
		"steps/toy/a.go: must not import ./steps/other",
		"steps/toy/run/a.go: must not import net/http",
		"steps/toy/run/a.go: must not import ./steps/other/world",
		"util/a.go: no rule says what its package may import",
	}
	if diff := cmp.Diff(want, importOffenders(sources)); diff != "" {
		t.Error(diff)
	}
}

// carried are the folders of broken servers, the package that runs them, which imports runner/prove/generated, and the
// client of Redis: no user certifies with them.
var carried = []string{"./reference/mutant", "./reference/variant", "./reference/idle", "./reference/alter", "./reference/store/redis", "./runner/prove/generated"}

// reaches lists the rooms of carried that a package reaches over the imports of the module, each with the way to it.
func reaches(sources []source, from string) []string {
	imports := map[string][]string{}
	for _, s := range sources {
		if !s.isTest() {
			imports["./"+s.dir()] = append(imports["./"+s.dir()], s.imports...)
		}
	}
	var out []string
	seen := map[string]bool{}
	var walk func(name, way string)
	walk = func(name, way string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, room := range carried {
			if name == room || strings.HasPrefix(name, room+"/") {
				out = append(out, way)
				return
			}
		}
		for _, next := range imports[name] {
			walk(next, way+" → "+next)
		}
	}
	walk(from, from)
	return out
}

// TestTheProgramOfUsersCarriesNoBrokenServer: the servers that the suite is proven on are four tenths of a program and of
// the time that compiling it takes.
func TestTheProgramOfUsersCarriesNoBrokenServer(t *testing.T) {
	sources := moduleSources(t)
	for _, way := range reaches(sources, "./runner/cmd/streamcert") {
		t.Errorf("what a user downloads has it: %s", way)
	}
	if len(reaches(sources, "./runner/cmd/streamcert-lab")) == 0 {
		t.Error("the lab reaches no broken server either, so that this test sees nothing")
	}
}
