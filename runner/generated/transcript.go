package generated

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/judge"
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

// from is the exchange before the change.
func (c wireChange) from() golden.Exchange { return c.transcript.Exchanges[c.exchange] }

// wireRules say which changes of a response the specification allows where they are made.
func wireRules() []rule[wireChange] {
	return []rule[wireChange]{{
		"gap in sequences", "a chunk may have a higher sequence, as long as it stays below the next and its stream has the same one everywhere",
		"helix.resume.gapless",
		func(c wireChange) bool { return c.operator == renumbered && leavesGap(c) },
	}, {
		"number of a terminal frame",
		"where a response doesn't show the latest sequence, the id of its terminal frame can be any above its chunks and cursor",
		"helix.wire.terminal-id",
		func(c wireChange) bool { return (c.operator == idUp || c.operator == idDown) && freeTerminal(c) },
	}, {
		"moment of a status frame",
		"one response doesn't show when a stream was paused, and a server may cut its readers then; that they are told is for scenarios to see",
		"helix.status.attach-paused", movesStatus,
	}, {
		"media type of an error", "an error may be written in any media type that its status goes with", "helix.http.error-body",
		func(c wireChange) bool { return c.from().Status >= 400 && ofContentType(c.operator) },
	}, {
		"spelling of the media type", "a media type may be in any case and have a charset parameter", "helix.wire.content-type",
		func(c wireChange) bool { return c.operator == otherSpelling },
	}, {
		"comment", "comments and retry lines may stand anywhere between frames", "helix.wire.reader-comments",
		func(c wireChange) bool { return c.operator == commented },
	}}
}

func ofContentType(operator string) bool {
	return slices.ContainsFunc(headers(), func(h header) bool { return h.operator == operator && h.name == "content-type" })
}

// told matches every number in a transcript that the server itself told as a chunk's place.
var told = regexp.MustCompile(`(?m)^id: (\d+)$|"(?:sequence|atSequence|latestSequence|streamSequence)":(\d+)`)

// leavesGap says whether a renumbered chunk still has its place in the order and is mentioned nowhere else.
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
	for _, m := range told.FindAllSubmatch(text, -1) {
		number := string(m[1]) + string(m[2])
		// Beside its own two mentions, neither the old number nor one that the new one meets may be anywhere.
		if number == strconv.FormatInt(before, 10) || number == strconv.FormatInt(id, 10) {
			mentions++
		}
	}
	return mentions == 2
}

// movesStatus says whether a change leaves out a status frame that is there, or has it at another moment.
func movesStatus(c wireChange) bool {
	if c.frame < 0 {
		return false
	}
	is := func(i int) bool { return bytes.Contains(c.from().Frames[i], []byte(`"type":"status"`)) }
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

// freeTerminal says whether a terminal frame's id is above what the response shows, and what it shows needn't be the
// latest: there is no chunk in it, or some may have been removed.
func freeTerminal(c wireChange) bool {
	to := c.to.Frames[c.frame]
	if !bytes.Contains(to, []byte(`"type":"end"`)) && !bytes.Contains(to, []byte(`"type":"fail"`)) {
		return false
	}
	id, _ := frameID(to)
	text, _ := cursor(c.from())
	highest, _ := strconv.ParseInt(text, 10, 64) // 0 without a cursor
	chunks := 0
	for _, f := range c.from().Frames[:c.frame] {
		if at, ok := frameID(f); ok {
			highest = max(highest, at)
			chunks++
		}
	}
	return id > highest && (chunks == 0 || removes(c.transcript, c.exchange))
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
		if !strings.HasPrefix(name, o.Pack+"/") {
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
				out = append(out, candidate{c.name(), excludedBy(wireRules(), c), func() bool { return o.killsResponse(c, written) }})
			}
		}
	}
	return out, nil
}

// produced reports whether a transcript is of what the server's own runtime wrote. Placeholders stand where the judge
// would need values, and nothing is compared with it: the schemas' examples are changed in its place.
func produced(t golden.Transcript) bool {
	return slices.ContainsFunc(t.Exchanges, func(e golden.Exchange) bool {
		return slices.ContainsFunc(e.Frames, func(f []byte) bool { return bytes.Contains(f, []byte(`"timestamp":{ts`)) })
	})
}

// killsResponse asks the judge, who knows the rules, and then compares with what was written.
func (o Options) killsResponse(c wireChange, written golden.Bindings) bool {
	if o.breach(o.exchange(c.transcript, c.exchange, c.to)) {
		return true
	}
	got := c.transcript
	got.Exchanges = slices.Clone(got.Exchanges)
	// The others are normalised already.
	changed := golden.Normalise(golden.Transcript{Name: got.Name, Exchanges: []golden.Exchange{delivered(c.to)}}, written)
	got.Exchanges[c.exchange] = changed.Exchanges[0]
	return len(golden.Compare(c.transcript, got)) > 0
}

// delivered leaves of a response what a client takes: none does the body of another status than 200 for a stream.
func delivered(e golden.Exchange) golden.Exchange {
	if e.Status != 200 {
		e.Frames = nil
	}
	return e
}

// exchange judges one response of a transcript.
func (o Options) exchange(t golden.Transcript, index int, e golden.Exchange) []judge.Finding {
	header := map[string][]string{}
	streamed := false
	for _, h := range e.ResponseHeaders {
		header[h.Name] = append(header[h.Name], h.Value)
		streamed = streamed || h.Name == "content-type" && strings.HasPrefix(strings.ToLower(h.Value), "text/event-stream")
	}
	if !strings.HasSuffix(pathOf(e), "/events") {
		route := judge.InfoRoute
		if strings.HasSuffix(pathOf(e), "/snapshot") {
			route = judge.SnapshotRoute
		}
		findings, _ := o.Answer(judge.Options{Schemas: o.Schemas}, judge.Answer{Route: route, Status: e.Status, Header: header, Body: stamped(e.Answer)})
		return findings
	}
	if e.Status != 200 && !streamed {
		findings, _ := o.Answer(judge.Options{Schemas: o.Schemas}, judge.Answer{Route: judge.ReadRoute, Status: e.Status, Header: header, Body: e.Answer})
		return findings
	}
	head := judge.Head{Status: e.Status, Header: header, Removed: removes(t, index)}
	head.Cursor, head.HasCursor = cursor(e)
	end := map[string]judge.End{
		golden.ServerCloses: judge.EOF, golden.ClientCloses: judge.Cut, golden.ConnectionReset: judge.Reset, golden.StillOpen: judge.OpenStill,
	}[e.End]
	return o.response(judge.Relayed, head, bytes.Join(e.Frames, nil), end)
}

var placeholder = regexp.MustCompile(`\{ts\d+(?:<ts\d+)?\}`)

// stamped puts a time where a golden has a placeholder for one.
func stamped(answer []byte) []byte { return placeholder.ReplaceAll(answer, []byte("1733310000000")) }

func pathOf(e golden.Exchange) string {
	where, _, _ := strings.Cut(e.Path, "?")
	return where
}

// cursor is what the request asked to resume after.
func cursor(e golden.Exchange) (string, bool) {
	for _, h := range e.Headers {
		if h.Name == "last-event-id" {
			return h.Value, true
		}
	}
	_, query, _ := strings.Cut(e.Path, "?")
	values, err := url.ParseQuery(query)
	if err != nil || !values.Has("fromSequence") {
		return "", false
	}
	return values.Get("fromSequence"), true
}

// removes says whether chunks may have been removed before a reader attached: the transcripts of cleanups and resets
// don't show the call.
func removes(t golden.Transcript, index int) bool {
	if strings.Contains(t.Name, ".truncation.") || strings.Contains(t.Name, ".removed-cursor") {
		return true
	}
	return slices.ContainsFunc(t.Exchanges[:index], func(e golden.Exchange) bool {
		return slices.ContainsFunc(e.Frames, func(f []byte) bool { return bytes.Contains(f, []byte(`"type":"truncated"`)) })
	})
}

var stamp = regexp.MustCompile(`"timestamp":(\d+)`)

// timestamps are those that the script wrote, which is all that a golden still shows as numbers.
func timestamps(t golden.Transcript) []int64 {
	var out []int64
	for _, e := range t.Exchanges {
		for _, m := range stamp.FindAllSubmatch(bytes.Join(e.Frames, nil), -1) {
			if n, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}
