package servers

import (
	"net/http"
	"time"

	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/variant"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/target"
)

// Server is a server whose open responses can be ended.
type Server interface {
	http.Handler
	Close()
}

// Settings are what a process says of all servers that it starts. A pack makes the options of its own server of them.
type Settings struct {
	// Reader is the bearer token of readers, and Control that of control calls; "" asks for none.
	Reader, Control string
	// Other is the token of a second reader, and Limited that of one whose requests are limited; with them a server has
	// limits that scenarios can meet, which Sections tells a config. "" limits nothing.
	Other, Limited string
	Heartbeat      time.Duration          // silence after which a comment is sent
	KnownHost      func(name string) bool // a name under which control calls may ask for the server; nil for none
	Model          *model.Client          // the language model that agents ask; nil for none
	Streams        store.Store            // keeps the streams; nil for a memory of the server's own
}

// Pack is all that commands know of the servers of one pack. What is nil is empty, but for New.
type Pack struct {
	Name string
	// Serves says of an escaped path whether it is one of this pack; nil: every path that no other pack serves.
	Serves func(path string) bool
	New    func(Settings) Server // the reference
	// Sections are what a config has to say of a server with these settings.
	Sections func(Settings) []any

	Mutants, Deep func() []Entry[prove.Mutant] // deep ones are made for campaigns
	Variants      func() []Entry[prove.Variant]
	Idle          func() []Entry[prove.IdleServer]
}

// Entry is an altered server: what a catalogue says of it, and what makes it.
type Entry[T prove.Mutant | prove.Variant | prove.IdleServer] struct {
	Of     T // without its Start
	New    func(Settings) Server
	Unused time.Duration // how long it keeps a connection that nobody uses; 0 is the default
}

// Mutants makes the entries of a catalogue of mutants, of which of makes the options of a server.
func Mutants[O any, S Server](catalogue func() []mutant.Mutant[O], handler func(mutant.Mutant[O], O) S, of func(Settings) O) func() []Entry[prove.Mutant] {
	return entries(catalogue, handler, of, func(m mutant.Mutant[O]) Entry[prove.Mutant] {
		return Entry[prove.Mutant]{Of: prove.Mutant{
			Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful, Whole: m.Whole, Aside: m.Aside,
		}}
	})
}

// Variants makes the entries of a catalogue of variants; sections are what the config of one says of it, nil for nothing.
func Variants[O any, S Server](catalogue func() []variant.Variant[O], handler func(variant.Variant[O], O) S, of func(Settings) O,
	sections func(variant.Variant[O]) []any) func() []Entry[prove.Variant] {
	return entries(catalogue, handler, of, func(v variant.Variant[O]) Entry[prove.Variant] {
		e := Entry[prove.Variant]{Unused: v.Idle, Of: prove.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
			MaxConnection: v.MaxConnection, Limits: target.Limits{String: v.LongestString, Events: v.Events, Readers: v.Readers},
			Without: v.Without,
		}}
		if sections != nil {
			e.Of.Sections = sections(v)
		}
		return e
	})
}

// Idle makes the entries of a catalogue of idle servers.
func Idle[O any, S Server](catalogue func() []idle.Server[O], handler func(idle.Server[O], O) S, of func(Settings) O) func() []Entry[prove.IdleServer] {
	return entries(catalogue, handler, of, func(s idle.Server[O]) Entry[prove.IdleServer] {
		return Entry[prove.IdleServer]{Of: prove.IdleServer{Name: s.Name, Summary: s.Summary, Never: s.Never}}
	})
}

func entries[A, O any, S Server, T prove.Mutant | prove.Variant | prove.IdleServer](catalogue func() []A, handler func(A, O) S, of func(Settings) O, entry func(A) Entry[T]) func() []Entry[T] {
	return func() (out []Entry[T]) {
		for _, altered := range catalogue() {
			e := entry(altered)
			e.New = func(s Settings) Server { return handler(altered, of(s)) }
			out = append(out, e)
		}
		return out
	}
}
