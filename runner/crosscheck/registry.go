package crosscheck

import (
	"hash/maphash"
	"sync"

	"github.com/streamcert/streamcert/runner/record"
)

// Rules lists the requirements of a protocol that span all scenarios of a run. The zero value has none.
type Rules struct {
	// IDs calls see for each id in an exchange that must be unique across scenarios, with the id of the requirement and
	// the name of the member.
	IDs func(e *record.Exchange, see func(requirement, name, id string))
	// Isolation is the id of the requirement that content of one stream or request must not reach another.
	Isolation string
}

// Scenario is the scenario of a finding.
type Scenario struct{ Title, Location string }

// UnknownMark is a mark in a response that the scenario didn't send, with the finding if it turns out to be another scenario's.
type UnknownMark struct {
	record.Finding
	mark mark
	row  int32
}

const (
	// most limits the ids and the marks that are stored. Those beyond it are ignored.
	most = 1 << 18
	// mostStrays limits the strays whose owner isn't known yet.
	mostStrays = 64
)

// Registry compares ids and marks across the scenarios of one run. It is safe for concurrent use.
type Registry struct {
	rules  Rules
	prefix string // of the names that scenarios give
	seed   maphash.Seed

	mu     sync.Mutex
	rows   []Scenario
	ids    map[uint64]int32 // row that got it first, by the hash of the requirement and the id
	marks  map[mark]int32   // row that it is of
	strays []UnknownMark
}

// New begins the registry of a run whose scenarios give names of a prefix, a hyphen and a number.
func New(rules Rules, prefix string) *Registry {
	return &Registry{rules: rules, prefix: prefix, seed: maphash.MakeSeed(), ids: map[uint64]int32{}, marks: map[mark]int32{}}
}

// Row is the entry of a scenario's row in the registry; a row that runs twice has two.
type Row struct {
	registry *Registry
	number   int32
	marks    map[mark]bool
}

// Row begins a row.
func (l *Registry) Row(s Scenario) *Row {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, s)
	return &Row{registry: l, number: int32(len(l.rows) - 1), marks: map[mark]bool{}}
}

// AddRequest registers the marks of a request as those of the row.
func (r *Row) AddRequest(e *record.Exchange) {
	l := r.registry
	take := func(m mark) {
		if r.marks[m] {
			return
		}
		r.marks[m] = true
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.marks) < most {
			l.marks[m] = r.number
		}
	}
	l.marksIn([]byte(e.Path), take)
	l.marksIn(e.Body, take)
}

// Repeated finds the ids of an exchange that another row got.
func (r *Row) Repeated(e *record.Exchange) []record.Finding {
	var found []record.Finding
	l := r.registry
	if l.rules.IDs == nil || e.Kind == record.Control {
		return nil
	}
	l.rules.IDs(e, func(requirement, name, id string) {
		key := maphash.String(l.seed, requirement+" "+id)
		l.mu.Lock()
		defer l.mu.Unlock()
		first, known := l.ids[key]
		switch {
		case !known && len(l.ids) < most:
			l.ids[key] = r.number
		case known && first != r.number:
			found = append(found, record.Finding{
				Requirement: requirement, Message: "another scenario of the run got the same " + name, Want: "a " + name + " of its own",
				Got: clip(id) + ", as in " + l.name(first), Frame: -1, Offset: -1,
			})
		}
	})
	return found
}

// Strays finds marks in a response that the row didn't send. Their owner, if there is one, is known at the end of the run.
func (r *Row) Strays(e *record.Exchange) []UnknownMark {
	if r.registry.rules.Isolation == "" || e.Kind == record.Control {
		return nil
	}
	var out []UnknownMark
	in := func(text []byte, frame int, offset int64) {
		r.registry.marksIn(text, func(m mark) {
			if !r.marks[m] && len(out) < mostStrays {
				out = append(out, UnknownMark{mark: m, row: r.number, Finding: record.Finding{
					Requirement: r.registry.rules.Isolation, Message: "what belongs to another scenario of the run came",
					Want: "content that the scenario itself wrote", Got: m.shown(r.registry.prefix), Frame: frame, Offset: offset,
				}})
			}
		})
	}
	for _, f := range e.Frames {
		in(f.Data, f.Index, f.Offset)
	}
	in(e.Answer, -1, -1)
	return out
}

// Await stores an unknown mark until the run is over.
func (l *Registry) Await(s UnknownMark) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.strays) < mostStrays {
		l.strays = append(l.strays, s)
	}
}

// Leaks returns the strays that belong to another row than the one they came to.
func (l *Registry) Leaks() []record.Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []record.Finding
	for _, s := range l.strays {
		if owner, known := l.marks[s.mark]; known && owner != s.row {
			s.Got += " of " + l.name(owner)
			out = append(out, s.Finding)
		}
	}
	return out
}

// name names a row.
func (l *Registry) name(row int32) string {
	return `"` + l.rows[row].Title + `" (` + l.rows[row].Location + ")"
}

// clip shows an id that may be long.
func clip(id string) string {
	const longest = 60
	if len(id) > longest {
		id = id[:longest] + "…"
	}
	return id
}
