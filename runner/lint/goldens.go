package lint

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
)

// goldens: every scenario has its transcripts, and every transcript its scenario. Their content is not checked.
func goldens(t *tree) {
	if t.unlisted != nil {
		t.report("golden", "golden", 0, "%s", oneLine(t.unlisted))
		return
	}
	wanted := map[string]features.Scenario{}
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			_, taken := wanted[sc.GoldenPath()]
			if sc.NoTranscript == "" && len(sc.Rows) > 0 && !taken {
				wanted[sc.GoldenPath()] = sc
			}
		}
	}
	for name, sc := range wanted {
		if !t.lacking(packOf(name), t.recorded) && !slices.Contains(t.goldens, name) {
			t.report("golden", "features/"+sc.File, sc.Line, "the scenario %q has no golden/%s", sc.Title, name)
		}
	}
	for _, name := range t.goldens {
		file, err := golden.Read(t.in.Golden, name)
		sc, found := wanted[name]
		switch {
		case err != nil:
			t.unparsed(name, err)
		case found:
			t.rows(name, file, sc)
		case !t.partial() && t.listed(packOf(name)):
			t.report("golden", "golden/"+name, 0, "no scenario writes this golden")
		}
	}
}

// unparsed reports a golden that can't be read, at the line of the mistake.
func (t *tree) unparsed(name string, err error) {
	var parse *golden.ParseError
	line, message := 0, oneLine(err)
	if errors.As(err, &parse) {
		line = parse.Line
		message = strings.TrimPrefix(message, parse.File+":"+strconv.Itoa(line)+": ")
	}
	t.report("golden", "golden/"+name, line, "%s", message)
}

// rows compares the transcripts of a golden with the rows of its scenario.
func (t *tree) rows(name string, file golden.File, sc features.Scenario) {
	report := func(format string, args ...any) { t.report("golden", "golden/"+name, 0, format, args...) }
	var got []string
	for _, x := range file.Transcripts {
		got = append(got, x.Title)
		switch {
		case !slices.ContainsFunc(sc.Rows, func(r features.Row) bool { return r.Title == x.Title }):
			report("the transcript %q belongs to no row of features/%s", x.Title, sc.Location())
		case golden.Requirement(x.Name) != sc.Requirement:
			report("the transcript %q is of %s, expected %s", x.Title, golden.Requirement(x.Name), sc.Requirement)
		}
	}
	for _, row := range sc.Rows {
		if !slices.Contains(got, row.Title) {
			report("the row %q of features/%s has no transcript", row.Title, sc.Location())
		}
	}
}
