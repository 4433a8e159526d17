package site

import (
	"html/template"
	"path"
	"strings"

	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/spec"
)

// book is everything that pages are made of. [Build] fills docs to schemas before it makes the first
// page.
type book struct {
	in       Input
	spec     *spec.Book
	packs    []Pack                         // of in, in its order
	docs     map[string]*document           // by path inside the specification; also "golden/FORMAT.md"
	known    map[string]explain.Explanation // by id of the requirement
	variants map[string][]listed.Variant    // by id of the requirement
	reasons  map[string][]reason            // by code of an origin, and by id of a requirement
	schemas  map[string]string              // address of a schema by its file, such as "schemas/<pack>/frames/end.json"
	index    []entry                        // of the search
	files    Files                          // made so far
	layouts  *template.Template             // of the page laid, nil before the first
	laid     string
}

// entry is something that the search finds.
type entry struct{ Title, Text, To, Kind string }

// reason is one row of a rationale.
type reason struct {
	Code  string
	To    string // its address
	Cells []template.HTML
}

// address returns the page of the site that shows a file of the kit, "" for none.
func (b *book) address(file string) string {
	if to, ok := b.schemas[file]; ok {
		return to
	}
	dir, name := path.Split(file)
	switch {
	case (name == "VERSION" || name == logFile) && b.docs[dir+logFile] != nil:
		return dir + "versions/index.html"
	case file == "README.md":
		return "index.html"
	case file == formatFile:
		return "transcripts.html"
	case b.docs[file] == nil || dir == "":
		return ""
	}
	if name == "README.md" {
		return dir + "index.html"
	}
	for _, c := range b.spec.Chapters(path.Clean(dir)) {
		if c.File == file {
			return dir + c.Name + ".html"
		}
	}
	if name == "rationale.md" {
		return dir + "rationale.html"
	}
	return ""
}

// requirement returns the address of a requirement by its id, "" if nothing has it.
func (b *book) requirement(id string) string {
	q, ok := b.spec.Get(id)
	if !ok {
		return ""
	}
	return b.address(q.File) + "#" + q.ID
}

// current returns the version of the specification of a pack.
func (b *book) current(pack string) string { return b.spec.Version(pack) }

// where returns the part of a title that names a pack, "" outside of packs.
func where(pack string) string {
	if pack == "" {
		return ""
	}
	return " · " + pack
}

// relative returns the address of something on the site as a page names it.
func relative(page, to string) string {
	file, fragment, found := strings.Cut(to, "#")
	if found {
		fragment = "#" + fragment
	}
	if file == page && found {
		return fragment
	}
	return strings.Repeat("../", strings.Count(page, "/")) + file + fragment
}

// logFile is the name of a pack's change log.
const logFile = "CHANGELOG.md"

// playgroundFile is the page that judges recordings.
const playgroundFile = "playground.html"
