package diff

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/golden"
)

// transcripts compares the goldens: the same change in many of them is one.
func (r comparison) transcripts() error {
	changed, err := changedFiles(r.before, r.after, "golden")
	if err != nil {
		return err
	}
	folds := map[string]*Fold{}
	for _, name := range changed {
		before, err := transcriptsOf(r.before, name)
		if err != nil {
			return err
		}
		after, err := transcriptsOf(r.after, name)
		if err != nil {
			return err
		}
		for _, c := range golden.Changes(before, after) {
			f := folds[c.What]
			if f == nil {
				f = &Fold{What: c.What, Example: c.Example}
				folds[c.What] = f
			}
			f.Count++
			f.Files = append(f.Files, name)
			f.Requirements = append(f.Requirements, c.Requirement)
		}
	}
	for _, f := range folds {
		for _, list := range []*[]string{&f.Files, &f.Requirements} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		r.Goldens = append(r.Goldens, *f)
	}
	slices.SortFunc(r.Goldens, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return nil
}

// transcriptsOf reads a golden; where a version doesn't have it, it is empty.
func transcriptsOf(v *Version, name string) (golden.File, error) {
	if !strings.HasSuffix(name, ".txt") {
		return golden.File{}, nil
	}
	data, err := fs.ReadFile(v.source.Files, name)
	if err != nil {
		return golden.File{}, nil
	}
	f, err := golden.Parse(name, data)
	if err != nil {
		return f, fmt.Errorf("reading %s: %w", v.source.Name, err)
	}
	return f, nil
}
