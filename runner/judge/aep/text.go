package aep

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// largest limits the stored bytes of a call's arguments.
const largest = 1 << 20

// joined concatenates the pieces of a block. A text is hashed; the arguments of
// a call are stored, since they are compared as values.
type joined struct {
	judge.Sum
	stored []byte
	lost   bool // more came than is stored
}

func (j *joined) add(piece string, keep bool) {
	j.Add(piece)
	switch {
	case !keep:
	case len(j.stored)+len(piece) > largest:
		j.lost, j.stored = true, nil
	case !j.lost:
		j.stored = append(j.stored, piece...)
	}
}

func (j *joined) text() content {
	return content{sum: judge.TextDigest(j.Hash()), known: true, empty: j.Size == 0}
}

func (j *joined) shown() string { return judge.Show(j.Start) }

// content is a digest of a block's text or value, for comparing.
type content struct {
	sum   uint64
	known bool
	empty bool
}

func textOf(s string) content {
	return content{sum: judge.TextDigest(judge.Hash(s)), known: true, empty: s == ""}
}

func valueOf(v any) content { return content{sum: judge.Digest(v), known: true} }

// characters finds a delta that was split inside a character. The decoded text
// doesn't show it any more, so the raw data is inspected.
func (a *assembly) characters(f *wire.Frame, object map[string]any) {
	if delta, ok := object["delta"].(string); !ok || judge.IsASCII(delta) { // one byte can't be split
		return
	}
	a.Saw(contentWholeCharacters)
	if half := judge.HalfSurrogate(f.Data); half != "" {
		a.Violation(contentWholeCharacters, judge.At(f), "a delta holds half a character", "a whole pair of surrogates", half)
	}
}
