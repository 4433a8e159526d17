package helixui

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// Apply changes the options of a server.
type Apply = func(helixui.Options) helixui.Options

// When selects parts of a turn, and WhenEvent events of a response.
type (
	When      = alter.When[helixui.Turn, helixui.Part]
	WhenEvent = alter.When[helixui.Turn, helixui.Event]
	WhenChunk = alter.When[helixui.Turn, helixui.Chunk]
)

// Parts selects the parts of a turn for which all conditions hold, before they are stored.
func Parts(conditions ...When) alter.Choice[helixui.Options, helixui.Turn, helixui.Part] {
	return alter.Flow[helixui.Options, helixui.Turn, helixui.Part](onParts).When(conditions...)
}

func onParts(begin func(helixui.Turn) func(helixui.Part) []helixui.Part) Apply {
	return func(o helixui.Options) helixui.Options {
		inner := o.Parts
		o.Parts = func(t helixui.Turn) func(helixui.Part) []helixui.Part { return composed(inner(t), begin(t)) }
		return o
	}
}

// Chunks selects the chunks of a turn for which all conditions hold, before they become parts.
func Chunks(conditions ...WhenChunk) alter.Choice[helixui.Options, helixui.Turn, helixui.Chunk] {
	return alter.Flow[helixui.Options, helixui.Turn, helixui.Chunk](onChunks).When(conditions...)
}

func onChunks(begin func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk) Apply {
	return func(o helixui.Options) helixui.Options {
		inner := o.Chunks
		o.Chunks = func(t helixui.Turn) func(helixui.Chunk) []helixui.Chunk { return composed(inner(t), begin(t)) }
		return o
	}
}

// composed applies one change after another.
func composed[T any](first, second func(T) []T) func(T) []T {
	return func(item T) []T {
		var out []T
		for _, item := range first(item) {
			out = append(out, second(item)...)
		}
		return out
	}
}

// Frames selects the bytes of the events of a response for which all conditions hold.
func Frames(conditions ...WhenEvent) alter.Frames[helixui.Options, helixui.Turn, helixui.Event] {
	return alter.Wire[helixui.Options, helixui.Turn, helixui.Event](onBytes).When(conditions...)
}

func onBytes(begin func(helixui.Turn) func(whole []byte, e helixui.Event) []byte) Apply {
	return func(o helixui.Options) helixui.Options {
		inner := o.Encoder
		o.Encoder = func(t helixui.Turn) helixui.Encoder {
			encode, change := inner(t), begin(t)
			return alter.Encoder[helixui.Event](func(dst []byte, e helixui.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

// Type matches parts of some types.
func Type(kinds ...string) When {
	return alter.Each[helixui.Turn](func(p helixui.Part) bool { return slices.Contains(kinds, p.Type()) })
}

// ChunkType matches chunks of some types.
func ChunkType(kinds ...string) WhenChunk {
	return alter.Each[helixui.Turn](func(c helixui.Chunk) bool { return slices.Contains(kinds, helixui.Part(c).Type()) })
}

// Event matches events whose part is of some types.
func Event(kinds ...string) WhenEvent {
	return alter.Each[helixui.Turn](func(e helixui.Event) bool { return !e.IsDone() && slices.Contains(kinds, e.Part.Type()) })
}

// Done matches the end of the stream.
func Done() WhenEvent { return alter.Each[helixui.Turn](helixui.Event.IsDone) }

// Streams changes the responses that are streams. The function is called once for each request.
func Streams(begin func(w *alter.Response, r *http.Request)) alter.Around {
	return alter.OnResponses(isTurn, func(w *alter.Response, r *http.Request) {
		w.StreamOnly = true
		begin(w, r)
	})
}

func isTurn(r *http.Request) bool { return !alter.IsControl(r) }

// Head sets a header of streams; an empty value removes it.
func Head(name, value string) alter.Around {
	return alter.AnswersTo(isTurn).When(alter.IsStream).Set(name, value)
}
