package golden

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add(Format(sample(f)))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Parse("x", b)
		if err != nil {
			return
		}
		if written := Format(file); !bytes.Equal(written, b) {
			t.Errorf("formatted %q, parsed %q", written, b)
		}
	})
}

// checkNormalise checks that normalising is idempotent, that its result survives the format, and that the comparisons find
// no difference between a transcript and itself.
func checkNormalise(t *testing.T, path, name, text string, one, two, answer []byte, produced bool) {
	t.Helper()
	b := known
	b.Produced = produced
	in := Transcript{Name: "a.b.c", Exchanges: []Exchange{
		{Heading: text, Method: "GET", Path: path, Headers: []Header{{name, text}}, Body: answer, Status: 200,
			ResponseHeaders: []Header{{name, text}, {"content-type", text}, {"cache-control", text}}, Frames: [][]byte{one, two}, Answer: answer},
		{Heading: "again", Path: path, Answer: answer, Frames: [][]byte{two, one}},
	}}
	once := tested.Normalise(in, b)
	written := Format(File{[]Transcript{once}})
	if again := Format(File{[]Transcript{tested.Normalise(once, b)}}); !bytes.Equal(written, again) {
		t.Errorf("once:\n%s\ntwice:\n%s", written, again)
	}
	if _, err := Parse("x", written); err != nil {
		t.Errorf("normalised does not parse: %v\n%s", err, written)
	}
	if diff := Equal(once, once); diff != "" {
		t.Errorf("not equal to itself:\n%s", diff)
	}
	if found := tested.Compare(once, once); len(found) > 0 {
		t.Errorf("does not hold itself: %v\n%s", found, written)
	}
}

func FuzzNormalise(f *testing.F) {
	frames := sample(f).Transcripts[0].Exchanges[0].Frames
	f.Add("/streams/s-1/events?x=s%2D1", "Content-Type", "Text/html; charset=UTF-8", frames[0], frames[4], []byte(`{"writerId":"w"}`), false)
	f.Fuzz(checkNormalise)
}

// TestNormaliseAnything passes combinations of the pieces that Normalise searches for.
func TestNormaliseAnything(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of transcripts")
	}
	pieces := []string{"data:", "data: ", "data", "id: ", "event:", ":", ": c", "retry: 1", "\n", "\n", "\n\n", "\r", "\r\n", "\ufeff", "{", "}", "[", "]",
		",", ":", `"`, `"timestamp":`, `"writerId":`, `"runId":`, `"chunk":`, `"type":`, `"sequence":`, `"chunk"`, `"a"`, "1750000000000", "1750000000005", "1702329600002",
		"1.0", "1e400", "{ts1}", "{ts2<ts1}", "{writerId}", "{writerId2}", "{stream}", "s-1", "s-12", "a/b é", "%2D", "%", "/", "?", "=", "w", `"w"`, `"v"`, " ", "\\", `\u0073-1`,
		`\ud83d`, `\n`, "null", "true", ";", "charset=utf-8", "\xff", `{"timestamp":1750000000000}`, `{"writerId":"w","runId":"s-1"}`, `{"b":1, "a":[]}`}
	keys := []string{`"timestamp":`, `"writerId":`, `"runId":`, `"chunk":`, `"type":`, `"sequence": `}
	values := []string{"1750000000000", "1750000000005", "1702329600002", "1.0", "{ts1}", "{ts2<ts1}", `"w"`, `"v"`, `"s-1"`, `"end"`,
		`"{writerId2}"`, "null", "[1,2]", `{"timestamp":1750000000000}`, `{"writerId":"w","runId":"x"}`, `"2025-06-15T15:06:40Z"`}
	names := []string{"allow", "Origin", "date", "content-type", " last-event-id", ""}
	r := rand.New(rand.NewPCG(3, 4))
	text := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	object := func() string {
		var members []string
		for range r.IntN(4) {
			members = append(members, keys[r.IntN(len(keys))]+values[r.IntN(len(values))])
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	for range 5_000 {
		one := text(12)
		if r.IntN(2) == 0 {
			one = text(3) + "\ndata: " + object() + "\n" + text(3) + "\n\n"
		}
		checkNormalise(t, text(6), names[r.IntN(len(names))], text(5), []byte(one), []byte(text(12)), []byte(object()), r.IntN(2) == 0)
		if t.Failed() {
			return
		}
	}
}
