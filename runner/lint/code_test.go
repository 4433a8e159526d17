package lint

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/trace"
)

const (
	server  = "reference/toy/echo.go"
	checker = "runner/judge/toy/echo.go"
)

func TestCode(t *testing.T) {
	write := func(file, text string) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) { k.files[file] = text }
	}
	const unkept = echo + ":5: toy.echo.same: no line of reference/ names it; comment the line that keeps it"
	const unheld = "runner/judge/toy: toy.echo.same: no line of runner/judge/toy/ names it; name it at the check"
	runAll(t, []red{
		{"a MUST that no line keeps", edit(server, "// toy.echo.same: it is", "// It is"), []string{unkept}},
		{"a MUST that only a test names", func(_ *testing.T, k *kit) {
			k.files["reference/toy/echo_test.go"] = k.files[server]
			k.files[server] = "package toy\n"
		}, []string{unkept}},
		{"a MUST that only a mutant names", func(_ *testing.T, k *kit) {
			k.files["reference/mutant/toy/echo.go"] = k.files[server]
			k.files[server] = "package toy\n"
		}, []string{unkept}},
		{"a MUST that a string names", edit(server, "// toy.echo.same: it is the word.\n\tsay()", "say(\"toy.echo.same\")"), []string{unkept}},
		{"a comment above no code", edit(server, "\tsay()\n}\n", "}\n"), []string{unkept}},
		{"a comment of nothing", edit(server, "toy.echo.same: it", "toy.echo.same, toy.echo.sane: it"), []string{
			server + ":5: the comment names toy.echo.sane, which is no requirement"}},
		{"a comment of nothing in a judge", edit(checker, "func", "// toy.echo.sane: no.\nfunc"), []string{
			checker + ":5: the comment names toy.echo.sane, which is no requirement"}},
		{"a judge that doesn't name what it lists", edit(checker, "toy.echo.same", "same"), []string{unheld}},
		{"no judge", remove(checker), []string{unheld}},
		{"not Go", write(server, "package toy\n\nfunc {\n"), []string{server + ":3: expected 'IDENT', found '{'"}},
	})
}

// TestCodeIsOptional: without the sources there are no problems with them, and the summary mentions it.
func TestCodeIsOptional(t *testing.T) {
	k := good()
	k.run(t)
	k.in.Sources = trace.Sources{}
	r := Run(k.in)
	var b strings.Builder
	if err := r.WriteConsole(&b); err != nil || len(r.Problems) > 0 || !strings.Contains(b.String(), "sources not read") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
