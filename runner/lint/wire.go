package lint

import (
	"io/fs"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/excerpt"
	"github.com/streamcert/streamcert/spec"
)

// wire: the excerpts of goldens in the spec match the goldens, and a chapter with goldens shows at least one.
func wire(t *tree) {
	if t.book == nil {
		return
	}
	shown := map[string]bool{}
	for _, file := range t.pages() {
		text, err := fs.ReadFile(t.in.Spec, file)
		if err != nil {
			continue // spec reports it
		}
		_, problems := excerpt.Update(t.in.Golden, string(text))
		for _, p := range problems {
			if !t.lacking(packOf(file), t.recorded) {
				t.report("wire", "spec/"+file, p.Line, "%s", p.Message)
			}
		}
		shown[file] = excerpt.CountMarkers(string(text)) > 0
	}
	for _, p := range t.packs {
		if len(t.book.Roles(p.Name)) == 0 || p.partial || !t.recorded(p) {
			continue // actors asks for the roles and rooms for the goldens first, in one problem for the pack
		}
		for _, c := range t.book.Chapters(p.Name) {
			if !shown[c.File] && t.showable(p, c) {
				t.report("wire", "spec/"+c.File, 0, "the chapter %s shows no exchange: expected a piece of one of its goldens", c.Name)
			}
		}
	}
}

// showable reports whether a requirement on servers in a chapter has a golden.
func (t *tree) showable(p *pack, c spec.Chapter) bool {
	return slices.ContainsFunc(p.scenarios, func(s features.Scenario) bool {
		q, known := t.requirement(s.Requirement)
		return known && q.Chapter == c.Name && q.Role == spec.RoleServer && s.NoTranscript == "" && len(s.Rows) > 0
	})
}
