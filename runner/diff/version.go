package diff

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/release"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Version is one version of a pack. It reads the data for a comparison on demand, once. It isn't safe for concurrent use.
type Version struct {
	source   release.Source // from which its files are read
	pack     string
	number   string     // of VERSION; "" without the pack
	there    bool       // the version has the pack at all
	book     *spec.Book // nil without the pack
	keywords *keywords

	set       *schemas.Set        // nil before the first use
	scenarios []features.Scenario // nil before the first use
	golden    []golden.Exchange   // nil before the first use
}

// Read reads the spec of a version of a pack. A version that doesn't have the pack is empty; one whose files can't be read
// is an error that names the version and the file. Other mistakes in the text are left to lint.
func Read(source release.Source, pack string) (*Version, error) {
	v := &Version{source: source, pack: pack, number: release.Number(source.Files, pack), book: &spec.Book{}}
	if info, err := fs.Stat(source.Files, "spec/"+pack); err != nil || !info.IsDir() {
		v.number = ""
		return v, nil
	}
	v.there = true
	text, err := fs.Sub(source.Files, "spec")
	if err != nil {
		return nil, v.failed(err)
	}
	if v.book, _, err = spec.Load(onePack{text, pack}); err != nil {
		return nil, v.failed(err)
	}
	shapes, err := fs.Sub(source.Files, "schemas")
	if err != nil {
		return nil, v.failed(err)
	}
	v.keywords = &keywords{fsys: shapes, files: map[string]map[string]any{}}
	return v, nil
}

func (v *Version) failed(err error) error {
	return fmt.Errorf("reading %s of %s: %w", v.pack, v.source.Name, err)
}

// schemas returns the compiled schemas of the version.
func (v *Version) schemas() (*schemas.Set, error) {
	if v.set != nil {
		return v.set, nil
	}
	set, err := schemas.Load(v.keywords.fsys, v.pack)
	if err != nil {
		return nil, v.failed(err)
	}
	v.set = set
	return set, nil
}

// features returns the scenarios of the version.
func (v *Version) features() ([]features.Scenario, error) {
	if v.scenarios != nil || !v.there {
		return v.scenarios, nil
	}
	files, err := fs.Sub(v.source.Files, "features")
	if err != nil {
		return nil, v.failed(err)
	}
	if v.scenarios, err = features.Load(files, v.pack); err != nil {
		return nil, v.failed(err)
	}
	return v.scenarios, nil
}

// exchanges returns the exchanges of all goldens of the version.
func (v *Version) exchanges() ([]golden.Exchange, error) {
	if v.golden != nil {
		return v.golden, nil
	}
	err := fs.WalkDir(v.source.Files, "golden/"+v.pack, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".txt" {
			return err
		}
		data, err := fs.ReadFile(v.source.Files, name)
		if err != nil {
			return err
		}
		file, err := golden.Parse(name, data)
		if err != nil {
			return err
		}
		for _, t := range file.Transcripts {
			v.golden = append(v.golden, t.Exchanges...)
		}
		return nil
	})
	if err != nil {
		return nil, v.failed(err)
	}
	return v.golden, nil
}

// onePack is the folder spec with one pack and no other, so that a comparison doesn't read them all.
type onePack struct {
	fs.FS
	pack string // the only folder that it shows
}

// ReadDir lists a folder. fs.Glob calls it.
func (o onePack) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	if name != "." {
		return entries, err
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() && e.Name() != o.pack }), err
}

// requirements returns the requirements of the pack by id.
func (v *Version) requirements() map[string]spec.Requirement {
	out := map[string]spec.Requirement{}
	for _, r := range v.book.Pack(v.pack) {
		out[r.ID] = r
	}
	return out
}
