package diff

import (
	"cmp"
	"fmt"
	"path"
	"slices"
)

// Report lists the changes between two versions of a pack.
type Report struct {
	Pack     string   `json:"pack"` // name
	Old      Side     `json:"old"`
	New      Side     `json:"new"`
	Class    Class    `json:"class"`              // the worst of all changes; "" if nothing changed
	Changed  []Item   `json:"requirements"`       // the worst first; an id once
	Goldens  []Fold   `json:"goldens"`            // equal changes of several transcripts are one
	Judged   int      `json:"instances"`          // number of documents that were judged by the schemas of both versions
	Problems []string `json:"problems,omitempty"` // conditions of the gate that aren't met; set by [Report.Gate]
	Servers  []Server `json:"servers,omitempty"`  // samples that could break, if they were certified

	before, after *Version
}

// Side identifies one of the two versions.
type Side struct {
	Name   string `json:"name"`
	Number string `json:"version"` // "" if the version doesn't have the pack
}

// Item is a requirement with all its changes. Changes without a requirement have the id "".
type Item struct {
	ID      string   `json:"id"`
	Class   Class    `json:"class"`   // the worst of Changes
	Changes []Change `json:"changes"` // the worst first; at least one
}

// The parts of a version that a change can be in.
const (
	PartBlock      = "block"      // the block of the requirement in the spec
	PartSchema     = "schema"     // a keyword that carries the id
	PartScenario   = "scenario"   // a scenario of the requirement
	PartDocument   = "document"   // not part of a requirement
	PartTranscript = "transcript" // its goldens; listed in Goldens
)

// Change is one change.
type Change struct {
	Class     Class    `json:"class"`
	Part      string   `json:"part"`             // one of the parts above
	What      string   `json:"what"`             // one line of text
	Documents []string `json:"places,omitempty"` // files or documents, sorted; the same change in several is one
	// Undecided reports that no rule determines the class: it is the worst possible one, until the change log gives another.
	Undecided bool `json:"undecided,omitempty"`
	// Structure and Evidence are the results of the two methods for a change of a schema. If they differ, Class is the one
	// that the report follows, and Why is the reason.
	Structure Class  `json:"structure,omitempty"`
	Evidence  Class  `json:"evidence,omitempty"`
	Why       string `json:"why,omitempty"`
	// Instance is a document that shows the change: right in one version and wrong in the other.
	Instance string `json:"instance,omitempty"`
}

// Disagrees reports whether the two methods have different results. It is false if no document shows the change.
func (c Change) Disagrees() bool {
	return c.Part == PartSchema && c.Evidence != None && c.Structure != c.Evidence
}

// Fold is one change in transcripts, and where it is.
type Fold struct {
	What         string   `json:"what"`              // a line of text
	Count        int      `json:"count"`             // of lines
	Files        []string `json:"files"`             // sorted, without doubles
	Requirements []string `json:"requirements"`      // of the transcripts
	Example      string   `json:"example,omitempty"` // one of the changed lines
}

// Server is a sample server of the old version, certified by the new suite.
type Server struct {
	Name    string   `json:"name"`
	Skipped string   `json:"skipped,omitempty"` // why it couldn't be certified
	Passed  int      `json:"passed"`            // number of requirements
	Failed  []string `json:"failed"`            // requirements that it breaks now
}

// Item returns the changes of a requirement, nil if there are none.
func (r *Report) Item(id string) *Item {
	for i := range r.Changed {
		if r.Changed[i].ID == id {
			return &r.Changed[i]
		}
	}
	return nil
}

// Disagreements counts the changes of schemas for which structure and evidence have different results.
func (r *Report) Disagreements() int {
	n := 0
	for _, item := range r.Changed {
		for _, c := range item.Changes {
			if c.Disagrees() {
				n++
			}
		}
	}
	return n
}

// Compare compares two versions of a pack. The change log of the new version decides the class of a change that no rule
// determines. An error names the version and the file that can't be read.
func Compare(before, after *Version) (*Report, error) {
	if !before.there && !after.there {
		return nil, fmt.Errorf("comparing %s: neither %s nor %s has a folder spec/%s", before.pack, before.source.Name, after.source.Name, before.pack)
	}
	r := &Report{
		Pack: before.pack, Old: Side{before.source.Name, before.number}, New: Side{after.source.Name, after.number},
		Changed: []Item{}, Goldens: []Fold{}, before: before, after: after,
	}
	c := comparison{r}
	c.blocks()
	c.index()
	for _, part := range []func() error{c.transcripts, c.schemas, c.scenarios, c.documents} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	if r.Old.Number != r.New.Number { // else the change log is about earlier changes
		log, err := r.changeLog()
		if err != nil {
			return nil, err
		}
		r.declared(log)
	}
	r.finish()
	return r, nil
}

// comparison fills a report, a part of the pack after the other.
type comparison struct{ *Report }

// file returns the path of a file of the spec.
func (r *Report) file(name string) string { return path.Join("spec", r.Pack, name) }

// add files a change under its requirement; the same change in another document is one.
func (r *Report) add(id string, c Change) {
	item := r.Item(id)
	if item == nil {
		r.Changed = append(r.Changed, Item{ID: id})
		item = &r.Changed[len(r.Changed)-1]
	}
	for i := range item.Changes {
		k := &item.Changes[i]
		if k.Part == c.Part && k.What == c.What && k.Class == c.Class && k.Structure == c.Structure && k.Evidence == c.Evidence {
			k.Documents = append(k.Documents, c.Documents...)
			return
		}
	}
	item.Changes = append(item.Changes, c)
}

// finish sorts the changes and sets the class of the report.
func (r *Report) finish() {
	for i := range r.Changed {
		item := &r.Changed[i]
		item.Class = None
		for j := range item.Changes {
			c := &item.Changes[j]
			slices.Sort(c.Documents)
			c.Documents = slices.Compact(c.Documents)
			item.Class = worst(item.Class, c.Class)
		}
		slices.SortStableFunc(item.Changes, func(a, b Change) int { return cmp.Compare(b.Class.rank(), a.Class.rank()) })
	}
	slices.SortStableFunc(r.Changed, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Class.rank(), a.Class.rank()), cmp.Compare(a.ID, b.ID))
	})
	r.Class = None
	for _, item := range r.Changed {
		r.Class = worst(r.Class, item.Class)
	}
	if r.Class == None && len(r.Goldens) > 0 {
		r.Class = Editorial
	}
}
