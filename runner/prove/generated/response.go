package generated

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/golden"
)

// Operators that rules select by name.
const (
	renumbered    = "id and sequence one up"
	idUp          = "id one up"
	idDown        = "id one down"
	otherSpelling = "content type in another spelling"
	commented     = "a comment before it"
	dropped       = "dropped"
	swapped       = "swapped with the next"
	repeatedLater = "repeated after the next"
	endsInside    = "the body ends in its middle"
	endsBefore    = "the body ends before its blank line"
)

// responses makes every change of every response of a transcript.
func responses(t golden.Transcript) []wireChange {
	var out []wireChange
	for i, e := range t.Exchanges {
		if e.Status == 0 { // nothing was answered
			continue
		}
		add := func(frame int, operator string, to golden.Exchange) {
			out = append(out, wireChange{t, i, frame, operator, to})
		}
		heads(e, func(operator string, to golden.Exchange) { add(-1, operator, to) })
		for _, j := range sampled(len(e.Frames)) {
			order(e, j, func(operator string, to golden.Exchange) { add(j, operator, to) })
			contents(e, j, func(operator string, to golden.Exchange) { add(j, operator, to) })
		}
	}
	return out
}

// sampled chooses among many: both ends, and the step from one digit to two.
func sampled(n int) []int {
	const ends = 3 // of frames: where replay, live and end meet
	var out []int
	for j := range n {
		if j < ends || j >= n-ends || j == 8 || j == 9 {
			out = append(out, j)
		}
	}
	return out
}

// A header is one that is replaced, or taken away where it has no value.
type header struct{ name, value, operator string }

func headers() []header {
	return []header{
		{"content-type", "text/html", "content type text/html"},
		{"content-type", "text/plain", "content type text/plain"},
		{"content-type", "", "no content type"},
		{"content-type", "Text/Event-Stream; Charset=UTF-8", otherSpelling},
		{"cache-control", "max-age=60", "cacheable"},
		{"cache-control", "", "no cache control"},
	}
}

// heads changes the status and the headers.
func heads(e golden.Exchange, add func(operator string, to golden.Exchange)) {
	for _, status := range []int{200, 204, 206, 302, 404, 500} {
		if status != e.Status {
			to := e
			to.Status = status
			add("status "+strconv.Itoa(status), to)
		}
	}
	for _, header := range headers() {
		at := slices.IndexFunc(e.ResponseHeaders, func(h golden.Header) bool { return h.Name == header.name })
		if at < 0 || header.operator == otherSpelling && e.ResponseHeaders[at].Value != "text/event-stream" {
			continue
		}
		to := e
		to.ResponseHeaders = slices.Clone(e.ResponseHeaders)
		if to.ResponseHeaders[at].Value = header.value; header.value == "" {
			to.ResponseHeaders = slices.Delete(to.ResponseHeaders, at, at+1)
		}
		add(header.operator, to)
	}
}

// order drops, repeats and swaps complete frames, and cuts the body.
func order(e golden.Exchange, j int, add func(operator string, to golden.Exchange)) {
	replace := func(operator string, from, until int, by ...[]byte) {
		to := e
		to.Frames = slices.Replace(slices.Clone(e.Frames), from, until, by...)
		add(operator, to)
	}
	frame := e.Frames[j]
	replace(dropped, j, j+1)
	replace("repeated", j, j+1, frame, frame)
	if j+1 < len(e.Frames) {
		replace(swapped, j, j+2, e.Frames[j+1], frame)
		replace(repeatedLater, j, j+2, frame, e.Frames[j+1], frame)
		replace("joined with the next", j, j+2, append(bytes.TrimSuffix(bytes.Clone(frame), []byte("\n")), e.Frames[j+1]...))
	}
	replace(endsInside, j, len(e.Frames), frame[:len(frame)/2])
	replace(endsBefore, j, len(e.Frames), bytes.TrimSuffix(frame, []byte("\n")))
	replace(commented, j, j+1, append([]byte(": a comment\nretry: 1000\n"), frame...))
}

var (
	letter   = regexp.MustCompile(`"(?:delta|error|agentId|status)":"[^"]*?([a-z])`)
	sequence = regexp.MustCompile(`"sequence":(\d+),"type":"chunk"`)
)

// contents changes the inside of one frame.
func contents(e golden.Exchange, j int, add func(operator string, to golden.Exchange)) {
	frame := e.Frames[j]
	replace := func(operator string, by []byte) {
		to := e
		to.Frames = slices.Clone(e.Frames)
		to.Frames[j] = by
		add(operator, to)
	}
	data := bytes.Index(frame, []byte("data: "))
	if data < 0 {
		return
	}
	payload := data + len("data: ")
	end := len(bytes.TrimRight(frame, "\n"))
	splice := func(at, until int, by string) []byte {
		return slices.Concat(frame[:at], []byte(by), frame[until:])
	}
	replace("its opening brace lost", splice(payload, payload+1, ""))
	replace("its data cut in the middle", splice(payload+(end-payload)/2, end, ""))
	replace("a byte that isn't UTF-8", splice(end-1, end-1, ",\"x\":\"\xff\""))
	replace("a line feed in its data", splice(payload+(end-payload)/2, payload+(end-payload)/2, "\n"))
	replace("a blank line in its data", splice(payload+(end-payload)/2, payload+(end-payload)/2, "\n\n"))
	replace("its name set", append([]byte("event: update\n"), frame...))
	replace("a second value behind it", splice(end, end, " {}"))
	if m := letter.FindSubmatchIndex(frame); m != nil {
		replace("one letter another", splice(m[2], m[3], string(rune('a'+(frame[m[2]]-'a'+1)%26))))
	}
	numbers(frame, replace, splice)
}

// numbers changes a frame's id, and its sequence.
func numbers(frame []byte, replace func(string, []byte), splice func(at, until int, by string) []byte) {
	m := idLine.FindSubmatchIndex(frame)
	if m == nil {
		replace("an id of its own", append([]byte("id: 4242\n"), frame...))
		return
	}
	id, err := strconv.ParseInt(string(frame[m[2]:m[3]]), 10, 64)
	if err != nil { // larger than any id
		return
	}
	up, down := strconv.FormatInt(id+1, 10), strconv.FormatInt(id-1, 10)
	replace(idUp, splice(m[2], m[3], up))
	replace(idDown, splice(m[2], m[3], down))
	replace("no id", splice(m[0], m[1]+1, ""))
	replace("id no number", splice(m[2], m[3], "x"+up))
	replace("id with a leading zero", splice(m[2], m[3], "0"+string(frame[m[2]:m[3]])))
	if s := sequence.FindSubmatchIndex(frame); s != nil {
		replace("sequence one up", splice(s[2], s[3], up))
		replace("no sequence", splice(s[0], s[3]+1, ""))
		both := splice(s[2], s[3], up)
		replace(renumbered, slices.Concat(both[:m[2]], []byte(up), both[m[3]:]))
	}
}
