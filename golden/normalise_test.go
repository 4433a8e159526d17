package golden

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var known = Bindings{
	Literals:   map[string]string{"s-1": "{stream}", "s-12": "{otherStream}", "a/b é": "{oddStream}", "word": "{word}"},
	Timestamps: []int64{1702340000000, 1702340000002},
}

// normalFrames normalises frames of one exchange.
func normalFrames(b Bindings, frames ...string) []string {
	e := Exchange{Heading: "h", Status: 200}
	for _, f := range frames {
		e.Frames = append(e.Frames, []byte(f))
	}
	var out []string
	for _, f := range tested.Normalise(Transcript{Exchanges: []Exchange{e}}, b).Exchanges[0].Frames {
		out = append(out, string(f))
	}
	return out
}

func TestNormaliseFrames(t *testing.T) {
	for _, c := range []struct{ name, frame, want string }{
		{"keys and white space", "data: {\"b\": [1 , 2],\t\"a\":{ }}\n\n", "data: {\"a\":{},\"b\":[1,2]}\n\n"},
		{"numbers", "data: [1.0,1e2,-0,0.10,1E21,1e-7,9007199254740991,-9007199254740991,0.1]\n\n",
			"data: [1,100,0,0.1,1e+21,1e-7,9007199254740991,-9007199254740991,0.1]\n\n"},
		{"a number that no double holds", "data: 1e100000000\n\n", "data: 1e100000000\n\n"},
		{"strings", `data: "\u0041\/\u00e9\n\u000a\u001F\ud83d\ude00\ud83d\u2028"` + "\n\n", "data: \"A/é\\n\\n\\u001f😀\\ud83d\u2028\"\n\n"},
		{"duplicate keys", "data: {\"b\":1,\"a\":2,\"a\":1}\n\n", "data: {\"a\":2,\"a\":1,\"b\":1}\n\n"},
		{"literals", "data: {\"id\":\"s-1\",\"of\":\"s-12/s-1\",\"s-1\":0}\n\n", "data: {\"id\":\"{stream}\",\"of\":\"{otherStream}/{stream}\",\"{stream}\":0}\n\n"},
		{"literals in escapes", `data: "\u0073-1 a\/b \u00e9"` + "\n\n", "data: \"{stream} {oddStream}\"\n\n"},
		{"not JSON", "data: [DONE] s-1\n\n", "data: [DONE] {stream}\n\n"},
		{"comment and retry", ": c\nretry: 1\nid: 1\ndata: 1\n\n", "id: 1\ndata: 1\n\n"},
		{"comment between line ends", "data: 1\r: c\n\n", "data: 1\r: c\n\n"},
		{"placeholders", "id: {word}\ndata: \"{word} {ts1}\"\n\n", "id: {word}\ndata: \"{word} {ts1}\"\n\n"},
		{"several lines", "data: {\ndata: \"a\":1}\n\n", "data: {\"a\":1}\ndata:\n\n"},
		{"line ends", "data:[ ]\r\n\r\n", "data:[]\r\n\r\n"},
		{"no blank line", "data: [ ]", "data: []"},
		{"byte order mark", "\ufeffdata: [ ]\n\n", "\ufeffdata: []\n\n"},
		{"two events in one", "data: {\n\ndata: }\n\n", "data: {\n\ndata: }\n\n"},
		{"id and event", "event: message\nid: s-1\nx\ndata: 1\n\n", "event: message\nid: {stream}\nx\ndata: 1\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff([]string{c.want}, normalFrames(known, c.frame)); diff != "" {
				t.Errorf("frame (-want +got):\n%s", diff)
			}
		})
	}
	if got := normalFrames(known, ": hb\n\n", "retry: 5\n\n", ": cut"); got != nil {
		t.Errorf("comments are left as %q", got)
	}
}

func TestNormaliseTimestamps(t *testing.T) {
	frame := func(n string, timestamp string) string {
		return fmt.Sprintf("data: {\"n\":%s,\"timestamp\":%s}\n\n", n, timestamp)
	}
	for _, c := range []struct {
		name         string
		frames, want []string
	}{
		{"wall clock", []string{frame("1", "1750000000000"), frame("2", "1750000000005")}, []string{frame("1", "{ts1}"), frame("2", "{ts2}")}},
		{"two frames of a millisecond", []string{frame("1", "1750000000000"), frame("2", "1750000000000")}, []string{frame("1", "{ts1}"), frame("2", "{ts2}")}},
		{"one frame twice", []string{frame("1", "1750000000000"), frame("1", "1750000000000")}, []string{frame("1", "{ts1}"), frame("1", "{ts1}")}},
		{"one frame, another time", []string{frame("1", "1750000000000"), frame("1", "1750000000001")}, []string{frame("1", "{ts1}"), frame("1", "{ts2}")}},
		{"backwards", []string{frame("1", "1750000000005"), frame("2", "1750000000000")}, []string{frame("1", "{ts1}"), frame("2", "{ts2<ts1}")}},
		{"a string", []string{frame("1", `"1750000000000"`)}, []string{frame("1", `"1750000000000"`)}},
		{"RFC 3339", []string{frame("1", `"2025-06-15T15:06:40.123Z"`)}, []string{frame("1", `"{ts1}"`)}},
		{"the script's", []string{frame("1", "1702340000002")}, []string{frame("1", "1702329600002")}},
		{"seconds, zero, null, fraction", []string{frame("1", "1750000000"), frame("2", "0"), frame("3", "null"), frame("4", "1750000000000.5")},
			[]string{frame("1", "1750000000"), frame("2", "0"), frame("3", "null"), frame("4", "{ts1}")}},
		{"beside a placeholder", []string{frame("1", "{ts3}"), frame("2", "1750000000000")}, []string{frame("1", "{ts3}"), frame("2", "{ts4}")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, normalFrames(known, c.frames...)); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTypeStays shows that an integer timestamp which became a string is seen, whichever of the two the golden has.
func TestTypeStays(t *testing.T) {
	transcript := func(timestamp string) Transcript {
		frame := []byte(`data: {"timestamp":` + timestamp + `,"type":"end"}` + "\n\n")
		return tested.Normalise(Transcript{Exchanges: []Exchange{{Status: 200, Frames: [][]byte{frame}}}}, known)
	}
	spellings := []string{"1750000000000", `"1750000000000"`, `"2025-06-15T15:06:40Z"`, "1750000000", "1702340000002", "null", `""`, `"{ts}"`}
	for i, w := range spellings {
		for j, g := range spellings {
			if got := Equal(transcript(w), transcript(g)); (got == "") != (i == j) {
				t.Errorf("Equal(%s, %s) = %q", w, g, got)
			}
			if got := tested.Compare(transcript(w), transcript(g)); (len(got) == 0) != (i == j) {
				t.Errorf("Compare(%s, %s) = %v", w, g, got)
			}
		}
	}
}

func TestNormaliseFreeChoices(t *testing.T) {
	in := Transcript{Name: "n", Exchanges: []Exchange{
		{Heading: "open s-1", Method: "POST", Path: "/control/streams/s-1/writers", Status: 201, Answer: []byte(`{"writerId": "w/1"}` + "\n")},
		{Method: "POST", Path: "/control/streams/s%2D1/writers/w%2F1/chunks?x=w%2f1", Body: []byte(`{"writerId":"w/1", "requestId":"mine"}`)},
		{Method: "GET", Path: "/streams/a%2Fb%20%C3%A9/w", Frames: [][]byte{
			[]byte("data: {\"writerId\":\"w2\",\"requestId\":\"w/1\",\"delta\":\"w/1\"}\n\n"),
			[]byte("data: {\"writerId\":\"w/1\",\"chunk\":{\"runId\":\"r\",\"timestamp\":1750000000000}}\n\n"),
			[]byte("data: {\"writerId\":\"\",\"runId\":7}\n\n"),
		}},
	}}
	want := Transcript{Name: "n", Exchanges: []Exchange{
		{Heading: "open {stream}", Method: "POST", Path: "/control/streams/{stream}/writers", Status: 201, Answer: []byte(`{"writerId":"{writerId}"}`)},
		{Method: "POST", Path: "/control/streams/{stream}/writers/{writerId}/chunks?x={writerId}", Body: []byte(`{"requestId":"mine","writerId":"{writerId}"}`)},
		{Method: "GET", Path: "/streams/{oddStream}/w", Frames: [][]byte{
			[]byte("data: {\"delta\":\"w/1\",\"requestId\":\"{requestId}\",\"writerId\":\"{writerId2}\"}\n\n"),
			[]byte("data: {\"chunk\":{\"runId\":\"r\",\"timestamp\":1750000000000},\"writerId\":\"{writerId}\"}\n\n"),
			[]byte("data: {\"runId\":7,\"writerId\":\"\"}\n\n"),
		}},
	}}
	got := tested.Normalise(in, known)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("normalised (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, tested.Normalise(got, known)); diff != "" {
		t.Errorf("normalised twice (-once +twice):\n%s", diff)
	}
	if string(in.Exchanges[0].Answer) != `{"writerId": "w/1"}`+"\n" {
		t.Error("the argument was changed")
	}
	produced := known
	produced.Produced = true
	got = tested.Normalise(in, produced)
	if diff := cmp.Diff("data: {\"chunk\":{\"runId\":\"{runId}\",\"timestamp\":{ts1}},\"writerId\":\"{writerId}\"}\n\n", string(got.Exchanges[2].Frames[1])); diff != "" {
		t.Errorf("produced chunk (-want +got):\n%s", diff)
	}
}

func TestNormaliseHeaders(t *testing.T) {
	in := Exchange{
		Headers: []Header{{"Last-Event-ID", " 2 "}, {"Authorization", "Bearer secret"}, {"Origin", "https://s-1.example"}},
		ResponseHeaders: []Header{{"Date", "today"}, {"Content-Type", "Text/Event-Stream ; Charset=\"UTF-8\""}, {"CACHE-CONTROL", "No-Cache,no-transform"},
			{"Allow", "GET"}, {"content-type", "text/html; charset=latin1"}},
	}
	got := tested.Normalise(Transcript{Exchanges: []Exchange{in}}, known).Exchanges[0]
	if diff := cmp.Diff([]Header{{"last-event-id", "2"}, {"origin", "https://{stream}.example"}}, got.Headers); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	want := []Header{{"allow", "GET"}, {"cache-control", "no-cache, no-transform"}, {"content-type", "text/event-stream"}, {"content-type", "text/html; charset=latin1"}}
	if diff := cmp.Diff(want, got.ResponseHeaders); diff != "" {
		t.Errorf("response (-want +got):\n%s", diff)
	}
}

func TestBindingsValidate(t *testing.T) {
	if err := known.Validate(); err != nil {
		t.Errorf("known bindings: %v", err)
	}
	for literal, token := range map[string]string{"": "{stream}", "a{b": "{stream}", "s": "stream", "t": "{ts1}", "u": "{}"} {
		b := Bindings{Literals: map[string]string{literal: token}}
		if b.Validate() == nil {
			t.Errorf("%q → %q: no error", literal, token)
		}
		if got := b.literals(); got != nil {
			t.Errorf("%q → %q is used all the same", literal, token)
		}
	}
}

func TestTooManyLevelsAreText(t *testing.T) {
	deep := func(n int) string {
		b := make([]byte, 0, 2*n)
		for range n {
			b = append(b, '[')
		}
		for range n {
			b = append(b, ']')
		}
		return "data: " + string(b) + " \n\n"
	}
	if got := normalFrames(known, deep(maxDepth))[0]; len(got) != len(deep(maxDepth))-1 {
		t.Error("nesting within the limit is not canonical")
	}
	if got := normalFrames(known, deep(maxDepth+2))[0]; got != deep(maxDepth+2) {
		t.Error("nesting over the limit was changed")
	}
}
