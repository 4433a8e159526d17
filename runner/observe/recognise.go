package observe

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

// lookedAt is the number of unrecognised events after which the first pack is assumed.
const lookedAt = 20

// A kind is the pack and profile of a stream.
type kind struct {
	pack    pack.Pack
	profile judge.Profile // BareChunks only where the pack has such streams
}

// recognise returns the kind of stream that an event belongs to; ok is false if the event doesn't show it.
func (o Options) recognise(f *wire.Frame) (k kind, ok bool) {
	for _, p := range o.Packs {
		if p.Stream.Recognise == nil {
			continue
		}
		if profile, ok := p.Stream.Recognise(f); ok {
			return kind{p, profile}, true
		}
	}
	return o.presumed(), false
}

// presumed returns the kind for a stream that nothing identifies: that of the first pack.
func (o Options) presumed() kind { return kind{pack: o.Packs[0]} }

// named returns the pack of a name, the zero value if there is none.
func (o Options) named(name string) pack.Pack {
	for _, p := range o.Packs {
		if p.Name == name {
			return p
		}
	}
	return pack.Pack{}
}

// last reports whether nothing may follow an event.
func (k kind) last(f *wire.Frame) bool {
	return k.pack.Stream.Terminal != nil && k.pack.Stream.Terminal(k.profile, f)
}

// resume returns how a stream of the kind resumes, nil if it doesn't.
func (k kind) resume() *pack.Resume {
	if k.profile == judge.BareChunks {
		return nil
	}
	return k.pack.Stream.Resume
}

// String returns the kind for people.
func (k kind) String() string {
	if k.profile == judge.BareChunks {
		return k.pack.Name + ", chunks without envelope"
	}
	return k.pack.Name
}
