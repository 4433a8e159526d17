package lint

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
)

// serverList is the file that lists the servers of the packs.
const serverList = "runner/cmd/command/servers.go"

// rooms: a new pack lacks complete folders. Each is one problem with a remedy, instead of one for every requirement.
func rooms(t *tree) {
	if t.book == nil {
		return
	}
	for _, p := range t.packs {
		if !slices.Contains(t.book.Packs(), p.Name) {
			continue // its spec comes first
		}
		if p.schemas != nil && len(p.schemas.Types())+len(p.schemas.FrameTypes()) == 0 {
			t.report("room", "schemas/"+p.Name, 0, "%s has no schema of a message; write one for each type, in a folder beside pack.json", p.Name)
		}
		if len(p.Judged) == 0 {
			t.report("room", "runner/judge/"+p.Name, 0, "the judge of %s names no requirement; list them in Judged of its value", p.Name)
		}
		if !p.Served {
			t.report("room", serverList, 0, "%s isn't in the list of servers, so nothing shows that its rules can be kept and broken; add its line to Servers", p.Name)
			continue
		}
		if t.in.Sources.Known() && !t.referred(p) {
			t.report("room", "reference/"+p.Name, 0, "%s has no reference server; write one, and name each rule at the line that keeps it", p.Name)
		}
		if !t.altered(p) {
			t.report("room", mutantFolder+"/"+p.Name, 0, "%s has no mutant: expected one for each MUST and SHOULD", p.Name)
		}
		if !t.recorded(p) {
			t.report("room", "golden/"+p.Name, 0, "%s has no golden; when its reference passes, write them with `streamcert-lab golden --dir .`", p.Name)
		}
	}
}

// referred reports whether a pack has a reference server.
func (t *tree) referred(p *pack) bool {
	_, err := fs.Stat(t.in.Sources.Reference, p.Name)
	return p.Served && err == nil
}

// altered reports whether a pack has a mutant.
func (t *tree) altered(p *pack) bool {
	return p.Served && slices.ContainsFunc(t.in.Mutants, func(m Mutant) bool { return m.Pack == p.Name })
}

// recorded reports whether a pack has a golden, or no scenario that writes one.
func (t *tree) recorded(p *pack) bool {
	writes := func(sc features.Scenario) bool { return sc.NoTranscript == "" }
	return t.unlisted != nil || !slices.ContainsFunc(p.scenarios, writes) || slices.ContainsFunc(t.goldens, func(name string) bool { return strings.HasPrefix(name, p.Name+"/") })
}

// lacking reports whether a listed pack has no content in a folder, as has reports.
func (t *tree) lacking(name string, has func(*pack) bool) bool {
	return slices.ContainsFunc(t.packs, func(p *pack) bool { return p.Name == name && !has(p) })
}
