package generated

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
)

// A wireChange is a transcript with one exchange changed.
type wireChange struct {
	transcript golden.Transcript // before the change
	exchange   int
	frame      int // -1 if it isn't about one
	operator   string
	to         golden.Exchange
}

func (c wireChange) name() string {
	at := fmt.Sprintf("exchange %d", c.exchange+1)
	if c.frame >= 0 {
		at += fmt.Sprintf(", frame %d", c.frame+1)
	}
	return fmt.Sprintf("wire %s · %s, %s: %s", c.transcript.Name, c.transcript.Title, at, c.operator)
}

// from returns the exchange before the change.
func (c wireChange) from() golden.Exchange { return c.transcript.Exchanges[c.exchange] }

// wireRules say which changes of a response the specification allows where they are made.
func wireRules(shape *pack.Shape) []rule[wireChange] {
	free := shape.Freedoms
	return []rule[wireChange]{{
		pack.Gap, "a chunk may have a higher sequence, as long as it stays below the next and its stream has the same one everywhere",
		free[pack.Gap],
		func(c wireChange) bool { return c.operator == renumbered && leavesGap(c) },
	}, {
		pack.TerminalNumber,
		"where a response doesn't show the latest sequence, the id of its terminal frame can be any above its chunks and cursor",
		free[pack.TerminalNumber],
		func(c wireChange) bool { return (c.operator == idUp || c.operator == idDown) && freeTerminal(shape, c) },
	}, {
		pack.StatusMoment,
		"one response doesn't show when a stream was paused, and a server may cut its readers then; whether readers get the status is for scenarios to see",
		free[pack.StatusMoment],
		func(c wireChange) bool { return movesStatus(shape, c) },
	}, {
		pack.ErrorType, "an error may be written in any media type that its status goes with", free[pack.ErrorType],
		func(c wireChange) bool { return c.from().Status >= 400 && ofContentType(c.operator) },
	}, {
		pack.TypeSpelling, "a media type may be in any case and have a charset parameter", free[pack.TypeSpelling],
		func(c wireChange) bool { return c.operator == otherSpelling },
	}, {
		pack.Comment, "comments and retry lines may stand anywhere between frames", free[pack.Comment],
		func(c wireChange) bool { return c.operator == commented },
	}}
}

func ofContentType(operator string) bool {
	return slices.ContainsFunc(headers(), func(h header) bool { return h.operator == operator && h.name == "content-type" })
}

// counted matches every number in a transcript that is a chunk's sequence.
var counted = regexp.MustCompile(`(?m)^id: (\d+)$|"(?:sequence|atSequence|latestSequence|streamSequence)":(\d+)`)

// leavesGap reports whether a renumbered chunk is still in order and is mentioned nowhere else.
func leavesGap(c wireChange) bool {
	frames := c.to.Frames
	next := int64(-1)
	for _, f := range frames[c.frame+1:] {
		if id, ok := frameID(f); ok {
			next = id
			break
		}
	}
	id, _ := frameID(frames[c.frame])
	if next >= 0 && id >= next {
		return false
	}
	before, _ := frameID(c.from().Frames[c.frame])
	mentions := 0
	same := c.transcript
	same.Exchanges = slices.DeleteFunc(slices.Clone(same.Exchanges), func(e golden.Exchange) bool { return pathOf(e) != pathOf(c.from()) })
	text := golden.Format(golden.File{Transcripts: []golden.Transcript{same}})
	for _, m := range counted.FindAllSubmatch(text, -1) {
		number := string(m[1]) + string(m[2])
		// Neither the old number nor one that collides with the new one may occur elsewhere.
		if number == strconv.FormatInt(before, 10) || number == strconv.FormatInt(id, 10) {
			mentions++
		}
	}
	return mentions == 2
}

// movesStatus reports whether a change leaves out a status frame that is there, or has it at another moment.
func movesStatus(shape *pack.Shape, c wireChange) bool {
	if c.frame < 0 {
		return false
	}
	is := func(i int) bool { return roleOf(shape, c.from().Frames[i]) == pack.Notice }
	switch c.operator {
	case dropped, repeatedLater:
		return is(c.frame)
	case endsInside, endsBefore: // everything from there is lost
		return is(c.frame) && c.frame == len(c.from().Frames)-1
	case swapped:
		return is(c.frame) || is(c.frame+1)
	}
	return false
}

// freeTerminal reports whether a terminal frame's id is above all others in the response, and these needn't include the
// latest: there is no chunk in it, or some may have been removed.
func freeTerminal(shape *pack.Shape, c wireChange) bool {
	to := c.to.Frames[c.frame]
	if roleOf(shape, to) != pack.Terminal {
		return false
	}
	id, _ := frameID(to)
	asked := record.Request{Path: c.from().Path, Header: fields(c.from().Headers)}
	text, _ := asked.Cursor()
	highest, _ := strconv.ParseInt(text, 10, 64) // 0 without a cursor
	chunks := 0
	for _, f := range c.from().Frames[:c.frame] {
		if at, ok := frameID(f); ok {
			highest = max(highest, at)
			chunks++
		}
	}
	return id > highest && (chunks == 0 || removes(shape, c.transcript, c.exchange))
}

// roleOf returns the role of a frame of a transcript. One without data, or with invalid JSON, is Other.
func roleOf(shape *pack.Shape, frame []byte) pack.Role {
	_, data, found := bytes.Cut(frame, []byte("data: "))
	if !found {
		return pack.Other
	}
	return shape.Role(stamped(bytes.TrimSpace(data)))
}

var idLine = regexp.MustCompile(`(?m)^id: (\d+)$`)

func frameID(frame []byte) (int64, bool) {
	m := idLine.FindSubmatch(frame)
	if m == nil {
		return 0, false
	}
	id, err := strconv.ParseInt(string(m[1]), 10, 64)
	return id, err == nil
}

// wireMutants changes every response of the golden transcripts.
func (o Options) wireMutants() ([]candidate, error) {
	names, err := golden.Names(o.Golden)
	if err != nil {
		return nil, fmt.Errorf("listing the goldens: %w", err)
	}
	var out []candidate
	for _, name := range names {
		if !strings.HasPrefix(name, o.Pack.Name+"/") {
			continue
		}
		file, err := golden.Read(o.Golden, name)
		if err != nil {
			return nil, err
		}
		for _, i := range sampled(len(file.Transcripts)) { // the examples of an outline are much alike
			t := file.Transcripts[i]
			if produced(t) {
				continue
			}
			written := golden.Bindings{Timestamps: timestamps(t)}
			for _, c := range responses(t) {
				out = append(out, candidate{c.name(), excludedBy(wireRules(o.Pack.Shape), c), func() bool { return o.killsResponse(c, written) }})
			}
		}
	}
	return out, nil
}

// produced reports whether a transcript is of the server's runtime. It has placeholders where the judge would need values,
// so that nothing is compared with it: the schemas' examples are changed instead.
func produced(t golden.Transcript) bool {
	return slices.ContainsFunc(t.Exchanges, func(e golden.Exchange) bool {
		return slices.ContainsFunc(e.Frames, func(f []byte) bool { return bytes.Contains(f, []byte(`"timestamp":{ts`)) })
	})
}

// killsResponse asks the judge, and then compares with the written chunks.
func (o Options) killsResponse(c wireChange, written golden.Bindings) bool {
	if o.violates(o.exchange(c.transcript, c.exchange, c.to)) {
		return true
	}
	got := c.transcript
	got.Exchanges = slices.Clone(got.Exchanges)
	// The others are normalised already.
	changed := o.Pack.Golden.Normalise(golden.Transcript{Name: got.Name, Exchanges: []golden.Exchange{delivered(c.to)}}, written)
	got.Exchanges[c.exchange] = changed.Exchanges[0]
	return len(o.Pack.Golden.Compare(c.transcript, got)) > 0
}

// delivered returns the part of a response that a client reads: no body of another status than 200 for a stream.
func delivered(e golden.Exchange) golden.Exchange {
	if e.Status != 200 {
		e.Frames = nil
	}
	return e
}

// exchange judges one response of a transcript.
func (o Options) exchange(t golden.Transcript, index int, e golden.Exchange) []record.Finding {
	x := record.Exchange{
		Request:  record.Request{Kind: record.Document, Path: e.Path, Header: fields(e.Headers), Removed: removes(o.Pack.Shape, t, index)},
		Response: record.Response{Status: e.Status, Header: fields(e.ResponseHeaders), Answer: e.Answer, End: endOf(e.End)},
	}
	switch where := pathOf(e); {
	case strings.HasSuffix(where, "/events"):
		x.Kind, x.Frames = record.Read, framesOf(bytes.Join(e.Frames, nil))
	case strings.HasSuffix(where, "/snapshot"):
		x.Kind = record.Snapshot
		fallthrough
	default:
		x.Answer = stamped(e.Answer)
	}
	findings, _ := judge.Exchange(judge.Judge{Machine: o.Pack.Machine, Answer: o.Pack.Answer}, judge.Options{Schemas: o.Schemas}, &x)
	return findings
}

func fields(in []golden.Header) []record.Header {
	out := make([]record.Header, 0, len(in))
	for _, h := range in {
		out = append(out, record.Header{Name: h.Name, Value: h.Value})
	}
	return out
}

// endOf returns the end of the body for a golden's word; without one the server closed it.
func endOf(word string) record.End {
	switch word {
	case golden.ClientCloses:
		return record.ClientClose
	case golden.ConnectionReset:
		return record.Broken
	case golden.StillOpen:
		return record.Open
	}
	return record.ServerClose
}

var placeholder = regexp.MustCompile(`\{ts\d+(?:<ts\d+)?\}`)

// stamped replaces a golden's placeholder for a time by a time.
func stamped(answer []byte) []byte { return placeholder.ReplaceAll(answer, []byte("1733310000000")) }

func pathOf(e golden.Exchange) string {
	where, _, _ := strings.Cut(e.Path, "?")
	return where
}

// removes reports whether chunks may have been removed before a reader attached: the transcripts of cleanups and resets
// don't show the call.
func removes(shape *pack.Shape, t golden.Transcript, index int) bool {
	if strings.Contains(t.Name, ".truncation.") || strings.Contains(t.Name, ".removed-cursor") {
		return true
	}
	return slices.ContainsFunc(t.Exchanges[:index], func(e golden.Exchange) bool {
		return slices.ContainsFunc(e.Frames, func(f []byte) bool { return roleOf(shape, f) == pack.Removal })
	})
}

var stamp = regexp.MustCompile(`"timestamp":(\d+)`)

// timestamps returns those that the script wrote, the only ones that a golden shows as numbers.
func timestamps(t golden.Transcript) []int64 {
	out := []int64{golden.Epoch} // the epoch of transcripts
	for _, e := range t.Exchanges {
		for _, m := range stamp.FindAllSubmatch(bytes.Join(e.Frames, nil), -1) {
			if n, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}
